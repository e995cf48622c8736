/**
 * Returns a function that returns a named map, shared by all instances of this package in a process. Pages, content
 * loaders and the integration have separate module instances, and only the global object is visible to all of them.
 */
export function sharedMap<Value>(name: string): () => Map<string, Value> {
	const slot = Symbol.for(`astro-product-reviews.${name}`);
	const holder = globalThis as { [slot: symbol]: Map<string, Value> | undefined };
	return () => (holder[slot] ??= new Map());
}
