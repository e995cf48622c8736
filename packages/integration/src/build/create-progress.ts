import type { Tally } from '../outcomes/tally.js';

/** Time between two lines, in milliseconds: what is done sooner needs no progress. */
const LEAST_PAUSE = 1_000;
/** Lines of a log that nobody watches, over the whole prefetch. */
const LINES_WITHOUT_TERMINAL = 10;
/** Time to the first line where the length of the list is not known, in milliseconds; it doubles with each line. */
const FIRST_LINE_AFTER = 10_000;

/** Reports the progress of a prefetch. Call `tick` about once a second. */
export interface Progress {
	/** How many products there will be. */
	total: number | undefined;
	/** The rate counts from here: when the first request is done. Before, it counts from the start. */
	begin(): void;
	tick(): void;
}

/**
 * On a terminal one line a tick in which something happened; elsewhere ten lines in all, at each tenth of the list.
 * @param now milliseconds since 1970.
 */
export function createProgress(
	tally: Tally,
	{ isTerminal, now, log }: { isTerminal: boolean; now: () => number; log: (line: string) => void },
): Progress {
	let startedAt = now();
	let lines = 0;
	let last = { done: 0, requests: 0 };
	let lastAt = startedAt;
	const isDue = (total: number | undefined) => {
		// Reading the store is quick: there is nothing to watch.
		if (tally.requests === 0 || now() - lastAt < LEAST_PAUSE) return false;
		if (isTerminal) return tally.done > last.done || tally.requests > last.requests;
		if (lines >= LINES_WITHOUT_TERMINAL) return false;
		if (total) return tally.done / total >= (lines + 1) / LINES_WITHOUT_TERMINAL;
		return now() - startedAt >= FIRST_LINE_AFTER * 2 ** lines;
	};
	return {
		total: undefined,
		begin() {
			startedAt = now();
		},
		tick() {
			if (!isDue(this.total)) return;
			const seconds = Math.max(1, now() - startedAt) / 1_000;
			lines = this.total ? Math.floor((tally.done / this.total) * LINES_WITHOUT_TERMINAL) : lines + 1;
			last = { done: tally.done, requests: tally.requests };
			lastAt = now();
			log(line(tally, this.total, tally.requests / seconds));
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
