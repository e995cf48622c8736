import type { DatabaseSync } from 'node:sqlite';
import { findAccounts } from '../store/find-accounts.js';
import { type ProductRow, productRows } from '../store/product-rows.js';
import { type ProductTotals, productTotals } from '../store/product-totals.js';
import { ageText, countText, sizeText, timeText } from '../text/amounts.js';
import { nameProduct } from '../text/name-products.js';
import { plainLine } from '../text/plain-line.js';
import { accountName } from './account-name.js';
import { jsonText } from './json-text.js';

/** How the products of a store are listed. */
interface Listing {
	readonly json: boolean;
	/** Lines at most. @default all */
	readonly limit: number | undefined;
	/** Milliseconds since 1970. */
	readonly now: number;
}

/** One line for each stored product and, last, how many there are in the whole store. */
export function* listProducts(database: DatabaseSync, { json, limit, now }: Listing): Iterable<string> {
	const accounts = findAccounts(database);
	const totals = productTotals(database);
	const rows = productRows(database, accounts, limit);
	if (json) {
		yield* asJson(rows, totals);
		return;
	}
	const hasAccounts = accounts.length > 1;
	let printed = 0;
	for (const row of rows) {
		printed += 1;
		const { account, kind, pid, state, fetched_at, bytes } = row;
		const cells = [
			plainLine(state, 7).padEnd(7),
			ageText(now - fetched_at).padStart(8),
			sizeText(bytes).padStart(8),
			...(totals.reviewData > 0 ? [kind.padEnd('review-data'.length)] : []),
			...(hasAccounts ? [accountName(account)] : []),
			// Ids are of any length: the last column needs none.
			nameProduct(pid),
		];
		yield `${cells.join('  ')}\n`;
	}
	const unprinted = totals.values - printed;
	if (unprinted > 0) yield `and ${unprinted.toLocaleString('en')} more\n`;
	const { products, bytes, stale } = totals;
	yield `${countText(products, 'product')}, ${sizeText(bytes)}, ${stale.toLocaleString('en')} stale\n`;
}

/** One document, a product on each line. */
function* asJson(rows: Iterable<ProductRow>, { products, bytes, stale }: ProductTotals): Iterable<string> {
	let before = '{"products":[\n';
	for (const { account, kind, pid, state, fetched_at, bytes } of rows) {
		yield before + jsonText({ pid, kind, state, fetchedAt: timeText(fetched_at), bytes, account });
		before = ',\n';
	}
	yield `${before === ',\n' ? '\n' : before}],"totals":${jsonText({ products, bytes, stale })}}\n`;
}
