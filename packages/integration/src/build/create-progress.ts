import type { Tally } from '../outcomes/tally.js';

/** Minimum time between two lines, in milliseconds. Anything shorter needs no progress. */
const LEAST_PAUSE = 1_000;
/** Lines for the whole prefetch if the output is not a terminal. */
const LINES_WITHOUT_TERMINAL = 10;
/** Time to the first line if the length of the list is unknown, in milliseconds. It doubles with each line. */
const FIRST_LINE_AFTER = 10_000;

/** Reports the progress of a prefetch. Call `tick` about once a second. */
export interface Progress {
	/** The number of products; `undefined` if unknown. */
	total(): number | undefined;
	setTotal(length: number): void;
	/** Call when a request is done. The rate is measured from the first call; before that, from the start. */
	begin(): void;
	tick(tally: Tally): void;
}

/**
 * On a terminal, logs one line for each tick in which something happened. Elsewhere, logs ten lines in total, one for
 * each tenth of the list.
 * @param now milliseconds since 1970.
 */
export function createProgress({
	isTerminal,
	now,
	log,
}: {
	isTerminal: boolean;
	now: () => number;
	log: (line: string) => void;
}): Progress {
	let total: number | undefined;
	let startedAt = now();
	let hasBegun = false;
	let lines = 0;
	let last = { done: 0, requests: 0 };
	let lastAt = startedAt;
	const isDue = (tally: Tally) => {
		// Reading from the store alone is too quick to need progress.
		if (tally.requests === 0 || now() - lastAt < LEAST_PAUSE) return false;
		if (isTerminal) return tally.done > last.done || tally.requests > last.requests;
		if (lines >= LINES_WITHOUT_TERMINAL) return false;
		if (total) return tally.done / total >= (lines + 1) / LINES_WITHOUT_TERMINAL;
		return now() - startedAt >= FIRST_LINE_AFTER * 2 ** lines;
	};
	return {
		total: () => total,
		setTotal(length) {
			total = length;
		},
		begin() {
			if (hasBegun) return;
			hasBegun = true;
			startedAt = now();
		},
		tick(tally) {
			if (!isDue(tally)) return;
			const seconds = Math.max(1, now() - startedAt) / 1_000;
			lines = total ? Math.floor((tally.done / total) * LINES_WITHOUT_TERMINAL) : lines + 1;
			last = { done: tally.done, requests: tally.requests };
			lastAt = now();
			log(line(tally, total, tally.requests / seconds));
		},
	};
}

function line(tally: Tally, total: number | undefined, rate: number): string {
	const { done, fetched, failures } = tally;
	const stored = Math.max(0, done - fetched - failures.length);
	const of = total === undefined ? '' : `/${number(total)}`;
	return `${number(done)}${of} products, ${number(stored)} stored, ${number(failures.length)} failed, ${number(Math.round(rate))} req/s`;
}

function number(value: number): string {
	return value.toLocaleString('en');
}
