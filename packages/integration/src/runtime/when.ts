import { isPromise } from './is-promise.js';

/**
 * Uses a value at once, or when its promise resolves. If no component makes a page wait, Astro renders it in one go, without
 * a buffer for everything after the component.
 */
export function when<Value, Result>(
	value: Value | Promise<Value>,
	use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
	return isPromise(value) ? value.then(use) : use(value);
}
