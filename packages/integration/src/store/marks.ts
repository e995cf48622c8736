import type { DatabaseSync } from 'node:sqlite';
import { NO_VALUE } from './pack.js';
import { type KeyedRow, proofOf } from './rows.js';

/**
 * The id in a mark of all products. A mark says that a product has changed since it was fetched. If a mark is lost, it may
 * have been any product's, so all of them are marked. No product has this id.
 */
export const ALL_PRODUCTS = '';

/** Whether every mark of any account that was written can be found. */
export function canFindMarks(database: DatabaseSync): boolean {
	return database
		.prepare('PRAGMA integrity_check(marks)')
		.all()
		.every((result) => result['integrity_check'] === 'ok');
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
