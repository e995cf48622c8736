import type { DatabaseSync } from 'node:sqlite';
import { createRowWriter, type WaitingRow } from './row-writer.js';
import { findOwners } from './rows.js';
import { packConfirmed } from './values.js';

/**
 * Marks products as changed, for every account that has them. The answer of the service is believed even if many products
 * have lost their reviews.
 * @param now milliseconds since 1970.
 * @returns products that nobody has.
 */
export function markProducts(database: DatabaseSync, pids: readonly string[], now: number): string[] {
	const ownersOf = findOwners(database);
	const packed = packConfirmed();
	const marks = new Map<string, WaitingRow[]>();
	const unknown: string[] = [];
	for (const pid of pids) {
		const owners = ownersOf(pid);
		if (owners.length === 0) unknown.push(pid);
		for (const account of owners) {
			const rows = marks.get(account) ?? [];
			rows.push({ kind: 'mark', pid, packed, fetchedAt: now, state: 'fetched', validators: undefined });
			marks.set(account, rows);
		}
	}
	for (const [account, rows] of marks) createRowWriter(database, account)({ rows }, now);
	return unknown;
}
