import { isUsableGtin } from '../base/product-id.js';
import {
	ADDRESSES,
	CURRENCIES,
	isCurrency,
	isNode,
	type ProblemKind,
	type ProductProblem,
	schemaValueOf,
} from './read-product.js';

/**
 * Finds values in a product, its offers and its variants that search engines refuse. What is not there is no problem of these.
 * @see https://developers.google.com/search/docs/appearance/structured-data/merchant-listing
 * @example checkProduct({ offers: { price: '1.299,00' } }) // [{ kind: 'price', field: 'offers.price', written: '1.299,00' }]
 */
export function checkProduct(product: unknown): ProductProblem[] {
	// Search engines expect 0 as the price of a free app, and refuse it for goods.
	const mayBeFree = isNode(product) && /Application|Game/.test(String(product['@type']));
	const check = (value: unknown, field: string, key: string, depth = 0): ProductProblem[] => {
		if (depth > MAX_DEPTH) return [];
		if (Array.isArray(value))
			return value.flatMap((item, index) => check(item, `${field}[${index}]`, key, depth + 1));
		if (isNode(value)) {
			return Object.entries(value).flatMap(([name, part]) =>
				// What a context says is about names.
				name === '@context' ? [] : check(part, field === '' ? name : `${field}.${name}`, name, depth + 1),
			);
		}
		if (value === undefined || value === null || value === '') return [];
		const kind = CHECKS.get(key);
		if (kind === undefined || ACCEPTS[kind](value, key)) return [];
		return mayBeFree && kind === 'price' && Number(value) === 0
			? []
			: [{ kind, field, written: String(value) }];
	};
	return check(product, '', '').slice(0, MAX_PROBLEMS);
}

/** Levels that are checked. A page may hold markup of others. */
const MAX_DEPTH = 20;

/** Problems named of a product: a wrong one stands in every variant. */
const MAX_PROBLEMS = 20;

type CheckedKind = Exclude<ProblemKind, 'value'>;

const CHECKS = new Map<string, CheckedKind>([
	...namesOf('price', ['price', 'lowPrice', 'highPrice']),
	...namesOf('currency', CURRENCIES),
	...namesOf('availability', ['availability']),
	...namesOf('condition', ['itemCondition']),
	...namesOf('gtin', ['gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14']),
	...namesOf('date', ['priceValidUntil', 'validFrom', 'validThrough', 'validUntil', 'releaseDate']),
	...namesOf('date', ['availabilityStarts', 'availabilityEnds', 'datePublished']),
	...namesOf('address', ADDRESSES),
]);

function namesOf(kind: CheckedKind, keys: Iterable<string>): [string, CheckedKind][] {
	return [...keys].map((key) => [key, kind]);
}

const ACCEPTS: Readonly<Record<CheckedKind, (value: unknown, key: string) => boolean>> = {
	price: (value) => (toNumber(value) ?? 0) > 0,
	currency: (value) => isCurrency(String(value)),
	availability: (value, key) => schemaValueOf(key, String(value)) !== undefined,
	condition: (value, key) => schemaValueOf(key, String(value)) !== undefined,
	gtin: (value) => isUsableGtin(String(value)),
	date: (value) => isDate(String(value)),
	address: (value) => /^https?:\/\/[^/]/i.test(String(value).trim()) && URL.canParse(String(value).trim()),
};

/** Reads a number, or a text that is one: structured data has both. */
function toNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}

/** Returns whether a text is a date, or a date with a time, of ISO 8601. The built-in parser accepts 31 February. */
function isDate(text: string): boolean {
	const [, day = '', time = ''] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}.*)?$/.exec(text.trim()) ?? [];
	const date = new Date(day);
	const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && day !== '';
	return isDay && !Number.isNaN(Date.parse(day + time));
}
