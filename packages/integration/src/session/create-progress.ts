import { answersIn, failuresIn } from '../outcomes/outcomes.js';
import type { OpenReviews } from './open-reviews.js';

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
	/** How many of them are done. */
	done(): number;
	setDone(products: number): void;
	/** Call when one more is done. */
	addDone(): void;
	/** Call when a request is done. The rate is measured from the first call; before that, from the start. */
	begin(): void;
	tick(soFar: Pick<OpenReviews, 'outcomes' | 'requests'>): void;
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
	let done = 0;
	let startedAt = now();
	let hasBegun = false;
	let lines = 0;
	let last = { done: 0, requests: 0 };
	let lastAt = startedAt;
	const isDue = (requests: number) => {
		// Reading from the store alone is too quick to need progress.
		if (requests === 0 || now() - lastAt < LEAST_PAUSE) return false;
		if (isTerminal) return done > last.done || requests > last.requests;
		if (lines >= LINES_WITHOUT_TERMINAL) return false;
		if (total) return done / total >= (lines + 1) / LINES_WITHOUT_TERMINAL;
		return now() - startedAt >= FIRST_LINE_AFTER * 2 ** lines;
	};
	return {
		total: () => total,
		setTotal(length) {
			total = length;
		},
		done: () => done,
		setDone(products) {
			done = products;
		},
		addDone() {
			done += 1;
		},
		begin() {
			if (hasBegun) return;
			hasBegun = true;
			startedAt = now();
		},
		tick({ outcomes, requests }) {
			const sent = requests.total();
			if (!isDue(sent)) return;
			const seconds = Math.max(1, now() - startedAt) / 1_000;
			lines = total ? Math.floor((done / total) * LINES_WITHOUT_TERMINAL) : lines + 1;
			last = { done, requests: sent };
			lastAt = now();
			const failed = failuresIn(outcomes).length;
			const stored = Math.max(0, done - answersIn(outcomes) - failed);
			const of = total === undefined ? '' : `/${number(total)}`;
			log(
				`${number(done)}${of} products, ${number(stored)} stored, ${number(failed)} failed, ${number(Math.round(sent / seconds))} req/s`,
			);
		},
	};
}

function number(value: number): string {
	return value.toLocaleString('en');
}
