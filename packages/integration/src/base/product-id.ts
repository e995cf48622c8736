/**
 * A product ID as users write it. The service identifies products by strings. A number is read as its decimal string, so ids
 * from a database can be used directly.
 */
export type ProductId = string | number | bigint;

/**
 * Returns the string by which the service identifies a product.
 * @returns `undefined` for anything that is not a product ID: an empty string, a number that is not whole or that JavaScript
 * cannot represent exactly, or a value of another type.
 * @example readProductId(42) // '42'
 */
export function readProductId(value: unknown): string | undefined {
	if (typeof value === 'string') return value === '' ? undefined : value;
	const isExact = typeof value === 'bigint' || Number.isSafeInteger(value);
	return isExact ? String(value) : undefined;
}

export function describeNoProductId(value: unknown): string {
	if (typeof value === 'string') return 'an empty string';
	if (Array.isArray(value)) return 'an array';
	if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
	return `a value of type ${typeof value}`;
}

/** Says what to do about a number that is not a product ID; `undefined` for anything else. */
export function adviseOnNumber(value: unknown): string | undefined {
	if (typeof value !== 'number') return undefined;
	if (!Number.isInteger(value)) return 'use a whole number.';
	return 'JavaScript cannot represent a number of this size exactly. Read the id as a string.';
}
