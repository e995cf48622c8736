/**
 * Limits how often lines are logged, and counts those left out: an unavailable server fails on every attempt.
 *
 * @param onLog called with each logged line.
 * @param pause between two lines, in milliseconds. @default 60_000
 * @param now milliseconds since 1970.
 */
export function createSparseLog(
	onLog: (line: string) => void,
	pause = 60_000,
	now: () => number = Date.now,
): (line: string) => void {
	let notBefore = Number.NEGATIVE_INFINITY;
	let leftOut = 0;
	return (line) => {
		if (now() < notBefore) {
			leftOut += 1;
			return;
		}
		onLog(leftOut > 0 ? `${line} (${leftOut.toLocaleString('en')} more since this was last logged.)` : line);
		notBefore = now() + pause;
		leftOut = 0;
	};
}
