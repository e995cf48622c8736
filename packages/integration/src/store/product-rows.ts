import type { DatabaseSync } from 'node:sqlite';
import { RESOURCES } from './product-kinds.js';
import type { Resource, State } from './review-store.js';

/** What is known of a stored product without reading its value. */
export interface ProductRow {
	readonly account: string;
	readonly kind: Resource;
	readonly pid: string;
	readonly state: State;
	/** Milliseconds since 1970. */
	readonly fetched_at: number;
	/** Of the compressed value. */
	readonly bytes: number;
}

/** Rows that are read at once. A read that lasted as long as somebody pages through it would hold up builds. */
const BATCH = 500;

const COLUMNS = `SELECT entries.account, entries.kind, entries.pid, state, fetched_at, coalesce(length(value), 0) AS bytes
	FROM entries LEFT JOIN contents USING (account, kind, pid)
	WHERE entries.account = ? AND entries.kind = ?`;

/** Every stored value of the products of these accounts: by account, kind and product id. No value is read. */
export function* productRows(
	database: DatabaseSync,
	accounts: readonly string[],
	most = Number.POSITIVE_INFINITY,
): Iterable<ProductRow> {
	const first = database.prepare(`${COLUMNS} ORDER BY entries.pid LIMIT ?`);
	const next = database.prepare(`${COLUMNS} AND entries.pid > ? ORDER BY entries.pid LIMIT ?`);
	let left = most;
	for (const account of accounts) {
		for (const kind of RESOURCES) {
			let last: string | undefined;
			while (left > 0) {
				const size = Math.min(BATCH, left);
				const rows = (last === undefined
					? first.all(account, kind, size)
					: next.all(account, kind, last, size)) as unknown as ProductRow[];
				yield* rows;
				left -= rows.length;
				last = rows.at(-1)?.pid;
				if (rows.length < size) break;
			}
		}
	}
}
