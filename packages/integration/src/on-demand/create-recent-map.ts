/** Values by key, of which those that were not used for longest are dropped first. */
export interface RecentMap<Value> {
	/** The value of a key, which counts as used now. */
	get(key: string): Value | undefined;
	/** The same without a use. */
	peek(key: string): Value | undefined;
	set(key: string, value: Value): void;
	delete(key: string): void;
	values(): Iterable<Value>;
	readonly size: number;
}

/**
 * Keeps exactly the `most` keys that were used last: a map in two generations, as quick-lru is, may keep only half of them.
 */
export function createRecentMap<Value>(most: number): RecentMap<Value> {
	// A Map goes through its keys in the order in which they were added.
	const values = new Map<string, Value>();
	const set = (key: string, value: Value) => {
		values.delete(key);
		values.set(key, value);
		if (values.size <= most) return;
		for (const oldest of values.keys()) {
			values.delete(oldest);
			return;
		}
	};
	return {
		get(key) {
			const value = values.get(key);
			if (value !== undefined) set(key, value);
			return value;
		},
		peek: (key) => values.get(key),
		set,
		delete: (key) => void values.delete(key),
		values: () => values.values(),
		get size() {
			return values.size;
		},
	};
}
