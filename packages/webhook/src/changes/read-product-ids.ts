/** Longest product id, in UTF-16 code units. */
const MOST_LENGTH = 500;

/** Hears how many ids of an event cannot be used. */
export type OnUnusable = (count: number) => void;

/**
 * The product ids of an event's body: `data.pid` (a string, a number, or an array of these) and `data.arrpid` (an array
 * of `{ pid }`). `undefined` where there is none, or one that cannot be used: anything may have changed.
 */
export function readProductIds(body: unknown, onUnusable: OnUnusable): readonly string[] | undefined {
	const data = propertyOf(body, 'data');
	const pid = propertyOf(data, 'pid');
	const listed = propertyOf(data, 'arrpid');
	return productIds(
		[
			...(pid === undefined ? [] : [pid].flat()),
			...(Array.isArray(listed) ? listed.map((one) => propertyOf(one, 'pid')) : []),
		],
		onUnusable,
	);
}

/** The ids of a list, each once; `undefined` where it has none, or one that cannot be used. */
export function productIds(list: readonly unknown[], onUnusable: OnUnusable): readonly string[] | undefined {
	const pids = list.map(toProductId).filter((pid) => pid !== undefined);
	const unusable = list.length - pids.length;
	// Which products these are is not known: they must not be the ones that stay as they were.
	if (unusable > 0) onUnusable(unusable);
	return unusable > 0 || pids.length === 0 ? undefined : [...new Set(pids)];
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
