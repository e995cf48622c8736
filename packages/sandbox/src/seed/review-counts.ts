import type { Random } from './random.js';

/** Products with a fixed number of reviews that tests and demos can rely on. */
const FIXED: Readonly<Record<string, number>> = {
	'p-17': 0,
	'p-29': 0,
	'p-37': 0,
	'p-46': 0,
	'p-59': 0,
	'p-33': 300,
	'p-49': 4,
};

/** The product whose reviews are all unpublished. */
export const UNPUBLISHED_ONLY = 'p-49';

/** Number of reviews of a seeded product: 1 to 40, more often few than many, except for the fixed ones. */
export function reviewCount(pid: string, random: Random): number {
	return FIXED[pid] ?? 1 + Math.floor(random.next() ** 1.6 * 40);
}
