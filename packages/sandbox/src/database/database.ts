import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Product, Question, Review, ReviewDetails, ReviewStatus } from '../records.js';

/** Runs `work` in a transaction, which is rolled back if it throws. Cannot be nested. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
	database.exec('BEGIN');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		database.exec('ROLLBACK');
		throw error;
	}
}

/** Count and average over the published reviews of one product. */
export interface RatingSummary {
	readonly count: number;
	/** Stars, rounded to two decimals; 0 if there are no reviews. */
	readonly average: number;
}

/** Summarizes the published reviews of a product. All three operations use it, so that they agree. */
export function ratingSummary(database: DatabaseSync, pid: string): RatingSummary {
	const row = database
		.prepare(
			"SELECT COUNT(*) AS count, AVG(rating) AS average FROM reviews WHERE pid = ? AND status = 'published'",
		)
		.get(pid);
	return { count: Number(row?.count ?? 0), average: Math.round(Number(row?.average ?? 0) * 100) / 100 };
}

/** A product with its review counts. */
export interface ProductOverview extends Product {
	readonly publishedCount: number;
	readonly unpublishedCount: number;
	/** Average of the published ratings; 0 if there are none. */
	readonly average: number;
}

/** The table of products. */
export const products = {
	find(database: DatabaseSync, pid: string): Product | undefined {
		const row = database.prepare('SELECT * FROM products WHERE pid = ?').get(pid);
		return row && toProduct(row);
	},

	/** Finds the product with this picture URL. */
	findByPicture(database: DatabaseSync, imageUrl: string): Product | undefined {
		const row = database.prepare('SELECT * FROM products WHERE image_url = ?').get(imageUrl);
		return row && toProduct(row);
	},

	/** All products, in the order they were added. */
	list(database: DatabaseSync): ProductOverview[] {
		const rows = database.prepare(LIST).all();
		return rows.map((row) => ({
			...toProduct(row),
			publishedCount: Number(row.published),
			unpublishedCount: Number(row.unpublished),
			average: Math.round(Number(row.average) * 100) / 100,
		}));
	},

	/** Adds a product, or replaces the one with the same id. */
	put(database: DatabaseSync, product: Product): void {
		const { pid, name, category, url, imageUrl, changedAt } = product;
		database.prepare(PUT).run(pid, name, category, url, imageUrl, changedAt);
	},

	/** Records that something about the product changed. */
	touch(database: DatabaseSync, pid: string, changedAt: string): void {
		database.prepare('UPDATE products SET changed_at = ? WHERE pid = ?').run(changedAt, pid);
	},
};

const LIST = `
SELECT products.*, COALESCE(SUM(reviews.status = 'published'), 0) AS published,
	COALESCE(SUM(reviews.status = 'unpublished'), 0) AS unpublished,
	COALESCE(AVG(CASE WHEN reviews.status = 'published' THEN reviews.rating END), 0) AS average
FROM products LEFT JOIN reviews ON reviews.pid = products.pid
GROUP BY products.pid ORDER BY products.rowid`;

const PUT = `
INSERT INTO products (pid, name, category, url, image_url, changed_at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (pid) DO UPDATE SET name = excluded.name, category = excluded.category, url = excluded.url,
	image_url = excluded.image_url, changed_at = excluded.changed_at`;

function toProduct(row: Record<string, SQLOutputValue>): Product {
	return {
		pid: String(row.pid),
		name: String(row.name),
		category: String(row.category),
		url: row.url === null ? null : String(row.url),
		imageUrl: String(row.image_url),
		changedAt: String(row.changed_at),
	};
}

/** The table of questions and the products that they are about. */
export const questions = {
	/** The questions about a product, newest first. */
	list(database: DatabaseSync, pid: string): Question[] {
		const productsOf = database.prepare(
			'SELECT pid FROM question_products WHERE question_id = ? ORDER BY rowid',
		);
		return database
			.prepare(LIST_QUESTIONS)
			.all(pid)
			.map((row) =>
				toQuestion(
					row,
					productsOf.all(String(row.id)).map((product) => String(product.pid)),
				),
			);
	},

	count(database: DatabaseSync, pid: string): number {
		const row = database.prepare('SELECT COUNT(*) AS count FROM question_products WHERE pid = ?').get(pid);
		return Number(row?.count ?? 0);
	},

	/** Adds a question. */
	put(database: DatabaseSync, question: Question): void {
		const { id, pids, answer, author, askedAt, answeredAt } = question;
		database
			.prepare('INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?)')
			.run(id, question.question, answer, author, askedAt, answeredAt);
		const link = database.prepare('INSERT INTO question_products (pid, question_id) VALUES (?, ?)');
		for (const pid of new Set(pids)) link.run(pid, id);
	},
};

const LIST_QUESTIONS = `
SELECT questions.* FROM questions JOIN question_products ON question_products.question_id = questions.id
WHERE question_products.pid = ? ORDER BY asked_at DESC, id`;

function toQuestion(row: Record<string, SQLOutputValue>, pids: string[]): Question {
	return {
		id: String(row.id),
		pids,
		question: String(row.question),
		answer: String(row.answer),
		author: String(row.author),
		askedAt: String(row.asked_at),
		answeredAt: row.answered_at === null ? null : String(row.answered_at),
	};
}

/** Which reviews to list; an empty filter lists all of them. */
export interface ReviewFilter {
	readonly pid?: string;
	readonly status?: ReviewStatus;
}

/** The table of reviews. */
export const reviews = {
	find(database: DatabaseSync, id: string): Review | undefined {
		const row = database.prepare('SELECT * FROM reviews WHERE id = ?').get(id);
		return row && toReview(row);
	},

	/** Lists reviews, newest first; those without a date come last. */
	list(database: DatabaseSync, filter: ReviewFilter = {}): Review[] {
		const conditions = ['TRUE'];
		const values: string[] = [];
		if (filter.pid !== undefined) {
			conditions.push('pid = ?');
			values.push(filter.pid);
		}
		if (filter.status !== undefined) {
			conditions.push('status = ?');
			values.push(filter.status);
		}
		const query = `SELECT * FROM reviews WHERE ${conditions.join(' AND ')} ${ORDER}`;
		return database
			.prepare(query)
			.all(...values)
			.map(toReview);
	},

	/** Adds a review, or replaces the one with the same id. */
	put(database: DatabaseSync, review: Review): void {
		const { id, pid, status, rating, title, body, author, publishedAt, updatedAt, details } = review;
		database
			.prepare('INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
			.run(id, pid, status, rating, title, body, author, publishedAt, updatedAt, JSON.stringify(details));
	},

	delete(database: DatabaseSync, id: string): void {
		database.prepare('DELETE FROM reviews WHERE id = ?').run(id);
	},
};

const ORDER = 'ORDER BY published_at IS NULL, published_at DESC, id';

function toReview(row: Record<string, SQLOutputValue>): Review {
	return {
		id: String(row.id),
		pid: String(row.pid),
		status: row.status === 'published' ? 'published' : 'unpublished',
		rating: Number(row.rating),
		title: String(row.title),
		body: String(row.body),
		author: String(row.author),
		publishedAt: row.published_at === null ? null : String(row.published_at),
		updatedAt: String(row.updated_at),
		details: JSON.parse(String(row.details)) as ReviewDetails,
	};
}

/** Generated access tokens. They do not expire. */
export const tokens = {
	/** Creates and stores a new random token. */
	generate(database: DatabaseSync, createdAt: string): string {
		const token = `sbx_${randomBytes(24).toString('base64url')}`;
		database.prepare('INSERT INTO tokens VALUES (?, ?)').run(token, createdAt);
		return token;
	},

	has(database: DatabaseSync, token: string): boolean {
		return database.prepare('SELECT 1 FROM tokens WHERE token = ?').get(token) !== undefined;
	},
};
