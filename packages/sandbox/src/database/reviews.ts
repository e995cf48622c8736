import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Review, ReviewDetails, ReviewStatus } from '../records.js';

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
