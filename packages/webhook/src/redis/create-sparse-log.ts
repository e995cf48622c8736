/**
 * Logs at most one line in a while, and how many were left out before it: a server that is away fails with every try.
 *
 * @param onLog takes the lines.
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
		onLog(leftOut > 0 ? `${line} (${leftOut.toLocaleString('en')} more since the last such line.)` : line);
		notBefore = now() + pause;
		leftOut = 0;
	};
}
