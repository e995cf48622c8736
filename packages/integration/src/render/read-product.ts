import { InvalidPropError } from '../errors.js';

export type Node = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is Node {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in the merchant's own product that search engines refuse, or that is none. */
export interface ProductProblem {
	readonly kind: ProblemKind;
	/** @example 'hasVariant[1].offers.price' */
	readonly field: string;
	readonly written: string;
}

export type ProblemKind =
	| 'value'
	| 'price'
	| 'currency'
	| 'availability'
	| 'condition'
	| 'gtin'
	| 'date'
	| 'address';

/** Addresses that a product is resolved against. */
export interface ProductPlace {
	/** `Astro.site` */
	readonly site?: URL | string | undefined;
	/** Astro's option `base`. @default '/' */
	readonly base?: string | undefined;
}

/**
 * Reads the merchant's own product: whatever people write in Astro becomes the plain data that JSON-LD takes, so that a build
 * can keep it, and an update can write the page again. Plain data is returned as it is.
 *
 * - A `Date` becomes a date, or a time if it has one; a `bigint` its digits; a `Map`, a `Set` or an instance its contents.
 * - An imported image, the result of `getImage()` and a relative address of an image or page become absolute addresses.
 * - Words for a schema.org value become its address, and the code of a currency is in capitals.
 *
 * @returns the product, and values that are none, such as `NaN`. They are left out.
 * @throws InvalidPropError for what can never be data, such as a function.
 * @example readProduct({ image: '/kettle.png' }, { site: 'https://shop.example' }).product // { image: 'https://shop.example/kettle.png' }
 */
export function readProduct(
	given: unknown,
	place: ProductPlace,
): { readonly product: unknown; readonly problems: readonly ProductProblem[] } {
	const problems: ProductProblem[] = [];
	const around = new Set<object>();

	const read = (value: unknown, path: string, key: string): unknown => {
		switch (typeof value) {
			case 'string':
				return readText(value, key, place);
			case 'number':
				return Number.isFinite(value) ? value : leaveOut(path, String(value));
			case 'bigint':
				return String(value);
			case 'function':
			case 'symbol':
				throw notData(path, `a ${typeof value}`);
			case 'object':
				return value === null ? value : readObject(value, path, key);
		}
		return value;
	};
	const leaveOut = (path: string, written: string): undefined => {
		problems.push({ kind: 'value', field: path, written });
	};
	const readObject = (value: object, path: string, key: string): unknown => {
		if (value instanceof Date) return dateOf(value) ?? leaveOut(path, 'Invalid Date');
		if (value instanceof Promise) throw notData(path, 'a promise: write `await` before it');
		if (ArrayBuffer.isView(value)) throw notData(path, 'bytes');
		const image = imageOf(value);
		if (image !== undefined) return toAddress(image, place);
		if (around.has(value)) throw notData(path, 'an object that contains itself');
		around.add(value);
		try {
			if (Array.isArray(value) || value instanceof Set) {
				const items = [...value].map((item, index) => read(item, `${path}[${index}]`, key));
				return items.filter((item) => item !== undefined);
			}
			if ('toJSON' in value && typeof value.toJSON === 'function') {
				const json: unknown = value.toJSON();
				if (json !== value) return read(json, path, key);
			}
			const entries = value instanceof Map ? [...value] : Object.entries(value);
			return Object.fromEntries(
				entries.flatMap(([name, field]) => {
					const known = read(field, path === '' ? `${name}` : `${path}.${name}`, String(name));
					return known === undefined ? [] : [[name, known]];
				}),
			);
		} finally {
			around.delete(value);
		}
	};
	return { product: read(given, '', ''), problems };
}

function notData(path: string, what: string): InvalidPropError {
	const name = path === '' ? 'product' : `product.${path}`;
	return new InvalidPropError(`expected \`${name}\` to be data, received ${what}.`);
}

/** Returns a day, if the time is midnight in UTC, as a date without a time is read. */
function dateOf(date: Date): string | undefined {
	if (Number.isNaN(date.getTime())) return undefined;
	const text = date.toISOString();
	return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

/** Returns the address of an imported image, of the module around it, or of what `getImage()` returns. */
function imageOf(value: object): string | undefined {
	const image: unknown = 'default' in value ? value.default : value;
	if (!isNode(image) || '@type' in image || typeof image['src'] !== 'string') return undefined;
	const isImage = 'format' in image || 'attributes' in image || ('width' in image && 'height' in image);
	return isImage ? image['src'] : undefined;
}

function readText(text: string, key: string, place: ProductPlace): string {
	if (ADDRESSES.has(key)) return toAddress(text, place);
	if (Object.hasOwn(VALUES, key)) return schemaValueOf(key, text) ?? text;
	if (!CURRENCIES.has(key)) return text;
	const code = text.trim().toUpperCase();
	return isCurrency(code) ? code : text;
}

/** Properties whose value is an address, or a node that has one. */
export const ADDRESSES: ReadonlySet<string> = new Set([
	...['url', 'image', 'logo', 'photo', 'thumbnail', 'thumbnailUrl', 'contentUrl', 'embedUrl'],
	'merchantReturnLink',
]);

/** Makes an address absolute, if it begins with a slash: with the site's base, unless it has that. */
function toAddress(text: string, { site, base = '/' }: ProductPlace): string {
	const address = text.trim();
	if (/^\/\/[^/]/.test(address)) return `https:${address}`;
	if (!address.startsWith('/') || !site) return text;
	const root = base.replace(/^\/*|\/*$/g, '');
	const isBelow = root === '' || `${address}/`.startsWith(`/${root}/`);
	return new URL(isBelow ? address : `/${root}${address}`, site).href;
}

/** Properties that name a currency. */
export const CURRENCIES: ReadonlySet<string> = new Set(['priceCurrency', 'currency']);

const CURRENCY_CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether a text is the code of a currency, as in ISO 4217. */
export function isCurrency(code: string): boolean {
	return CURRENCY_CODES.has(code);
}

/** Values of schema.org that properties of offers take. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
	availability: [
		...['InStock', 'OutOfStock', 'PreOrder', 'BackOrder', 'PreSale', 'SoldOut', 'Discontinued'],
		...['InStoreOnly', 'OnlineOnly', 'LimitedAvailability', 'MadeToOrder', 'Reserved'],
	],
	itemCondition: ['NewCondition', 'UsedCondition', 'RefurbishedCondition', 'DamagedCondition'],
};

const VOCABULARY = /^(?:https?:\/\/schema\.org\/|schema:)/;

/** Returns the type or value that a name of the vocabulary has without its address. */
export function withoutVocabulary(name: string): string {
	return name.trim().replace(VOCABULARY, '');
}

/**
 * Finds the value of a property that a word means.
 * @returns its address, or the word if it is one.
 * @example schemaValueOf('availability', 'in stock') // 'https://schema.org/InStock'
 */
export function schemaValueOf(key: string, word: string): string | undefined {
	const letters = (text: string) => text.toLowerCase().replace(/condition$|[^a-z]/g, '');
	const name = withoutVocabulary(word);
	const value = VALUES[key]?.find((one) => letters(one) === letters(name));
	if (value === undefined) return undefined;
	return value === name && VOCABULARY.test(word) ? word : `https://schema.org/${value}`;
}
