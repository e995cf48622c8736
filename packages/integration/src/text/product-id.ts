/**
 * A product id as people give it. The service knows products by strings; a number is read as its decimal string, so that
 * ids of a database can be given as they are.
 */
export type ProductId = string | number | bigint;

/**
 * The string by which the service knows a product.
 * @returns `undefined` for what is no product id: an empty string, a number that is not a whole one or that JavaScript
 * cannot hold exactly, or anything else.
 * @example readProductId(42) // '42'
 */
export function readProductId(value: unknown): string | undefined {
	if (typeof value === 'string') return value === '' ? undefined : value;
	const isExact = typeof value === 'bigint' || Number.isSafeInteger(value);
	return isExact ? String(value) : undefined;
}

/** What was given in place of a product id, for a message: a number by its value, since it is one that cannot be used. */
export function describeNoProductId(value: unknown): string {
	if (typeof value === 'string') return 'an empty string';
	if (Array.isArray(value)) return 'an array';
	if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
	return `a value of type ${typeof value}`;
}

/** What to do about a number that is no product id; `undefined` for anything else. */
export function adviseOnNumber(value: unknown): string | undefined {
	if (typeof value !== 'number') return undefined;
	if (!Number.isInteger(value)) return 'a number has to be whole.';
	return 'JavaScript cannot hold a number of this size exactly. Read the id as a string.';
}
