import { shortAuthor, withoutContactDetails } from '../base/people.js';
import { isUsableGtin } from '../base/product-id.js';
import { cleanLine } from '../base/words.js';
import type { FeedProduct, ProductRatingsOptions } from '../options/feeds.js';
import { fieldsOf } from '../records/field-reader.js';
import type { Review } from '../records/record.js';

/** Ids of a product, each at least once, in the order in which the feed has them. */
const IDS = ['gtin', 'mpn', 'sku', 'brand', 'asin'] as const;

/** A product as the feed names it. */
export type NamedProduct = Readonly<Record<(typeof IDS)[number], readonly string[]>> & {
	readonly name: string | undefined;
	readonly url: string | undefined;
};

/** Reasons for which parts of the feed are left out, and the words for them. */
export const LEFT_OUT = {
	text: 'review without text',
	rating: 'review without rating',
	date: 'review without date',
	contact: 'e-mail address or number in a text',
	gtin: 'invalid GTIN',
} as const;

export type LeaveOut = (part: keyof typeof LEFT_OUT) => void;

/** Longest name and id, in UTF-16 code units. */
const MOST_LETTERS = 500;

const ISBN_10 = /^\d{9}[\dX]$/i;

/** Names of GTINs in structured data: an ISBN is one. */
const GTINS = ['gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'isbn'];

/** Reads what a page's Product node says of a product and its variants. */
export function productOfNode(node: Readonly<Record<string, unknown>>): FeedProduct {
	const nodes = [node, ...listOf(node['hasVariant'])].map(fieldsOf);
	const all = (...names: string[]) =>
		nodes.flatMap((one) => names.flatMap((name) => listOf(one[name]).flatMap(textOf)));
	const { name } = node;
	return {
		...(typeof name === 'string' && { name }),
		...{ gtin: all(...GTINS), mpn: all('mpn'), sku: all('sku'), brand: all('brand') },
	};
}

/** A value of structured data as text: a brand may be a node with a name. */
function textOf(value: unknown): string[] {
	const text = typeof value === 'object' && value !== null ? Reflect.get(value, 'name') : value;
	return typeof text === 'string' || typeof text === 'number' ? [String(text)] : [];
}

function listOf(value: unknown): readonly unknown[] {
	return value === undefined || value === null ? [] : [value].flat();
}

/** Puts together what is known of a product: what is given first counts. */
export function nameProductOf(known: readonly (FeedProduct | undefined)[], leaveOut: LeaveOut): NamedProduct {
	const first = (name: keyof FeedProduct) =>
		known.map((product) => listOf(product?.[name]).flatMap(textOf)).find((texts) => texts.length > 0) ?? [];
	const clean = (texts: readonly string[]) =>
		[...new Set(texts)].flatMap((text) => cleanLine(text, MOST_LETTERS) ?? []);
	const gtin = clean(first('gtin')).map((text) => text.replace(/[\s-]/g, ''));
	const usable = gtin.filter((text) => isUsableGtin(text) || ISBN_10.test(text));
	for (let left = gtin.length - usable.length; left > 0; left--) leaveOut('gtin');
	const [name] = clean(first('name'));
	const [url = ''] = first('url');
	return {
		...{ name, url: isUsable(URL.parse(url)?.href ?? '') ? URL.parse(url)?.href : undefined },
		...{ gtin: usable, mpn: clean(first('mpn')), sku: clean(first('sku')) },
		...{ brand: clean(first('brand')), asin: clean(first('asin')) },
	};
}

function isUsable(address: string): boolean {
	return /^https?:\/\/\S+\.\S+$/.test(address);
}

/** The beginning of a feed. Reviews follow, and {@link FEED_END}. */
export function beginFeed({ publisher, favicon }: Pick<ProductRatingsOptions, 'publisher' | 'favicon'>) {
	const who = element('name', publisher) + element('favicon', favicon);
	return `<?xml version="1.0" encoding="UTF-8"?>\n<feed>${element('version', '2.4')}${group('publisher', who)}<reviews>\n`;
}

export const FEED_END = '</reviews></feed>\n';

export interface FeedReviewSettings {
	/** Goes before the keys of reviews, which are unique within a product. */
	readonly prefix: string;
	/** The tag of reviews whose authors were rewarded. @default rewards are not mentioned */
	readonly incentivizedTag?: string | undefined;
	readonly leaveOut: LeaveOut;
}

/** Writes the reviews of a product for the feed, one line each. Those that the feed does not take are left out. */
export function* writeFeedReviews(
	reviews: readonly Review[],
	product: NamedProduct & { readonly url: string },
	{ prefix, incentivizedTag, leaveOut }: FeedReviewSettings,
): Generator<string> {
	const ids = group(
		'product_ids',
		IDS.map((name) => group(`${name}s`, product[name].map((id) => element(name, id)).join(''))).join(''),
	);
	const named = ids + element('product_name', product.name) + element('product_url', product.url);
	const page = element('review_url', product.url, ' type="group"');
	const products = group('products', group('product', named));
	for (const review of reviews) {
		const { key, rating, date, country, language, tags = [], images = [], incentivized } = review;
		const content = withoutContacts(review.body, leaveOut);
		if (content === undefined) leaveOut('text');
		else if (rating === undefined) leaveOut('rating');
		else if (date === undefined) leaveOut('date');
		else {
			const name = shortAuthor(review.author);
			const isTagged = incentivizedTag && String(tags.includes(incentivizedTag));
			const rewarded = incentivized ? 'true' : isTagged;
			const photos = images.filter(isUsable).map((url) => group('reviewer_image', element('url', url)));
			// In the order of the schema, which is part of being valid.
			yield `<review>${element('review_id', `${prefix}-${key}`)}<reviewer>${
				name ? element('name', name) : ANONYMOUS
			}</reviewer>${review.verified ? VERIFIED : ''}${element('is_incentivized_review', rewarded)}${
				element('review_timestamp', `${date}T00:00:00Z`) +
				element('title', withoutContacts(review.title, leaveOut)) +
				element('content', content) +
				element('review_language', language?.split('-', 1)[0]) +
				element('review_country', codeOf(country))
			}${page}${group('reviewer_images', photos.join(''))}<ratings><overall min="1" max="5">${rating}</overall></ratings>${products}</review>\n`;
		}
	}
}

const ANONYMOUS = '<name is_anonymous="true">Anonymous</name>';

const VERIFIED = '<is_verified_purchase>true</is_verified_purchase>';

function codeOf(country: string | undefined): string | undefined {
	return country?.length === 2 && /^[a-z]{2}$/i.test(country) ? country.toUpperCase() : undefined;
}

/** Without what the program forbids in texts: e-mail addresses, phone numbers, and numbers of orders. */
function withoutContacts(text: string | undefined, leaveOut: LeaveOut): string | undefined {
	// Most texts have no number, and no letters but those that are one byte.
	if (text === undefined || !/[@\d]|[^\0-\u00ff\u2010-\u2026]/.test(text)) return text;
	const rest = text.includes('\n')
		? text
				.split('\n')
				.map((line) => withoutContactDetails(line) ?? '')
				.join('\n')
				.trim()
		: withoutContactDetails(text);
	if (rest !== text) leaveOut('contact');
	return rest || undefined;
}

/** An element with text; nothing if there is no text, since the schema takes no empty ones. */
function element(name: string, text: string | undefined, attributes = ''): string {
	if (text === undefined || text === '') return '';
	return `<${name}${attributes}>${escapeXml(text)}</${name}>`;
}

/** An element around others; nothing if there are none. */
function group(name: string, content: string): string {
	return content === '' ? '' : `<${name}>${content}</${name}>`;
}

/** The one place where text becomes XML. Characters that XML forbids are left out: one of them spoils a whole feed. */
function escapeXml(text: string): string {
	if (!SPECIAL.test(text)) return text;
	const allowed = text.toWellFormed().replace(FORBIDDEN, '');
	return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Characters that have to be replaced, or may have to be. */
const SPECIAL = /[^\t\n\u0020-%'-;=?-\ud7ff]/;
