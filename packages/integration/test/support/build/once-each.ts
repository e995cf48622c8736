/**
 * Does a piece of work once for the same arguments, however many tests ask for what comes of it. It is theirs together, so
 * they only look at it.
 *
 * @param work takes what JSON can hold.
 */
export function onceEach<Arguments extends unknown[], Result>(
	work: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
	const done = new Map<string, Result>();
	return (...args) => {
		const key = JSON.stringify(args);
		const result = done.has(key) ? (done.get(key) as Result) : work(...args);
		done.set(key, result);
		return result;
	};
}
