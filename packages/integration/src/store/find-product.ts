import type { DatabaseSync } from 'node:sqlite';
import { PRODUCT_KINDS } from './product-kinds.js';
import { isWhole } from './prove-row.js';
import { ENTRY_COLUMNS, prepareToRead, type Row, toRow } from './row-reader.js';

/** A value of a product, and whose it is. */
export interface ProductValue extends Row {
	readonly account: string;
	readonly kind: (typeof PRODUCT_KINDS)[number];
	/** Whether it is what was written. */
	readonly isWhole: boolean;
}

/** Everything that a store has of a product for these accounts. */
export function findProduct(
	database: DatabaseSync,
	accounts: readonly string[],
	pid: string,
): ProductValue[] {
	const row = prepareToRead(
		database,
		`SELECT account, kind, ${ENTRY_COLUMNS}, codec, value FROM entries JOIN contents USING (account, kind, pid) WHERE account = ? AND kind = ? AND pid = ?`,
	);
	return accounts
		.flatMap((account) => PRODUCT_KINDS.map((kind) => row.get(account, kind, pid)))
		.filter((found) => found !== undefined)
		.map((found) => {
			const value = toRow<Row & Pick<ProductValue, 'account' | 'kind'>>(found);
			return { ...value, isWhole: isWhole({ ...value, pid }, value) };
		});
}
