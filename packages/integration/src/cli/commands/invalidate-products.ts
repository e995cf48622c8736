import type { DatabaseSync } from 'node:sqlite';
import { markProducts } from '../../store/mark-products.js';
import { findProducts } from '../../store/queries.js';
import { mendMarks } from '../../store/row-upkeep.js';
import { printableJson } from '../../text/clean-text.js';
import { count, nameProducts } from '../../text/words.js';

/**
 * Marks products as changed, for every account that has them. The next build asks the service for them again, and so does
 * a running dev server when a page next shows them. The answer is believed even if many products have lost their reviews.
 * @param given product ids; `'all'` means every stored product.
 * @param now milliseconds since 1970.
 */
export function* invalidateProducts(
	database: DatabaseSync,
	given: readonly string[] | 'all',
	{ json, now }: { readonly json: boolean; readonly now: number },
): Iterable<string> {
	// A damaged mark would be replaced unnoticed.
	const { areAllMarked } = mendMarks(database, now);
	const pids = given === 'all' ? findProducts(database) : given;
	const unknown = markProducts(database, pids, now);
	if (json) {
		const missing = new Set(unknown);
		yield `${printableJson({ marked: pids.filter((pid) => !missing.has(pid)), unknown })}\n`;
		return;
	}
	if (areAllMarked)
		yield 'The store was damaged, and may have lost which products have changed. The next build asks the service for all of them.\n';
	const marked = pids.length - unknown.length;
	if (marked > 0)
		yield `Marked ${count(marked, 'product')}. The next build asks the service again, and "astro dev" on the next visit.\n`;
	if (pids.length === 0) yield 'The store has no product to mark.\n';
	if (unknown.length > 0)
		yield `Not in the store, and fetched by the next build anyway: ${nameProducts(unknown)}.\n`;
}
