import { InvalidPropError } from '../errors.js';
import type { Labels } from '../labels/labels.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import { isVisible } from '../text/words.js';
import { fillLabel } from './fill-label.js';
import { Html, html } from './html.js';

/** A heading; `undefined` if the text is empty, because screen readers would stop at an empty heading. */
export function renderHeading(level: number, className: string, text: string): Html | undefined {
	if (text === '') return undefined;
	const tag = new Html(`h${Math.min(6, level)}`);
	return html`<${tag} class="${className}" dir="auto">${text}</${tag}>`;
}

/**
 * Reads the prop `headingLevel`. A template attribute may pass the number as text. @throws TypeError if it is not a
 * number
 */
export function readHeadingLevel(level: number | string): number {
	const number = Number(level);
	if (!Number.isNaN(number)) return Math.min(6, Math.max(1, Math.trunc(number)));
	throw new InvalidPropError(`Expected \`headingLevel\` to be a number from 1 to 6, received '${level}'.`);
}

/**
 * A row of five stars with a text for screen readers. The stylesheet fills it to a tenth of a star, because an inline
 * style would violate a Content Security Policy.
 */
export function renderStars(rating: number, labels: Labels, language: string): Html {
	const text = fillLabel(labels.stars, { rating: toTenth(rating) }, language);
	return html`<span class="product-reviews-stars" role="img" aria-label="${text}" data-fill="${starFill(rating)}"></span>`;
}

/** How far a row of stars is filled, in the form that the stylesheet uses: `'4.3'`. */
export function starFill(rating: number): string {
	return toTenth(rating).toFixed(1);
}

function toTenth(rating: number): number {
	return Math.round(rating * 10) / 10;
}

/**
 * JSON for the content of a script element. `<`, `>` and `&` are escaped so that no text ends the script or opens a
 * comment, and U+2028 and U+2029 because they are line breaks in older JavaScript.
 */
export function jsonForScript(value: unknown): string {
	let text = JSON.stringify(value);
	// Most texts contain none of them. Searching for each in turn is several times faster than one expression for all.
	for (const [character, escaped] of ESCAPES) {
		if (text.includes(character)) text = text.replaceAll(character, escaped);
	}
	return text;
}

const ESCAPES = [
	['<', '\\u003c'],
	['>', '\\u003e'],
	['&', '\\u0026'],
	['\u2028', '\\u2028'],
	['\u2029', '\\u2029'],
] as const;

/** The `id` of the JSON-LD script element, as the service documents it. */
export const SCHEMA_SCRIPT_ID = 'ServiceReviewSchemaJson';

/** What `Astro` knows about the page being rendered. */
export interface PlacedPage {
	/**
	 * `Astro.url`. In a build, this is the address at which the page will be served, with the site's base and format.
	 */
	readonly url?: URL | undefined;
	/** `Astro.site`; `undefined` if the configuration has no `site`. */
	readonly site?: URL | undefined;
}

/**
 * The canonical address of the page: its path on the site. `undefined` without a `site`, because builds and dev servers
 * then only know this machine, and in a server island, whose address is not the page's.
 * @example pageAddress(Astro) // 'https://shop.example/products/kettle/'
 */
export function pageAddress({ url, site }: PlacedPage): string | undefined {
	if (!site || !url || url.pathname.includes(ISLANDS)) return undefined;
	// Not resolved as a reference, because a path that begins with two slashes would lead to another host.
	return `${site.protocol}//${site.host}${url.pathname}`;
}

/** The part of an address that is a server island's. */
export const ISLANDS = '/_server-islands/';

/**
 * Plain facts about what a component wrote, or what a page's own markup requested. They are all that the audit reads.
 */
export type Facts = SchemaFacts | ListFacts | StarsFacts | OffersFacts | OwnMarkupFacts;

/** A `<ReviewSchema>` that wrote a rating. */
export interface SchemaFacts {
	readonly component: 'ReviewSchema';
	/** `@id` of the node. */
	readonly id: string | undefined;
	/** The stated number of ratings. */
	readonly count: number | undefined;
	/** Number of listed reviews. */
	readonly listed: number;
	readonly sort: string;
}

/** A `<ProductReviews>` or `<ReviewList>` that wrote reviews. */
export interface ListFacts {
	readonly component: 'ProductReviews' | 'ReviewList';
	readonly display: 'hidden' | 'visible' | 'details';
	/** The stated number of ratings. */
	readonly count: number | undefined;
	/** Number of reviews shown, from the start of the order `sort`. */
	readonly shown: number;
	/** Whether these are all reviews. */
	readonly isAll: boolean;
	/** Whether its filter omits reviews by their rating. @default false */
	readonly isSplitByRating?: boolean;
	readonly sort: string;
}

/** A `<StarRating>` or `<RatingSummary>` that wrote stars, or a page that requested the rating. */
export interface StarsFacts {
	readonly component: 'StarRating' | 'RatingSummary';
	/** The stated number of ratings. */
	readonly count: number;
}

/** Incomplete offers of a `<ReviewSchema>`. Complete ones have no facts. */
export interface OffersFacts {
	readonly component: 'offers';
	readonly lacks: readonly OfferPart[];
}

/** A part of an offer that search engines need. */
export type OfferPart = 'price' | 'priceCurrency';

/** A page called a function of `virtual:product-reviews`. What it did with the result is unknown. */
interface OwnMarkupFacts {
	readonly component: 'own-markup';
}

/** Facts together with their product. */
export type ProductFacts = Facts & { readonly pid: string };

/** How much of an author's name pages show. */
export type AuthorForm = 'full' | 'first' | 'initials';

/**
 * Formats a name in any script. The first name is the first word, unchanged. In scripts without spaces, it is the first
 * word found by dictionary segmentation. Initials are those of at most four words.
 * @returns `undefined` if nothing is left.
 * @example formAuthor('Ada Lovelace', 'initials') // 'A. L.'
 */
export function formAuthor(name: string | undefined, form: AuthorForm): string | undefined {
	if (name === undefined || form === 'full') return name;
	const words = wordsOf(name);
	if (form === 'first') return words[0];
	const initials = words.flatMap((word) => initialOf(word) ?? []).slice(0, MOST_INITIALS);
	return initials.length > 0 ? initials.map((initial) => `${initial}.`).join(' ') : undefined;
}

const MOST_INITIALS = 4;

/** Words that contain a letter or a digit, without the commas and brackets around them. */
function wordsOf(name: string): string[] {
	return name
		.split(/\s+/)
		.flatMap((word) => (WITHOUT_SPACES.test(word) ? segmentsOf(word) : [word]))
		.map((word) => word.replace(AROUND, ''))
		.filter((word) => LETTER.test(word));
}

function segmentsOf(text: string): string[] {
	return Array.from(segmenter('word').segment(text), ({ segment }) => segment);
}

/** The first visible letter, with its accents. */
function initialOf(word: string): string | undefined {
	for (const { segment } of segmenter('grapheme').segment(word)) {
		if (LETTER.test(segment)) return segment.toLocaleUpperCase('und');
	}
	return undefined;
}

const segmenters: Partial<Record<'word' | 'grapheme', Intl.Segmenter>> = {};

/** Creating one takes milliseconds, and most sites show full names. */
function segmenter(granularity: 'word' | 'grapheme'): Intl.Segmenter {
	segmenters[granularity] ??= new Intl.Segmenter('und', { granularity });
	return segmenters[granularity];
}

const LETTER = /[\p{L}\p{N}]/u;

const AROUND = /^[\s,;:"'()<>[\]]+|[\s,;:"'()<>[\]]+$/g;

const WITHOUT_SPACES =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Names of authors must be shorter than this, in characters. Otherwise search engines treat the whole review as spam.
 */
const MAX_LENGTH = 100;

/** The name of an author, shortened for search engines; `undefined` if it has no visible character. */
export function authorName(author: string | undefined): string | undefined {
	if (author === undefined) return undefined;
	const name = author.length < MAX_LENGTH ? author : cut(author);
	return isVisible(name) ? name : undefined;
}

function cut(author: string): string {
	return [...author]
		.slice(0, MAX_LENGTH - 1)
		.join('')
		.trimEnd();
}

interface Authored {
	readonly author: string | undefined;
}

/** The reviews of a product, with author names in this form. */
export function formAuthors(product: ProductReviews, form: AuthorForm = 'full'): ProductReviews {
	if (form === 'full') return product;
	const { reviews, schema } = product;
	return {
		...product,
		reviews: reviews.map(withForm(form)),
		schema: schema && { ...schema, reviews: schema.reviews.map(withForm(form)) },
	};
}

/** The review data of a product, with author names in this form. */
export function formDataAuthors(data: ReviewData, form: AuthorForm = 'full'): ReviewData {
	if (form === 'full') return data;
	return {
		...data,
		reviews: data.reviews.map(withForm(form)),
		media: data.media.map(withForm(form)),
		questions: data.questions.map(withForm(form)),
	};
}

function withForm(form: AuthorForm): <Item extends Authored>(item: Item) => Item {
	return (item) => ({ ...item, author: formAuthor(item.author, form) });
}
