import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isUnusable, openExistingFile, sizeOfStore } from '../../../store/open-database.js';
import {
	ALL_PRODUCTS,
	ENTRY_COLUMNS,
	findProduct,
	isWhole,
	type KeyedRow,
	prepareToRead,
	toRow,
	unpackRow,
} from '../../../store/rows.js';
import { reasonOf } from '../../../text/words.js';
import type { ProductFacts, StoredProduct, StoreFacts } from '../facts.js';

/** What the store has, and what it has of one product. */
export interface StoreContents {
	readonly store: StoreFacts;
	readonly stored: ProductFacts['stored'];
	readonly markedAt: number | undefined;
	/** A product with reviews; `undefined` if there is none. */
	readonly example: string | undefined;
}

/** What to read, and how to name it. */
interface StoreQuestion {
	readonly file: string;
	/** The file, for people. */
	readonly name: string;
	/** `undefined` if the website id is not set. */
	readonly account: string | undefined;
	readonly pid: string | undefined;
}

const NOTHING = { stored: undefined, markedAt: undefined, example: undefined };

/** Reads the store without changing it. */
export function readStore(question: StoreQuestion): StoreContents {
	const { file, name } = question;
	try {
		const database = openExistingFile(file);
		try {
			return readContents(database, question);
		} finally {
			database.close();
		}
	} catch (error) {
		const { code, syscall } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT') return { store: { state: 'missing', name }, ...NOTHING };
		const reason = isUnusable(error) || syscall === undefined ? (error as Error).message : reasonOf(error);
		return { store: { state: 'unusable', name, reason }, ...NOTHING };
	}
}

function readContents(database: DatabaseSync, { file, name, account, pid }: StoreQuestion): StoreContents {
	const scan = scanRows(database, account);
	const stored = pid === undefined || account === undefined ? undefined : readProduct(database, account, pid);
	const own = pid === undefined ? undefined : scan.marks.get(pid);
	const { fetched } = scan;
	const waiting = waitingMarks(scan.marks, fetched);
	const times = [...fetched.values()];
	return {
		stored,
		markedAt: own !== undefined && own > (stored?.fetchedAt ?? Number.NEGATIVE_INFINITY) ? own : undefined,
		example: fetched.keys().next().value,
		store: {
			state: 'open',
			name,
			bytes: sizeOfStore(file),
			products: fetched.size,
			stale: scan.stale,
			others: scan.others,
			damaged: scan.damaged,
			oldest: times.reduce<number | undefined>((least, at) => Math.min(least ?? at, at), undefined),
			newest: times.reduce<number | undefined>((most, at) => Math.max(most ?? at, at), undefined),
			marks: waiting,
			hasSetAside: existsSync(`${file}.set-aside`),
		},
	};
}

/** Marks of products that were not fetched since. */
function waitingMarks(marks: ReadonlyMap<string, number>, fetched: ReadonlyMap<string, number>) {
	const isNewer = (pid: string, at: number) => {
		if (pid === ALL_PRODUCTS) return [...fetched.values()].some((fetchedAt) => fetchedAt < at);
		return (fetched.get(pid) ?? Number.NEGATIVE_INFINITY) < at;
	};
	const waiting = [...marks].filter(([pid, at]) => isNewer(pid, at));
	if (waiting.length === 0) return undefined;
	return {
		products: waiting.length,
		areAll: waiting.some(([pid]) => pid === ALL_PRODUCTS),
		oldest: waiting.reduce((least, [, at]) => Math.min(least, at), Number.POSITIVE_INFINITY),
	};
}

/** Rows of products, counted. Values are not read. */
function scanRows(database: DatabaseSync, account: string | undefined) {
	const fetched = new Map<string, number>();
	const marks = new Map<string, number>();
	let stale = 0;
	let others = 0;
	let damaged = 0;
	const rows = prepareToRead(
		database,
		`SELECT account, kind, pid, ${ENTRY_COLUMNS} FROM entries WHERE kind = 'reviews'
		UNION ALL SELECT account, kind, pid, ${ENTRY_COLUMNS} FROM marks ORDER BY pid`,
	);
	for (const read of rows.iterate()) {
		const row = toRow<KeyedRow>(read);
		if (!isWhole(row, row)) damaged += 1;
		else if (row.kind === 'reviews' && account !== undefined && row.account !== account) others += 1;
		else if (row.kind === 'reviews') {
			fetched.set(row.pid, row.fetched_at);
			if (row.state === 'stale') stale += 1;
		} else if (account === undefined || row.account === account) marks.set(row.pid, row.fetched_at);
	}
	return { fetched, marks, stale, others, damaged };
}

function readProduct(database: DatabaseSync, account: string, pid: string): StoredProduct | undefined {
	const row = findProduct(database, [account], pid).find(({ kind }) => kind === 'reviews');
	if (!row) return undefined;
	const { fetched_at: fetchedAt, state, summary } = row;
	try {
		unpackRow(row);
		const { count = 0, average = 0 } = JSON.parse(summary ?? '{}') as Partial<StoredProduct>;
		return { fetchedAt, state, count, average, isWhole: row.isWhole };
	} catch {
		return { fetchedAt, state, count: 0, average: 0, isWhole: false };
	}
}
