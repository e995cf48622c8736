import type { DatabaseSync } from 'node:sqlite';
import { packConfirmed } from '../store/confirmed.js';
import { findOwners } from '../store/find-owners.js';
import { findProducts } from '../store/find-products.js';
import { createRowWriter, type WaitingRow } from '../store/row-writer.js';
import { countText } from '../text/amounts.js';
import { nameProducts } from '../text/name-products.js';
import { jsonText } from './json-text.js';

/**
 * Marks products as changed, for every account that has them: the next build asks the service for them again, and a dev
 * server that runs when a page shows them next. What the service says then is believed, also where many products have no
 * reviews any more.
 * @param pids `'all'`: every product that is stored.
 * @param now milliseconds since 1970.
 */
export function* invalidateProducts(
	database: DatabaseSync,
	given: readonly string[] | 'all',
	{ json, now }: { readonly json: boolean; readonly now: number },
): Iterable<string> {
	const pids = given === 'all' ? findProducts(database) : given;
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
	for (const [account, rows] of marks) createRowWriter(database, account)(rows, [], now);
	if (json) {
		const missing = new Set(unknown);
		yield `${jsonText({ marked: pids.filter((pid) => !missing.has(pid)), unknown })}\n`;
		return;
	}
	const marked = pids.length - unknown.length;
	if (marked > 0)
		yield `Marked ${countText(marked, 'product')}: the next build asks the service again, and "astro dev" on the next visit.\n`;
	if (pids.length === 0) yield 'The store has no product to mark.\n';
	if (unknown.length > 0) {
		const them = unknown.length === 1 ? 'it is' : 'they are';
		yield `Not in the store, so ${them} fetched by the next build anyway: ${nameProducts(unknown)}.\n`;
	}
}
