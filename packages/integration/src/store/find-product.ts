import type { DatabaseSync } from 'node:sqlite';
import type { Row } from './open-store-file.js';
import { PRODUCT_KINDS } from './product-kinds.js';

/** A value of a product, and whose it is. */
export interface ProductValue extends Row {
	readonly account: string;
	readonly kind: (typeof PRODUCT_KINDS)[number];
}

/** Everything that a store has of a product for these accounts. */
export function findProduct(
	database: DatabaseSync,
	accounts: readonly string[],
	pid: string,
): ProductValue[] {
	const row = database.prepare(
		`SELECT account, kind, digest, fetched_at, used_at, state, validators, codec, value
		FROM entries JOIN contents USING (account, kind, pid) WHERE account = ? AND kind = ? AND pid = ?`,
	);
	return accounts
		.flatMap((account) => PRODUCT_KINDS.map((kind) => row.get(account, kind, pid)))
		.filter((found) => found !== undefined) as unknown as ProductValue[];
}
