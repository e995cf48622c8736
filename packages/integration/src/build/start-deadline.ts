/** The time limit of a build's reviews. */
export interface Deadline {
	cancel(): void;
}

/**
 * @param milliseconds from now; `undefined` for no limit.
 * @param onPassed is called once, unless the limit is cancelled before.
 */
export function startDeadline(milliseconds: number | undefined, onPassed: () => void): Deadline {
	// A build that ended for another reason must not be kept alive.
	const timer = milliseconds === undefined ? undefined : setTimeout(onPassed, milliseconds).unref();
	return { cancel: () => clearTimeout(timer) };
}
