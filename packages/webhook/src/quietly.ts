/** A function that only hears of things: what it throws must change nothing. */
export function quietly<Args extends unknown[]>(
	listener: ((...args: Args) => void) | undefined,
): (...args: Args) => void {
	return (...args) => {
		try {
			listener?.(...args);
		} catch {
			// It is the listener that would be told.
		}
	};
}
