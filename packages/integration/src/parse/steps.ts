/**
 * Work that can be paused wherever it yields, and returns its result. The same function serves a build, which does the work
 * in one go, and a server, which does other work in between.
 */
export type Steps<Result> = Generator<void, Result>;

/** Does all the work in one go. */
export function atOnce<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}

/**
 * Does the work in pieces of {@link PIECE} ms, and lets other work run in between.
 * @param length of the text to read, in UTF-16 code units. A short one is read in one go.
 */
export async function inPieces<Result>(steps: Steps<Result>, length: number): Promise<Result> {
	if (length < SHORT) return atOnce(steps);
	let count = 0;
	let pieceSince = performance.now();
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
		count += 1;
		// In some runtimes, the clock stands still during computation.
		if (count % MOST_STEPS !== 0 && performance.now() - pieceSince < PIECE) continue;
		await new Promise((resolve) => setTimeout(resolve));
		pieceSince = performance.now();
	}
}

/** Anything shorter than this is read quickly. In UTF-16 code units. */
const SHORT = 32_768;

/** How long one piece may block other work, in milliseconds. */
const PIECE = 20;
/** Most steps in one piece. */
const MOST_STEPS = 500;
