import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { CLOCK_TOLERANCE, type Kind, PRODUCT_KINDS } from './review-cache.js';
import { ENTRY_COLUMNS, inTransaction, isWhole, type KeyedRow, prepareRows, type Row } from './rows.js';

/** Rows of one transaction. A build that writes meanwhile waits for no more than these. */
const BATCH = 200;

/** How many products' reviews were in the other cache, and how many rows of it were not looked at. */
export interface Merged {
	readonly taken: number;
	readonly kept: number;
	readonly ignored: Ignored;
}

/** `unusable` are damaged, or not what this version writes. */
type Ignored = Readonly<Record<'ofOthers' | 'ofFuture' | 'unusable' | 'ofOtherKinds', number>>;

export interface MergeOptions {
	readonly now: number;
	/** With pages come the products that they show. @default everything kept of products */
	readonly kinds?: readonly Kind[];
	/** The only account of which something is taken. @default every account */
	readonly account?: string;
	/** Whether a row is one that this version could have written. @default every row that is whole */
	readonly accepts?: (row: KeyedRow & Row) => boolean;
}

/** Takes what another cache has newer. What is newer here stays. */
export function mergeCache(source: DatabaseSync, target: DatabaseSync, options: MergeOptions): Merged {
	const { now, kinds = PRODUCT_KINDS, account, accepts = () => true } = options;
	const merged = { taken: 0, kept: 0 };
	const ignored = { ofOthers: 0, ofFuture: 0, unusable: 0, ofOtherKinds: 0 };
	const rows = prepareRows(target);
	const all = source.prepare(
		`SELECT account, kind, pid, ${ENTRY_COLUMNS}, codec, value FROM entries
		LEFT JOIN contents USING (account, kind, pid)`,
	);
	inBatches<KeyedRow & Row>(target, all, (row) => {
		const why = whyIgnored(row);
		if (why !== undefined) {
			ignored[why] += 1;
			return;
		}
		const there = rows.entry(row);
		const isTaken = there === undefined || there.fetched_at < row.fetched_at;
		if (isTaken && !(isWhole(row, row) && row.value && accepts(row))) {
			ignored.unusable += 1;
			return;
		}
		if (isTaken) rows.put(row, row, row);
		if (row.kind === 'reviews') merged[isTaken ? 'taken' : 'kept'] += 1;
	});
	if (kinds.includes('page')) takeShown(source, target, account);
	return { ...merged, ignored };

	function whyIgnored(row: KeyedRow): keyof Ignored | undefined {
		if (!kinds.includes(row.kind as Kind)) return 'ofOtherKinds';
		if (account !== undefined && row.account !== account) return 'ofOthers';
		// Our own machine notes when it used a row.
		const latest = account === undefined ? row.fetched_at : Math.max(row.fetched_at, row.used_at);
		return latest > now + CLOCK_TOLERANCE ? 'ofFuture' : undefined;
	}
}

function takeShown(source: DatabaseSync, target: DatabaseSync, only: string | undefined): void {
	const put = target.prepare(
		`INSERT OR IGNORE INTO shown (account, pid, page) SELECT account, ?, pid FROM entries
		WHERE account = ? AND kind = 'page' AND pid = ?`,
	);
	const all = source.prepare('SELECT account, pid, page FROM shown');
	inBatches<{ account: string; pid: unknown; page: unknown }>(target, all, ({ account, pid, page }) => {
		const isOwn = only === undefined || account === only;
		if (isOwn && typeof pid === 'string' && typeof page === 'string') put.run(pid, account, page);
	});
}

function inBatches<Found>(target: DatabaseSync, rows: StatementSync, handle: (row: Found) => void): void {
	const iterator = rows.iterate() as unknown as IteratorObject<Found>;
	let batch: Found[];
	do {
		batch = [];
		while (batch.length < BATCH) {
			const { value, done } = iterator.next();
			if (done) break;
			batch.push(value);
		}
		if (batch.length > 0) inTransaction(target, () => batch.forEach(handle));
	} while (batch.length === BATCH);
}
