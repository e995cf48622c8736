import type { DatabaseSync } from 'node:sqlite';
import { NO_VALUE } from './pack.js';
import { SENT_KINDS } from './review-store.js';
import { ENTRY_COLUMNS, isWhole, type KeyedRow, prepareToRead, proofOf, type RowKey, toRow } from './rows.js';

/**
 * The id in a mark of all products. A mark says that a product has changed since it was fetched. If a mark is lost, it may
 * have been any product's, so all of them are marked. No product has this id.
 */
export const ALL_PRODUCTS = '';

/** Kinds of rows that may be lost: what they hold is fetched or written again. */
const OTHER_KINDS: readonly string[] = [...SENT_KINDS, 'page'];

/** Whether a damaged row may have been a mark. Its kind may be what is damaged. */
export function mayBeMark({ kind }: Pick<RowKey, 'kind'>): boolean {
	return !OTHER_KINDS.includes(kind);
}

/**
 * Whether a mark of any account may be lost: one is damaged, or pages of the file are, which may hide rows. This takes
 * 0.2 s for 100,000 products.
 */
export function mayLackMarks(database: DatabaseSync): boolean {
	const [found] = database.prepare('PRAGMA integrity_check(entries)').all();
	if (found?.['integrity_check'] !== 'ok') return true;
	const kinds = OTHER_KINDS.map((kind) => `'${kind}'`).join(', ');
	const marks = prepareToRead(
		database,
		`SELECT account, kind, pid, ${ENTRY_COLUMNS} FROM entries WHERE kind NOT IN (${kinds})`,
	);
	for (const read of marks.iterate()) {
		const row = toRow<KeyedRow>(read);
		if (!isWhole(row, row)) return true;
	}
	return false;
}

/** A mark of all products of an account. @param now milliseconds since 1970. */
export function markOfAll(account: string, now: number): KeyedRow {
	const key = { account, kind: 'mark', pid: ALL_PRODUCTS };
	const row = {
		digest: NO_VALUE.digest,
		fetched_at: now,
		used_at: now,
		state: 'fetched',
		validators: null,
		summary: null,
	} as const;
	return { ...key, ...row, proof: proofOf(key, row) };
}
