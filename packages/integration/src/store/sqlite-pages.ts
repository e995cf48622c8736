import { ProductReviewsError } from '../errors.js';
import type { GuardedFile } from './guarded-file.js';
import { unpack } from './pack.js';
import type { PageTable } from './review-store.js';
import { USE_PRECISION } from './sqlite-table.js';
import type { WriteBuffer } from './write-buffer.js';

/** What is known of each page: in the file, and waiting to be written. @param now milliseconds since 1970 */
export function createSqlitePages<Value>(
	guarded: GuardedFile,
	buffer: WriteBuffer,
	now: () => number,
): PageTable<Value> {
	return {
		get(name) {
			const waiting = buffer.rowOf('page', name);
			if (waiting) return unpack<Value>(waiting.packed);
			return guarded.attempt('read', (file) => {
				const row = file.find<Value>('page', name);
				// Pages of Astro's cache are not put again, but they are still there.
				if (row && now() - row.used_at > USE_PRECISION) buffer.change({ kind: 'page', pid: name });
				return row?.value;
			});
		},
		put(name, packed, pids) {
			if (!guarded.isOpen) return;
			buffer.put({
				kind: 'page',
				pid: name,
				packed,
				fetchedAt: now(),
				state: 'fetched',
				validators: undefined,
				shows: pids,
			});
		},
		showing(pids) {
			buffer.flush();
			return found(guarded.attempt('read', (file) => file.findPages(pids)));
		},
		products() {
			buffer.flush();
			return found(guarded.attempt('read', (file) => file.findShown()));
		},
		keepOnly(names) {
			buffer.flush();
			guarded.attempt('written', (file) => {
				const others = file.findPids('page').filter((name) => !names.has(name));
				if (others.length > 0) file.deletePages(others);
			});
		},
	};
}

function found<Found>(read: Found | undefined): Found {
	if (read !== undefined) return read;
	throw new ProductReviewsError(
		'PR_STORE_UNUSABLE',
		'The store cannot say which pages show which products.',
		'Build again.',
	);
}
