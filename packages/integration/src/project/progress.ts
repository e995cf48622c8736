import { amount } from '../base/words.js';
import { answersIn, failuresIn } from '../reviews/results.js';
import type { OpenReviews } from './open-reviews.js';

/** Minimum time between two lines, in milliseconds. Anything shorter needs no progress. */
const LEAST_PAUSE = 1_000;
/** Lines for the whole prefetch if the output is not a terminal. */
const LINES_WITHOUT_TERMINAL = 10;
/** Time to the first line if the length of the list is unknown, in milliseconds. It doubles with each line. */
const FIRST_LINE_AFTER = 10_000;

/**
 * Reports the progress of a prefetch: on a terminal, one line for each tick in which something happened; elsewhere, ten
 * lines in total, one for each tenth of the list.
 */
export class Progress {
	total: number | undefined;
	done = 0;
	readonly #isTerminal: boolean;
	readonly #now: () => number;
	readonly #log: (line: string) => void;
	#startedAt: number;
	#hasBegun = false;
	#lines = 0;
	#last: { readonly done: number; readonly requests: number; readonly at: number };

	constructor(isTerminal: boolean, log: (line: string) => void, now: () => number = Date.now) {
		this.#isTerminal = isTerminal;
		this.#log = log;
		this.#now = now;
		this.#startedAt = now();
		this.#last = { done: 0, requests: 0, at: this.#startedAt };
	}

	/** Call when a request is done. The rate is measured from the first call; before that, from the start. */
	begin(): void {
		if (!this.#hasBegun) this.#startedAt = this.#now();
		this.#hasBegun = true;
	}

	/** Logs a line if one is due. Call about once a second. */
	tick({ outcomes, requests }: Pick<OpenReviews, 'outcomes' | 'requests'>): void {
		const { done, total } = this;
		const sent = requests.totals.total;
		const now = this.#now();
		if (!this.#isDue(sent, now)) return;
		const seconds = Math.max(1, now - this.#startedAt) / 1_000;
		this.#lines = total ? Math.floor((done / total) * LINES_WITHOUT_TERMINAL) : this.#lines + 1;
		this.#last = { done, requests: sent, at: now };
		const failed = failuresIn(outcomes).length;
		const stored = Math.max(0, done - answersIn(outcomes) - failed);
		const of = total === undefined ? '' : `/${amount(total)}`;
		this.#log(
			`${amount(done)}${of} products, ${amount(stored)} stored, ${amount(failed)} failed, ${amount(Math.round(sent / seconds))} req/s`,
		);
	}

	#isDue(requests: number, now: number): boolean {
		// Reading from the cache alone is too quick to need progress.
		if (requests === 0 || now - this.#last.at < LEAST_PAUSE) return false;
		if (this.#isTerminal) return this.done > this.#last.done || requests > this.#last.requests;
		if (this.#lines >= LINES_WITHOUT_TERMINAL) return false;
		if (this.total) return this.done / this.total >= (this.#lines + 1) / LINES_WITHOUT_TERMINAL;
		return now - this.#startedAt >= FIRST_LINE_AFTER * 2 ** this.#lines;
	}
}
