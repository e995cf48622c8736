/** Wraps a listener so that its errors have no effect on the caller. */
export function quietly<Args extends unknown[]>(
	listener: ((...args: Args) => void) | undefined,
): (...args: Args) => void {
	return (...args) => {
		try {
			listener?.(...args);
		} catch {
			// The listener itself is where errors are reported.
		}
	};
}
