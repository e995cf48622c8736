/**
 * Work that can be put down between its steps: `yield` is where. What it returns is its result. One function so serves a
 * build, which does the work at once, and a server, in which others have a turn in between.
 */
export type Steps<Result> = Generator<void, Result>;

/** Does all of it at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}

/**
 * Does it in pieces of {@link PIECE} ms, with a turn for all others in between.
 * @param length of what is read, in UTF-16 code units: what is short is done at once.
 */
export async function inPieces<Result>(steps: Steps<Result>, length: number): Promise<Result> {
	if (length < SHORT) return atOnce(steps);
	let count = 0;
	let pieceSince = performance.now();
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
		count += 1;
		// Some runtimes stop the clock while they compute.
		if (count % MOST_STEPS !== 0 && performance.now() - pieceSince < PIECE) continue;
		await new Promise((resolve) => setTimeout(resolve));
		pieceSince = performance.now();
	}
}

/** Shorter than this nothing takes long, whatever it is. In UTF-16 code units. */
const SHORT = 32_768;

/** How long others wait for one piece, in milliseconds. */
const PIECE = 20;
/** Most steps of one piece. */
const MOST_STEPS = 500;
