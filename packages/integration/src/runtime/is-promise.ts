/**
 * Whether a value has to be waited for. Not `instanceof Promise`: libraries such as zone.js replace the global `Promise`, and
 * async functions still return the original one.
 */
export function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
	return typeof value === 'object' && value !== null && 'then' in value;
}
