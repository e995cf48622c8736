import type { DatabaseSync } from 'node:sqlite';
import { NO_VALUE } from './pack.js';
import { ENTRY_COLUMNS, isWhole, type KeyedRow, prepareToRead, proofOf, toRow } from './rows.js';

/**
 * The id in a mark of all products. A mark says that a product has changed since it was fetched. If a mark is lost, it may
 * have been any product's, so all of them are marked. No product has this id.
 */
export const ALL_PRODUCTS = '';

/** Whether all marks of any account are there and whole. */
export function areMarksWhole(database: DatabaseSync): boolean {
	const problems = database.prepare('PRAGMA integrity_check(marks)').all();
	if (problems.some((problem) => problem['integrity_check'] !== 'ok')) return false;
	const marks = prepareToRead(database, `SELECT account, kind, pid, ${ENTRY_COLUMNS} FROM marks`);
	for (const read of marks.iterate()) {
		const row = toRow<KeyedRow>(read);
		if (row.kind !== 'mark' || !isWhole(row, row)) return false;
	}
	return true;
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
