/**
 * Gives a function for a map that all instances of this package in a process share by its name. Pages, content loaders
 * and the integration run beside each other from modules of their own: the global object is what all of them see.
 */
export function sharedMap<Value>(name: string): () => Map<string, Value> {
	const slot = Symbol.for(`astro-product-reviews.${name}`);
	const holder = globalThis as { [slot: symbol]: Map<string, Value> | undefined };
	return () => {
		holder[slot] ??= new Map();
		return holder[slot];
	};
}
