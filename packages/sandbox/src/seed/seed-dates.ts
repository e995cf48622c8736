import type { Random } from './random.js';

const FIRST = Date.UTC(2024, 0, 1);
const LAST = Date.UTC(2026, 9, 31, 23, 59, 59);
const HOUR = 3_600_000;

/** A publication date between 2024-01-01 and 2026-10-31 in UTC, and an update up to two days later. */
export function seedDates(random: Random): { readonly publishedAt: string; readonly updatedAt: string } {
	const publishedAt = FIRST + Math.floor((random.next() * (LAST - FIRST)) / 1_000) * 1_000;
	const updatedAt = Math.min(LAST, publishedAt + random.between(0, 48) * HOUR);
	return { publishedAt: new Date(publishedAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}
