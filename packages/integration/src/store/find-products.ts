import type { DatabaseSync } from 'node:sqlite';
import { SENT_KINDS } from './product-kinds.js';

/** Every product of which some account has something that the service sent. */
export function findProducts(database: DatabaseSync): string[] {
	const kinds = SENT_KINDS.map((kind) => `'${kind}'`).join(', ');
	const rows = database
		.prepare(`SELECT DISTINCT pid FROM entries WHERE kind IN (${kinds}) ORDER BY pid`)
		.all();
	return rows.map((row) => String(row['pid']));
}
