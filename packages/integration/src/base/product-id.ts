import { InvalidPropError, ProductReviewsConfigurationError } from '../errors.js';
import { nameProduct } from './words.js';

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

/** Describes a value from a page, or from a product list, in the message of an error. */
export function describeValue(value: unknown): string {
	if (typeof value === 'string') return value.trim() === '' ? 'an empty string' : nameProduct(value);
	if (value instanceof Promise) return 'a promise';
	if (Array.isArray(value)) return 'an array';
	if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
	return `a value of type ${typeof value}`;
}

/** Says what to do about a number that is not a product ID; `undefined` for anything else. */
function adviseOnNumber(value: unknown): string | undefined {
	if (typeof value !== 'number') return undefined;
	if (!Number.isInteger(value)) return 'use a whole number.';
	return 'JavaScript cannot represent a number of this size exactly. Read the id as a string.';
}

/**
 * Validates a product ID from a page, and returns it as the service knows it.
 * @param asker the component, function or prop to name in the message.
 * @param example of what to write there.
 * @throws TypeError if it is not a product ID.
 */
export function productIdOf(given: unknown, asker: string, example = 'pid={product.id}'): string {
	const pid = readProductId(given);
	if (pid !== undefined) return pid;
	const advice = adviseOnNumber(given);
	throw new InvalidPropError(
		`${asker} needs a product ID, but received ${describeValue(given)}. Give the ID by which the review service knows the product${advice ? `: ${advice}` : `, such as ${example}.`}`,
		'PR_INVALID_PRODUCT_ID',
	);
}

/** Names the origin of the product list in messages. */
export const LIST_HINT = 'The list is the option "products" of productReviews() in the Astro configuration.';

/**
 * Checks one element of a product list.
 * @param index position in the list, from 0.
 * @returns the id as the service knows it.
 * @throws ProductReviewsConfigurationError for anything that is not a product ID.
 */
export function checkProductId(id: unknown, index: number): string {
	const pid = readProductId(id);
	if (pid !== undefined && pid.trim() !== '') return pid;
	const isObject = typeof id === 'object' && id !== null;
	const remedy = isObject
		? 'give the id of each product, such as products.map(({ id }) => id).'
		: (adviseOnNumber(id) ?? 'leave it out.');
	throw new ProductReviewsConfigurationError(
		'PR_INVALID_PRODUCT_ID',
		`The product list contains ${describeValue(id)} at position ${index + 1}, which is not a product ID.`,
		`${LIST_HINT} A product ID is a non-empty string or a whole number, as the review service knows it: ${remedy}`,
	);
}

export function emptyList(): ProductReviewsConfigurationError {
	return new ProductReviewsConfigurationError(
		'PR_PRODUCT_LIST_EMPTY',
		'The product list is empty.',
		`${LIST_HINT} Check that the catalog behind it responded. Leave the option out to fetch only what pages show.`,
	);
}

/** Prefixes of GTIN-13 that are not for products in general trade: restricted circulation (02, 04, 2) and coupons (05, 981-984, 99). */
const RESTRICTED = /^(?:0[245]|2|98[1-4]|99)/;

/** Those of GTIN-8. */
const RESTRICTED_SHORT = /^[02]/;

/**
 * Returns whether a text is a GTIN that a product in general trade can have: of 8, 12, 13 or 14 digits, with the right check
 * digit. Spaces and hyphens are ignored.
 * @see https://support.google.com/merchants/answer/6324461
 * @see https://www.gs1.org/services/how-calculate-check-digit-manually
 * @example isUsableGtin('4006381333931') // true
 */
export function isUsableGtin(text: string): boolean {
	const digits = text.replace(/[\s-]/g, '');
	if (!/^(?:\d{8}|\d{12,14})$/.test(digits) || /^0+$/.test(digits)) return false;
	const all = digits.padStart(14, '0');
	const sum = [...all].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
	const isRestricted = digits.length === 8 ? RESTRICTED_SHORT.test(digits) : RESTRICTED.test(all.slice(1));
	return sum % 10 === 0 && !isRestricted;
}
