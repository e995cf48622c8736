import type { DatabaseSync } from 'node:sqlite';
import type { Product, Question, Review, ReviewStatus } from './records.js';

/** Bump this with every change to the tables below; a file of another version is rejected, not migrated. */
const SCHEMA_VERSION = 3;

/** Records are stored as JSON in `data`; further columns are for queries only. */
const TABLES = `
CREATE TABLE products (pid TEXT PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE reviews (
	id TEXT PRIMARY KEY, pid TEXT NOT NULL REFERENCES products (pid), data TEXT NOT NULL,
	status TEXT AS (data ->> 'status') STORED, rating REAL AS (data ->> 'rating') STORED,
	published_at TEXT AS (data ->> 'publishedAt') STORED
);
CREATE INDEX reviews_of_product ON reviews (pid, status);
CREATE TABLE questions (id TEXT PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE question_products (
	pid TEXT NOT NULL REFERENCES products (pid), question_id TEXT NOT NULL REFERENCES questions (id),
	PRIMARY KEY (pid, question_id)
);
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** @throws {Error} If the file is not a database, or was written by another version of the sandbox; on a Node before 22.13. */
function openFile(path: string) {
	// An import of what a Node does not have would fail with an error that says nothing of versions.
	const { DatabaseSync: Database } = process.getBuiltinModule?.('node:sqlite') ?? {};
	if (!Database) {
		const needed = `product-reviews-sandbox needs Node 22.13 or later, but this is Node ${process.versions.node}.`;
		throw new Error(`${needed} Install the current LTS version: https://nodejs.org`);
	}
	let sqlite: DatabaseSync | undefined;
	try {
		sqlite = new Database(path);
		const version = sqlite.prepare('PRAGMA user_version').get()?.user_version;
		const tables = sqlite.prepare('SELECT COUNT(*) AS count FROM sqlite_schema').get()?.count;
		const isNew = version === 0 && tables === 0;
		if (!isNew && version !== SCHEMA_VERSION)
			throw new Error(`its tables have version ${version}, this sandbox reads version ${SCHEMA_VERSION}`);
		sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
		if (isNew) sqlite.exec(`BEGIN; ${TABLES} COMMIT`);
		return { sqlite, isNew };
	} catch (cause) {
		sqlite?.close();
		const reason = cause instanceof Error ? cause.message : String(cause);
		const remedy = 'Choose another file or delete it.';
		throw new Error(`The sandbox cannot use the data file "${path}": ${reason}. ${remedy}`, { cause });
	}
}

export interface ProductOverview extends Product {
	readonly publishedCount: number;
	readonly unpublishedCount: number;
	/** Average of the published ratings; 0 if there are none. */
	readonly average: number;
}

const OVERVIEW = `
SELECT products.data AS data, COALESCE(SUM(status = 'published'), 0) AS published,
	COALESCE(SUM(status = 'unpublished'), 0) AS unpublished,
	COALESCE(AVG(CASE WHEN status = 'published' THEN rating END), 0) AS average
FROM products LEFT JOIN reviews ON reviews.pid = products.pid
GROUP BY products.pid ORDER BY products.rowid`;

export interface ReviewFilter {
	readonly pid?: string | undefined;
	readonly status?: ReviewStatus | undefined;
}

export type Database = ReturnType<typeof openDatabase>;

/** Opens the data of a sandbox, in an SQLite file or in memory. */
export function openDatabase(path: string) {
	const { sqlite, isNew } = openFile(path);
	const run = (query: string, ...values: string[]) => void sqlite.prepare(query).run(...values);
	const read = <Stored>(query: string, ...values: string[]) => {
		const rows = sqlite.prepare(query).all(...values);
		return rows.map(({ data }) => JSON.parse(String(data)) as Stored);
	};
	const twoDecimals = (value: unknown) => Math.round(Number(value) * 100) / 100;
	return {
		/** `true` if the tables were just created. */
		isNew,
		close: () => sqlite.close(),
		/** Runs `work` in a transaction, which is rolled back if it throws. Cannot be nested. */
		transaction(work: () => void): void {
			sqlite.exec('BEGIN');
			try {
				work();
				sqlite.exec('COMMIT');
			} catch (error) {
				sqlite.exec('ROLLBACK');
				throw error;
			}
		},
		product: (pid: string) => read<Product>('SELECT data FROM products WHERE pid = ?', pid)[0],
		productWithPicture: (imageUrl: string) =>
			read<Product>("SELECT data FROM products WHERE data ->> 'imageUrl' = ?", imageUrl)[0],
		products(): ProductOverview[] {
			const rows = sqlite.prepare(OVERVIEW).all();
			return rows.map(({ data, published, unpublished, average }) => ({
				...(JSON.parse(String(data)) as Product),
				...{ publishedCount: Number(published), unpublishedCount: Number(unpublished) },
				average: twoDecimals(average),
			}));
		},
		putProduct(product: Product): void {
			const query = 'INSERT INTO products VALUES (?, ?) ON CONFLICT (pid) DO UPDATE SET data = excluded.data';
			run(query, product.pid, JSON.stringify(product));
		},
		touchProduct: (pid: string, changedAt: string) =>
			run("UPDATE products SET data = json_set(data, '$.changedAt', ?) WHERE pid = ?", changedAt, pid),
		review: (id: string) => read<Review>('SELECT data FROM reviews WHERE id = ?', id)[0],
		/** Returns reviews, newest first; reviews without a date come last. */
		reviews({ pid, status }: ReviewFilter = {}): Review[] {
			const conditions = Object.entries({ pid, status }).filter(([, value]) => value !== undefined);
			const where = ['TRUE', ...conditions.map(([column]) => `${column} = ?`)].join(' AND ');
			const query = `SELECT data FROM reviews WHERE ${where} ORDER BY published_at IS NULL, published_at DESC, id`;
			return read<Review>(query, ...conditions.map(([, value]) => String(value)));
		},
		putReview(review: Review): void {
			const query = 'INSERT OR REPLACE INTO reviews (id, pid, data) VALUES (?, ?, ?)';
			run(query, review.id, review.pid, JSON.stringify(review));
		},
		deleteReview: (id: string) => run('DELETE FROM reviews WHERE id = ?', id),
		/**
		 * Counts and averages the published reviews of a product: stars, rounded to two decimals, and 0 without reviews. All
		 * three operations use it, so that they agree.
		 */
		ratings(pid: string) {
			const summary = 'SELECT COUNT(*) AS count, AVG(rating) AS average FROM reviews';
			const row = sqlite.prepare(`${summary} WHERE pid = ? AND status = 'published'`).get(pid);
			return { count: Number(row?.count ?? 0), average: twoDecimals(row?.average ?? 0) };
		},
		questions: (pid: string) =>
			read<Question>(
				`SELECT data FROM questions JOIN question_products ON question_id = id
				WHERE pid = ? ORDER BY data ->> 'askedAt' DESC, id`,
				pid,
			),
		putQuestion(question: Question): void {
			run('INSERT INTO questions VALUES (?, ?)', question.id, JSON.stringify(question));
			for (const pid of question.pids) run('INSERT INTO question_products VALUES (?, ?)', pid, question.id);
		},
	};
}
