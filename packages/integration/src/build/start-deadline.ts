/** The time limit for fetching a build's reviews. */
export interface Deadline {
	cancel(): void;
}

/**
 * @param milliseconds from now; `undefined` for no limit.
 * @param onPassed called once, unless the limit is cancelled before.
 */
export function startDeadline(milliseconds: number | undefined, onPassed: () => void): Deadline {
	// Must not keep a build alive that ended for another reason.
	const timer = milliseconds === undefined ? undefined : setTimeout(onPassed, milliseconds).unref();
	return { cancel: () => clearTimeout(timer) };
}
