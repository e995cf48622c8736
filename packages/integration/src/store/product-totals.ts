import type { DatabaseSync } from 'node:sqlite';
import { RESOURCES } from './product-kinds.js';

/** What a store has of products, of all accounts. */
export interface ProductTotals {
	readonly products: number;
	/** Values of products: a product has one or two. */
	readonly values: number;
	/** How many of the values are review data. */
	readonly reviewData: number;
	readonly stale: number;
	/** Of all compressed values. */
	readonly bytes: number;
}

/** Counts everything that {@link productRows} gives. */
export function productTotals(database: DatabaseSync): ProductTotals {
	return database
		.prepare(
			`SELECT count(*) AS "values", count(*) FILTER (WHERE kind = 'review-data') AS reviewData,
				count(*) FILTER (WHERE state = 'stale') AS stale, coalesce(sum(length(value)), 0) AS bytes,
				(SELECT count(*) FROM (SELECT DISTINCT account, pid FROM entries WHERE kind IN (${LIST}))) AS products
			FROM entries LEFT JOIN contents USING (account, kind, pid) WHERE kind IN (${LIST})`,
		)
		.get() as unknown as ProductTotals;
}

const LIST = RESOURCES.map((kind) => `'${kind}'`).join(', ');
