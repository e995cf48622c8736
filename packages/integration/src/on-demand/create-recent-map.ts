/** Values by key. The least recently used are dropped first. */
export interface RecentMap<Value> {
	/** The value of a key, which counts as a use. */
	get(key: string): Value | undefined;
	/** The value of a key, without counting as a use. */
	peek(key: string): Value | undefined;
	set(key: string, value: Value): void;
	delete(key: string): void;
	keys(): Iterable<string>;
	values(): Iterable<Value>;
	readonly size: number;
}

/** Keeps exactly the `most` last-used keys. A map in two generations, such as quick-lru, may keep only half of them. */
export function createRecentMap<Value>(most: number): RecentMap<Value> {
	// A Map iterates over its keys in insertion order.
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
		keys: () => values.keys(),
		values: () => values.values(),
		get size() {
			return values.size;
		},
	};
}
