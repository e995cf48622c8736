import type { DatabaseSync } from 'node:sqlite';
import { type CondensedRecord, restoreRecord } from '../parse/condense-record.js';
import { findAccounts } from '../store/find-accounts.js';
import { findProduct, type ProductValue } from '../store/find-product.js';
import { unpackRow } from '../store/row-reader.js';
import { agoText, sizeText, timeText } from '../text/amounts.js';
import { nameProduct } from '../text/name-products.js';
import { plainLine } from '../text/plain-line.js';
import { accountName } from './account-name.js';
import { describeRecord } from './describe-record.js';
import { jsonText } from './json-text.js';

/**
 * Everything that a store keeps of a product.
 * @param now milliseconds since 1970.
 * @throws Error where it has nothing of it.
 */
export function* showProduct(
	database: DatabaseSync,
	pid: string,
	{ json, now }: { readonly json: boolean; readonly now: number },
): Iterable<string> {
	const accounts = findAccounts(database);
	const rows = findProduct(database, accounts, pid);
	if (rows.length === 0) throw new Error(`The product ${nameProduct(pid)} is not in the store.`);
	if (json) {
		yield `${jsonText({ pid, kept: rows.map(toJson) }, '\t')}\n`;
		return;
	}
	yield `Product ${nameProduct(pid)}\n`;
	for (const row of rows) {
		const { account, kind, digest, fetched_at, used_at, state, validators, value } = row;
		const ago = (time: number) => `${timeText(time)} (${agoText(now - time)})`;
		yield `\n${kind}${accounts.length > 1 ? `, account ${accountName(account).trimEnd()}` : ''}\n`;
		yield `  ${kind === 'mark' || kind === 'rating' ? 'written   ' : 'fetched   '}  ${ago(fetched_at)}\n`;
		yield `  used        ${ago(used_at)}\n`;
		yield `  state       ${plainLine(state, 20)}\n`;
		yield `  digest      ${plainLine(digest, 60)}\n`;
		yield `  size        ${sizeText(value.length)} compressed\n`;
		yield `  validators  ${validators === null ? 'no' : 'yes'}\n`;
		for (const line of linesOf(row)) yield `  ${line}\n`;
	}
}

function linesOf(row: ProductValue): string[] {
	const { record, unreadable } = recordOf(row);
	return unreadable === undefined
		? describeRecord(row.kind, record)
		: [plainLine(`cannot be read: ${unreadable}`, 200)];
}

function toJson(row: ProductValue) {
	const { account, kind, digest, fetched_at, used_at, state, validators, value } = row;
	return {
		kind,
		account,
		fetchedAt: timeText(fetched_at),
		usedAt: timeText(used_at),
		state,
		digest,
		bytes: value.length,
		hasValidators: validators !== null,
		...recordOf(row),
	};
}

/** What is damaged says so; the rest of the product can still be shown. */
function recordOf(row: ProductValue): { record?: unknown; unreadable?: string } {
	try {
		if (!row.isWhole) return { unreadable: 'what is known of it is damaged' };
		const record = unpackRow(row);
		return { record: row.kind === 'reviews' ? restoreRecord(record as CondensedRecord) : record };
	} catch (error) {
		return { unreadable: (error as Error).message };
	}
}
