import { createHash } from 'node:crypto';
import {
	type CountSummary,
	type MediaItem,
	type ProductReviewDataResponse,
	type QuestionAnswer,
	type ReviewItem,
	SCHEMA_SCRIPT_ID,
} from 'product-reviews-client/contract';
import topicTexts from './data/topics.json' with { type: 'json' };
import type { Database, RatingSummary } from './database.js';
import type { Product, Review, ReviewTopic } from './records.js';

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes text for html, on one line and without control characters. */
export function escapeHtml(text: string): string {
	return text
		.replace(/[\s\u2028\u2029]+/g, ' ')
		.replace(/\p{Cc}/gu, '')
		.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
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
	const items = reviews.map(
		(review) =>
			'<div class="review-item">' +
			`<div class="review-product">${link}</div>` +
			`<div class="review-author">${escapeHtml(review.author)}</div>` +
			`<div class="review-rating">Rating: ${review.rating}/5</div>` +
			`<div class="review-title">${escapeHtml(review.title)}</div>` +
			`<div class="review-body">${escapeHtml(review.body)}</div>` +
			`<div class="review-date">${review.publishedAt?.slice(0, 10) ?? ''}</div>` +
			'</div>',
	);
	return (
		`<div class="rvw_${block}" data-id="${block}" data-block-handle="product-reviews">` +
		`<style>${style}</style><h2>Customer reviews</h2>${items.join('')}</div>`
	);
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
	return `<script id="${SCHEMA_SCRIPT_ID}" type="application/ld+json">${scriptJson(object)}</script>`;
}

/** JSON that cannot close the script element around it. */
function scriptJson(value: unknown): string {
	return JSON.stringify(value)
		.replaceAll('<', '\\u003c')
		.replaceAll('\u2028', '\\u2028')
		.replaceAll('\u2029', '\\u2029');
}

/**
 * Operation 2 about one product: its published reviews only.
 * @param origin where callers reach the sandbox, and its pictures and videos.
 */
export function wireProductReviewData(
	database: Database,
	product: Product,
	facts: StoreFacts,
	origin: string,
) {
	const { pid } = product;
	const reviews = database.reviews({ pid, status: 'published' });
	const wired = reviews.map((review) => wireReview(review, product, facts, origin));
	const questions = database.questions(pid).map((question) => ({
		_id: question.id,
		wsid: facts.wsid,
		que: question.question,
		ans: question.answer,
		ia: question.answeredAt !== null,
		arrpid: question.pids.map((pid) => ({ pid, pn: database.product(pid)?.name ?? '' })),
		cstnm: question.author,
		quedt: question.askedAt,
		ansdt: question.answeredAt ?? '',
		src: 'sandbox',
		cdt: question.askedAt,
		udt: question.answeredAt ?? question.askedAt,
		icntv: false,
	}));
	return {
		success: true,
		data: wired,
		dataCount: wireCountSummary(pid, facts.wsid, database.ratings(pid), reviews),
		dataMedia: wired.filter(({ arrimg, arrvdo }) => arrimg.length + arrvdo.length > 0).map(wireMediaItem),
		dataQueAns: questions satisfies Complete<QuestionAnswer>[],
		dataCountQueAns: questions.length,
	} satisfies Complete<ProductReviewDataResponse>;
}

function wireMediaItem({ rttl, icntv: _, ...shared }: Complete<ReviewItem>): Complete<MediaItem> {
	return {
		...shared,
		_id: `${shared._id}-media`,
		mde: shared.arrvdo.length > 0 ? 'video' : 'image',
		ti: rttl,
		fa: '',
		orgnlrtxt: shared.rtxt,
		cnid: [],
		arrvdoazr: [],
		arrgrppid: [],
		istsupdeml: false,
		csvid: '',
		__v: 0,
	};
}

/** Fields that the documentation does not explain are filled according to their name, or left empty. */
function wireReview(review: Review, product: Product, facts: StoreFacts, origin: string) {
	// Only the sandbox's own media have a path for an address.
	const atOrigin = (address: string) => (address.startsWith('/media/') ? origin + address : address);
	return {
		_id: review.id,
		wsid: facts.wsid,
		un: review.author,
		ct: review.city,
		st: review.state,
		cn: review.country,
		i: review.countryCode,
		pid: review.pid,
		pn: product.name,
		pu: product.url ?? facts.productUrl(product.pid),
		piu: atOrigin(product.imageUrl),
		rtng: review.rating,
		rttl: review.title,
		rtxt: review.body,
		// The documentation lists no values; this one is ours.
		rvwst: 1,
		shp: facts.storeName,
		arrimg: review.images.map(atOrigin),
		arrvdo: review.videos.map(atOrigin),
		irplyprvt: false,
		itstmnl: review.testimonial,
		ivrfd: review.verified,
		ipin: review.pinned,
		cntupvt: review.helpful,
		cntdwnvt: review.unhelpful,
		ircmnd: review.recommended,
		arrcustque: [],
		ipblshfb: false,
		arrtag: [...review.tags],
		pgid: '',
		cdt: review.publishedAt ?? '',
		createdAt: review.publishedAt ?? '',
		udt: review.updatedAt,
		isdmy: false,
		aitopics: review.topics.map(({ key, sentiment }) => ({ key, sentiment })),
		icntv: false,
		cst1: '',
		cst2: '',
		cst3: '',
		rvwrimg: '',
		extsrc: review.importedFrom,
	} satisfies Complete<ReviewItem>;
}

function wireCountSummary(pid: string, wsid: string, summary: RatingSummary, reviews: readonly Review[]) {
	// Half stars are rounded up, so that the five counts add up to the total.
	const stars = (count: number) => reviews.filter(({ rating }) => Math.round(rating) === count).length;
	return {
		pid,
		wsid,
		avgrtng: summary.average,
		prtng: summary.count,
		str1: stars(1),
		str2: stars(2),
		str3: stars(3),
		str4: stars(4),
		str5: stars(5),
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
				_id: `topic-${pid}-${key}`,
				wsid,
				pid,
				key,
				translations: { en: topicName(key, 'en'), pt: topicName(key, 'pt') },
				total_count: all.length,
				positive_count: count('positive'),
				negative_count: count('negative'),
				neutral_count: count('neutral'),
			};
		})
		.sort((a, b) => b.total_count - a.total_count || (a.key < b.key ? -1 : 1));
	const summary = (language: 'en' | 'pt') =>
		aitopics.slice(0, 3).map(({ key, positive_count: positive, negative_count: negative }) => {
			const tone = positive >= 3 * negative ? 'good' : negative >= 2 * positive ? 'bad' : 'mixed';
			const topic = topicName(key, language);
			return { topic, text: topicTexts.summaries[language][tone].replace('{topic}', () => topic) };
		});
	return { aitopics, topicsmry: { en: summary('en'), pt: summary('pt') } } satisfies Partial<CountSummary>;
}

const TOPIC_NAMES = new Map(Object.entries(topicTexts.names));

function topicName(key: string, language: 'en' | 'pt'): string {
	return TOPIC_NAMES.get(key)?.[language] ?? key;
}
