import type { Tally } from './tally.js';

/** Lines of a log that nobody watches, over the whole prefetch. */
const LINES_WITHOUT_TERMINAL = 10;
/** Time to the first line where the length of the list is not known, in milliseconds; it doubles with each line. */
const FIRST_LINE_AFTER = 10_000;

/** Reports the progress of a prefetch. Call `tick` about once a second. */
export interface Progress {
	/** How many products there will be. */
	total: number | undefined;
	tick(): void;
}

/**
 * On a terminal one line a tick; elsewhere ten lines in all, at each tenth of the list.
 * @param now milliseconds since 1970.
 */
export function createProgress(
	tally: Tally,
	{ isTerminal, now, log }: { isTerminal: boolean; now: () => number; log: (line: string) => void },
): Progress {
	const startedAt = now();
	let lines = 0;
	let last = { at: startedAt, requests: 0 };
	const isDue = (total: number | undefined) => {
		if (tally.done === 0 && tally.requests === 0) return false;
		if (isTerminal) return true;
		if (lines >= LINES_WITHOUT_TERMINAL) return false;
		if (total) return tally.done / total >= (lines + 1) / LINES_WITHOUT_TERMINAL;
		return now() - startedAt >= FIRST_LINE_AFTER * 2 ** lines;
	};
	return {
		total: undefined,
		tick() {
			if (!isDue(this.total)) return;
			const seconds = (now() - last.at) / 1_000;
			const rate = seconds > 0 ? (tally.requests - last.requests) / seconds : 0;
			last = { at: now(), requests: tally.requests };
			lines = this.total ? Math.floor((tally.done / this.total) * LINES_WITHOUT_TERMINAL) : lines + 1;
			log(line(tally, this.total, rate));
		},
	};
}

function line(tally: Tally, total: number | undefined, rate: number): string {
	const { done, fetched, failures } = tally;
	const stored = Math.max(0, done - fetched - failures.length);
	const of = total === undefined ? '' : `/${number(total)}`;
	return `${number(done)}${of} products, ${number(stored)} stored, ${number(failures.length)} failed, ${number(Math.round(rate))}/s`;
}

function number(value: number): string {
	return value.toLocaleString('en');
}
