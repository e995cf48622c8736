import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../../errors.js';
import { type CondensedRecord, restoreRecord } from '../../parse/condense-record.js';
import { findAccounts, findProduct, type ProductValue } from '../../store/queries.js';
import { unpackRow } from '../../store/rows.js';
import { plainLine, printableJson } from '../../text/clean-text.js';
import { ago, isoTime, nameProduct, size } from '../../text/words.js';
import { accountName, describeRecord } from './describe-record.js';
import { LIST_THEM } from './trim-store.js';

/**
 * Prints everything that a store has of a product.
 * @param now milliseconds since 1970.
 * @throws CommandError if the store has nothing of it.
 */
export function* showProduct(
	database: DatabaseSync,
	pid: string,
	{ json, now }: { readonly json: boolean; readonly now: number },
): Iterable<string> {
	const accounts = findAccounts(database);
	const rows = findProduct(database, accounts, pid);
	if (rows.length === 0) {
		throw new CommandError(
			'PR_NOT_STORED',
			`The product ${nameProduct(pid)} is not in the store.`,
			LIST_THEM,
		);
	}
	if (json) {
		yield `${printableJson({ pid, kept: rows.map(toJson) }, '\t')}\n`;
		return;
	}
	yield `Product ${nameProduct(pid)}\n`;
	for (const row of rows) {
		const { account, kind, digest, fetched_at, used_at, state, validators, value } = row;
		const when = (time: number) => `${isoTime(time)} (${ago(now - time)})`;
		yield `\n${kind}${accounts.length > 1 ? `, account ${accountName(account).trimEnd()}` : ''}\n`;
		yield `  ${kind === 'mark' || kind === 'rating' ? 'written   ' : 'fetched   '}  ${when(fetched_at)}\n`;
		yield `  used        ${when(used_at)}\n`;
		yield `  state       ${plainLine(state, 20)}\n`;
		yield `  digest      ${plainLine(digest, 60)}\n`;
		yield `  size        ${size(value.length)} compressed\n`;
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
		fetchedAt: isoTime(fetched_at),
		usedAt: isoTime(used_at),
		state,
		digest,
		bytes: value.length,
		hasValidators: validators !== null,
		...recordOf(row),
	};
}

/** A damaged value is reported as unreadable; the rest of the product can still be shown. */
function recordOf(row: ProductValue): { record?: unknown; unreadable?: string } {
	try {
		if (!row.isWhole) return { unreadable: 'its entry is damaged' };
		// A rating is in what is known of the row.
		if (row.kind === 'rating') return { record: JSON.parse(row.summary ?? '') };
		const record = unpackRow(row);
		return { record: row.kind === 'reviews' ? restoreRecord(record as CondensedRecord) : record };
	} catch (error) {
		return { unreadable: (error as Error).message };
	}
}
