import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Product } from '../records.js';

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
