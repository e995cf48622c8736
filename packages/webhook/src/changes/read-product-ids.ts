/** Longest product id, in UTF-16 code units. */
const MOST_LENGTH = 500;

/**
 * The product ids of an event's body: `data.pid` (a string, a number, or an array of these) and `data.arrpid` (an array
 * of `{ pid }`). `undefined` where there is none: anything may have changed.
 */
export function readProductIds(body: unknown): readonly string[] | undefined {
	const data = propertyOf(body, 'data');
	const listed = propertyOf(data, 'arrpid');
	return productIds([
		...[propertyOf(data, 'pid')].flat(),
		...(Array.isArray(listed) ? listed.map((one) => propertyOf(one, 'pid')) : []),
	]);
}

/** Those of a list that can be product ids, each once; `undefined` where it has none. */
export function productIds(list: readonly unknown[]): readonly string[] | undefined {
	const pids = new Set(list.map(toProductId).filter((pid) => pid !== undefined));
	return pids.size > 0 ? [...pids] : undefined;
}

function toProductId(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
	if (typeof value !== 'string' || value === '' || value.length > MOST_LENGTH) return undefined;
	return value.isWellFormed() ? value : undefined;
}

function propertyOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return (value as Record<string, unknown>)[name];
}
