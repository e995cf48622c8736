import { createHash } from 'node:crypto';
import { type CountSummary, SCHEMA_SCRIPT_ID } from 'product-reviews-client/contract';
import wire from './data/wire.json' with { type: 'json' };
import type { Database, RatingSummary } from './database.js';
import type { Product, Review, ReviewTopic } from './records.js';

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

/** Escapes text for html, on one line and without control characters. */
export function escapeHtml(text: string): string {
	return text
		.replace(/[\s\u2028\u2029]+/g, ' ')
		.replace(/\p{Cc}/gu, '')
		.replace(/[&<>"']/g, (character) => `&${ENTITIES[character]};`);
}

/**
 * A resource of the service with every field that the contract reads, and others. In the contract, fields may be missing
 * or null, but the sandbox must send all of them.
 */
export type Complete<Resource> = Record<string, unknown> & {
	[Key in keyof Resource as string extends Key ? never : Key]-?: NonNullable<Resource[Key]>;
};

export interface StoreFacts {
	readonly wsid: string;
	readonly storeName: string;
	readonly productUrl: (pid: string) => string;
}

/** Creates `html` of operation 3. The documentation says of the class: "a prefix plus `_` plus a block id". */
export function crawlerHtml(product: Product, reviews: readonly Review[], facts: StoreFacts): string {
	// Only letters and digits, so that any product ID results in a valid class name.
	const block = createHash('sha256').update(`${facts.wsid}\0${product.pid}`).digest('hex').slice(0, 12);
	const style = `.rvw_${block}{position:absolute;width:1px;height:1px;overflow:hidden}`;
	const href = escapeHtml(product.url ?? facts.productUrl(product.pid));
	const link = `<a class="review-product-link" href="${href}">${escapeHtml(product.name)}</a>`;
	const part = (name: string, html: string) => `<div class="review-${name}">${html}</div>`;
	const items = reviews.map(({ author, rating, title, body, publishedAt }) => {
		const head = part('product', link) + part('author', escapeHtml(author));
		const texts = part('title', escapeHtml(title)) + part('body', escapeHtml(body));
		const date = part('date', publishedAt?.slice(0, 10) ?? '');
		return part('item', head + part('rating', `Rating: ${rating}/5`) + texts + date);
	});
	const start = `<div class="rvw_${block}" data-id="${block}" data-block-handle="product-reviews">`;
	return `${start}<style>${style}</style><h2>Customer reviews</h2>${items.join('')}</div>`;
}

const BOUNDS = { bestRating: '5', worstRating: '1' } as const;

/** Creates `jsonld` of operation 3; empty for a product without published reviews. */
export function crawlerJsonld(
	product: Product,
	reviews: readonly Review[],
	{ average: ratingValue, count: reviewCount }: RatingSummary,
	facts: StoreFacts,
): string {
	if (reviews.length === 0) return '';
	const url = product.url ?? facts.productUrl(product.pid);
	const object = {
		'@context': 'https://schema.org',
		'@type': 'Product',
		aggregateRating: { '@type': 'AggregateRating', ratingValue, reviewCount, ...BOUNDS },
		...{ '@id': url, url, name: product.name },
		review: reviews.map((review) => ({
			'@type': 'Review',
			author: { '@type': 'Person', name: review.author },
			reviewRating: { '@type': 'Rating', ratingValue: review.rating, ...BOUNDS },
			publisher: { '@type': 'Organization', name: facts.storeName },
			reviewBody: review.body,
			datePublished: review.publishedAt?.slice(0, 10) ?? '',
		})),
	};
	// JSON that cannot close the script element around it.
	const safe = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const json = JSON.stringify(object).replace(/[<\u2028\u2029]/g, safe);
	return `<script id="${SCHEMA_SCRIPT_ID}" type="application/ld+json">${json}</script>`;
}

/** Values of fields that the documentation does not explain, and that stand for nothing of ours. */
const EMPTY = { empty: '', no: false, zero: 0, none: [] };

/** Gives the fields of a record the names that the service documents: `data/wire.json` has each with the field's own. */
function rename(names: Readonly<Record<string, string>>, record: object) {
	const values: Readonly<Record<string, unknown>> = { ...EMPTY, ...record };
	return Object.fromEntries(Object.entries(names).map(([name, own]) => [name, values[own]]));
}

/**
 * Answers operation 2 about one product: its published reviews only.
 * @param origin where callers reach the sandbox, and its pictures and videos.
 */
export function wireProductData(database: Database, product: Product, facts: StoreFacts, origin: string) {
	const { pid, name: productName } = product;
	const { wsid, storeName } = facts;
	// Only the sandbox's own media have a path for an address.
	const atOrigin = (address: string) => (address.startsWith('/media/') ? origin + address : address);
	const productUrl = product.url ?? facts.productUrl(pid);
	// The documentation lists no values of `shown`; this one is ours.
	const shared = { wsid, storeName, productName, productUrl, picture: atOrigin(product.imageUrl), shown: 1 };
	const reviews = database.reviews({ pid, status: 'published' });
	const records = reviews.map((review) => ({
		...{ ...review, ...shared, date: review.publishedAt ?? '' },
		...{ images: review.images.map(atOrigin), videos: review.videos.map(atOrigin) },
		...{ mediaId: `${review.id}-media`, kind: review.videos.length > 0 ? 'video' : 'image' },
	}));
	const withMedia = records.filter(({ images, videos }) => images.length + videos.length > 0);
	const questions = database.questions(pid).map((question) => ({
		...{ ...question, wsid, source: 'sandbox', isAnswered: question.answeredAt !== null },
		products: question.pids.map((about) => ({ pid: about, pn: database.product(about)?.name ?? '' })),
		...{ answerDate: question.answeredAt ?? '', changedAt: question.answeredAt ?? question.askedAt },
	}));
	return {
		success: true,
		data: records.map((record) => rename(wire.fields.review, record)),
		dataCount: wireCountSummary(pid, wsid, database.ratings(pid), reviews),
		dataMedia: withMedia.map((record) => rename(wire.fields.media, record)),
		dataQueAns: questions.map((question) => rename(wire.fields.question, question)),
		dataCountQueAns: questions.length,
	};
}

function wireCountSummary(pid: string, wsid: string, summary: RatingSummary, reviews: readonly Review[]) {
	// Half stars are rounded up, so that the five counts add up to the total.
	const stars = (count: number) => reviews.filter(({ rating }) => Math.round(rating) === count).length;
	return {
		...{ pid, wsid, avgrtng: summary.average, prtng: summary.count },
		...{ str1: stars(1), str2: stars(2), str3: stars(3), str4: stars(4), str5: stars(5) },
		rcmnd: reviews.filter(({ recommended }) => recommended).length,
		...wireTopics(reviews, pid, wsid),
		isReqSyncWoo: false,
	} satisfies Complete<CountSummary>;
}

function wireTopics(reviews: readonly Review[], pid: string, wsid: string) {
	const topics = reviews.flatMap((review) => review.topics);
	const aitopics = [...Map.groupBy(topics, ({ key }) => key)]
		.map(([key, all]) => {
			const count = (tone: ReviewTopic['sentiment']) =>
				all.filter(({ sentiment }) => sentiment === tone).length;
			return {
				...{ _id: `topic-${pid}-${key}`, wsid, pid, key },
				translations: { en: topicName(key, 'en'), pt: topicName(key, 'pt') },
				total_count: all.length,
				...{ positive_count: count('positive'), negative_count: count('negative') },
				neutral_count: count('neutral'),
			};
		})
		.sort((a, b) => b.total_count - a.total_count || (a.key < b.key ? -1 : 1));
	const summary = (language: 'en' | 'pt') =>
		aitopics.slice(0, 3).map(({ key, positive_count: positive, negative_count: negative }) => {
			const tone = positive >= 3 * negative ? 'good' : negative >= 2 * positive ? 'bad' : 'mixed';
			const topic = topicName(key, language);
			return { topic, text: wire.summaries[language][tone].replace('{topic}', () => topic) };
		});
	return { aitopics, topicsmry: { en: summary('en'), pt: summary('pt') } };
}

const TOPIC_NAMES = new Map(Object.entries(wire.topics));

const topicName = (key: string, language: 'en' | 'pt') => TOPIC_NAMES.get(key)?.[language] ?? key;
