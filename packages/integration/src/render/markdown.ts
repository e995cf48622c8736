import { count } from '../base/words.js';
import { fullStars } from '../records/rating.js';
import type { ProductReviews, Review, ReviewData } from '../records/record.js';
import type { Component } from './fragment.js';
import { labelsFor } from './page-labels.js';

/** A product whose reviews are written as Markdown. Authors are as pages show them. */
export interface MarkdownProduct {
	readonly name: string | undefined;
	/** Absolute http(s) address. */
	readonly address: string | undefined;
	/** `undefined` if nothing is known. */
	readonly data:
		| (Pick<ProductReviews | ReviewData, 'aggregate' | 'reviews'> & Partial<Pick<ReviewData, 'distribution'>>)
		| undefined;
	/** Words in place of the name of an author who gave none. */
	readonly anonymous: string;
}

/**
 * Writes the reviews of products as Markdown (CommonMark), for programs that read no pages. A review is one blockquote, and
 * nothing in it is more than text: no markup, link or image of a stranger's is left, and no text ends its quote.
 */
export function writeMarkdown(products: readonly MarkdownProduct[]): string {
	return markdownFileText(products.map(writeProduct));
}

/** Returns the text of a file with these products. @param products each as Markdown */
export function markdownFileText(products: readonly string[]): string {
	return `${[NOTICE, ...products].join('\n\n')}\n`;
}

interface MarkdownProps {
	/** The product's name as its page gives it. @default the service's */
	readonly name?: string | undefined;
}

/** Writes a product of a page's file with Markdown: from its reviews or its review data, whichever the page shows. */
export const markdown: Component<'reviews' | 'review-data'> = {
	from: 'reviews',
	write(data, { name = nameOfProduct(data) }: MarkdownProps, { labels, language, address }) {
		const { anonymous } = labelsFor(labels, language);
		return { html: writeProduct({ name, address, data, anonymous }), facts: [] };
	},
};

/** A model may follow instructions in whatever it reads, and no escaping prevents that: so it is told whose words they are. */
const NOTICE = 'Each quote below is text written by a customer, not by the store.';

/** The name of a product as the service knows it. */
export function nameOfProduct(data: ProductReviews | ReviewData | undefined): string | undefined {
	const stated = data && 'schema' in data ? data.schema?.name : undefined;
	return stated ?? data?.reviews.find(({ productName }) => productName !== undefined)?.productName;
}

function writeProduct({ name, address, data, anonymous }: MarkdownProduct): string {
	const { aggregate, reviews = [] } = data ?? {};
	const stars = data?.distribution && describeStars(data.distribution);
	const rating = aggregate && `Rating: ${aggregate.average} of 5, from ${count(aggregate.count, 'rating')}.`;
	return [
		name === undefined ? '# Customer reviews' : `# Customer reviews of ${inline(name)}`,
		address && `<${address}>`,
		rating && [rating, stars].filter(Boolean).join('\n'),
		reviews.length === 0 && !rating && 'No reviews yet.',
		...reviews.map((review) => quote(review, anonymous)),
	]
		.filter(Boolean)
		.join('\n\n');
}

function describeStars(distribution: ReviewData['distribution']): string | undefined {
	const counts = ([5, 4, 3, 2, 1] as const).map((stars) => `${distribution[stars]} with ${stars}`);
	const isKnown = Object.values(distribution).some((number) => number > 0);
	return isKnown ? `Stars: ${counts.join(', ')}.` : undefined;
}

function quote(review: Review, anonymous: string): string {
	const { rating, title, author = '', date, body = '', incentivized, reply } = review;
	const filled = fullStars(rating);
	const stars = rating !== undefined && `${'★'.repeat(filled)}${'☆'.repeat(5 - filled)} ${rating} of 5`;
	const head = [stars, title !== undefined && `**${inline(title)}**`].filter(Boolean).join(' ');
	const rewarded = incentivized && 'received a reward for this review';
	const by = line([author || anonymous, date, rewarded].filter(Boolean).join(', '));
	const quoted = [[head, by], ...paragraphsOf(body)]
		.map((lines) => lines.filter((text) => text !== '').map((text) => `> ${text}`))
		.filter((lines) => lines.length > 0)
		.map((lines) => lines.join('\n'))
		.join('\n>\n');
	if (!reply) return quoted;
	const replied = line(['Reply from the store', reply.author, reply.date].filter(Boolean).join(', '));
	const answer = paragraphsOf(reply.text).map((lines) => lines.join('\n'));
	return [quoted, `${replied}:`, ...answer].join('\n\n');
}

function paragraphsOf(text: string): string[][] {
	return text.split(/\n\s*\n/).map((lines) => lines.split('\n').map(line));
}

/**
 * Text within a line. Also what other dialects than CommonMark see in plain text: tables, struck text, addresses as links.
 * Some look for addresses when all escapes are read, so a character that nobody sees divides them.
 */
function inline(text: string): string {
	return text
		.replace(/[\\`*_[\]<>#|~]|&(?=[#\w])/g, '\\$&')
		.replace(/(?<=www)(?=\.)|(?<=:)(?=\/\/)|(?<=[-.+\w])(?=@)/gi, WORD_JOINER);
}

/** No text of a review has one: what nobody sees is removed when it is read. */
const WORD_JOINER = '\u2060';

/** A line of text: also what begins a list, a heading that is underlined, or code that is indented. */
function line(text: string): string {
	return inline(text.trim()).replace(/^(?:[-+=:]|\d{1,9}(?=[.)]))/, (start) =>
		/\d/.test(start) ? `${start}\\` : `\\${start}`,
	);
}
