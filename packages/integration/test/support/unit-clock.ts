/** A clock that stands still until the test moves it. */
export function createClock(time = Date.parse('2026-11-21T12:00:00Z')) {
	return {
		now: () => time,
		/** Moves it by milliseconds, backwards too. */
		pass(milliseconds: number) {
			time += milliseconds;
		},
	};
}
