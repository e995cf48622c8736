/** What one event reports: which products changed. The event's content is never published. */
export interface Change {
	/** Id of the event; `undefined` if the sender provides none. */
	readonly id: string | undefined;
	/** Products that changed. */
	readonly pids: readonly string[];
	/** The event names no products: anything may have changed. */
	readonly all: boolean;
	/** Such as `review.created`; `undefined` if the body has no type. */
	readonly type: string | undefined;
	/** When it arrived, in milliseconds since 1970. */
	readonly receivedAt: number;
}

/** Longest product id, in UTF-16 code units. */
const MOST_LENGTH = 500;

/** Called with the number of unusable ids in an event. */
export type OnUnusable = (count: number) => void;

/**
 * Reads the product ids from an event's body: `data.pid` (a string, a number, or an array of these) and `data.arrpid`
 * (an array of `{ pid }`). Returns `undefined` if there are none or if any is unusable: anything may have changed.
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

/** The distinct ids of a list; `undefined` if the list is empty or any id is unusable. */
export function productIds(list: readonly unknown[], onUnusable: OnUnusable): readonly string[] | undefined {
	const pids = list.map(toProductId).filter((pid) => pid !== undefined);
	const unusable = list.length - pids.length;
	// Unusable ids stand for unknown products. Rebuilding only the others would leave those stale.
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
