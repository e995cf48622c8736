import type { DatabaseSync } from 'node:sqlite';
import {
	findAccounts,
	type ProductRow,
	type ProductTotals,
	productRows,
	productTotals,
} from '../../store/queries.js';
import { plainLine, printableJson } from '../../text/clean-text.js';
import { age, amount, count, isoTime, nameProduct, size } from '../../text/words.js';
import { accountName } from './describe-record.js';

/** How to list the products of a store. */
interface Listing {
	readonly json: boolean;
	/** Most lines. @default all */
	readonly limit: number | undefined;
	/** Milliseconds since 1970. */
	readonly now: number;
}

/** One line for each stored product, and the totals of the whole store in the last line. */
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
			age(now - fetched_at).padStart(8),
			size(bytes).padStart(8),
			...(totals.reviewData > 0 ? [kind.padEnd('review-data'.length)] : []),
			...(hasAccounts ? [accountName(account)] : []),
			// The last column may be of any length, as ids are.
			nameProduct(pid),
		];
		yield `${cells.join('  ')}\n`;
	}
	const unprinted = totals.values - printed;
	if (unprinted > 0) yield `and ${amount(unprinted)} more\n`;
	const { products, bytes, stale } = totals;
	yield `${count(products, 'product')}, ${size(bytes)}, ${amount(stale)} stale\n`;
}

/** One document with a product on each line. */
function* asJson(rows: Iterable<ProductRow>, { products, bytes, stale }: ProductTotals): Iterable<string> {
	let before = '{"products":[\n';
	for (const { account, kind, pid, state, fetched_at, bytes } of rows) {
		yield before + printableJson({ pid, kind, state, fetchedAt: isoTime(fetched_at), bytes, account });
		before = ',\n';
	}
	yield `${before === ',\n' ? '\n' : before}],"totals":${printableJson({ products, bytes, stale })}}\n`;
}
