import { createHash } from 'node:crypto';

export interface Random extends ReturnType<typeof createRandom> {}

/**
 * Creates a generator: mulberry32, with 32 bits of state, which is good enough for texts and faults.
 * @param seed a number, or a text for which it is always the same.
 */
export function createRandom(seed: number | string) {
	const isText = typeof seed === 'string';
	let state = isText ? createHash('sha256').update(seed).digest().readUInt32LE() : seed >>> 0;
	/** At least 0, below 1. */
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	/** A whole number from `from` to `to`, inclusive. */
	const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
	return {
		next,
		between,
		/** True with this probability, 0 to 1. */
		chance: (probability: number) => next() < probability,
		pick<Item>(items: readonly Item[]): Item {
			const item = items[between(0, items.length - 1)];
			if (item === undefined) throw new RangeError('The list is empty.');
			return item;
		},
		shuffle<Item>(items: readonly Item[]): Item[] {
			const dealt = items.map((item) => ({ item, order: next() }));
			return dealt.sort((a, b) => a.order - b.order).map(({ item }) => item);
		},
	};
}

const FIRST = Date.UTC(2024, 0, 1);
const LAST = Date.UTC(2026, 9, 31, 23, 59, 59);
const HOUR = 3_600_000;

/** A publication date between 2024-01-01 and 2026-10-31 in UTC, and an update up to two days later. */
export function seedDates(random: Random) {
	const publishedAt = FIRST + Math.floor((random.next() * (LAST - FIRST)) / 1_000) * 1_000;
	const updatedAt = Math.min(LAST, publishedAt + random.between(0, 48) * HOUR);
	return { publishedAt: new Date(publishedAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}

/** A stable id of 24 hexadecimal digits for a record. */
export function seedId(kind: 'review' | 'question', pid: string, index: number): string {
	return createHash('sha256').update(`${kind}\0${pid}\0${index}`).digest('hex').slice(0, 24);
}
