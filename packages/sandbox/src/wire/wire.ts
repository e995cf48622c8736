import { createHash } from 'node:crypto';
import {
	type CountSummary,
	type MediaItem,
	type ProductReviewDataResponse,
	type QuestionAnswer,
	type ReviewItem,
	SCHEMA_SCRIPT_ID,
} from 'product-reviews-client/contract';
import type { RatingSummary } from '../database/database.js';
import type { Product, Question, Review } from '../records.js';

/**
 * Escapes text for html, on one line: escapes `&`, `<`, `>` and both quotes, collapses white space, and removes control
 * characters.
 */
export function escapeHtml(text: string): string {
	return text
		.replace(/[\s\u2028\u2029]+/g, ' ')
		.replace(CONTROL, '')
		.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

const CONTROL = /\p{Cc}/gu;

/**
 * A resource of the service with every documented field. In the contract, fields may be missing or null, but the sandbox
 * must send all of them.
 */
export type Complete<Resource> = {
	[Key in keyof Resource as string extends Key ? never : Key]-?: NonNullable<Resource[Key]>;
};

/** Facts that the wire format needs in addition to the records. */
export interface StoreFacts {
	/** Website id. */
	readonly wsid: string;
	/** The store's name. */
	readonly storeName: string;
	/** Returns the URL of a product page. */
	readonly productUrl: (pid: string) => string;
}

/** Class prefix of the wrapper; the documentation says "a prefix plus `_` plus a block id". */
const CLASS_PREFIX = 'rvw';

/** Creates `html` of operation 3: the documented structure on one line, with every customer text escaped. */
export function crawlerHtml(product: Product, reviews: readonly Review[], facts: StoreFacts): string {
	const block = blockId(facts.wsid, product.pid);
	const className = `${CLASS_PREFIX}_${block}`;
	const style = `.${className}{position:absolute;width:1px;height:1px;overflow:hidden}`;
	const items = reviews.map((review) => reviewItem(review, product, facts)).join('');
	return (
		`<div class="${className}" data-id="${block}" data-block-handle="product-reviews">` +
		`<style>${style}</style><h2>Customer reviews</h2>${items}</div>`
	);
}

function reviewItem(review: Review, product: Product, facts: StoreFacts): string {
	const href = escapeHtml(product.url ?? facts.productUrl(product.pid));
	const link = `<a class="review-product-link" href="${href}">${escapeHtml(product.name)}</a>`;
	return (
		'<div class="review-item">' +
		`<div class="review-product">${link}</div>` +
		`<div class="review-author">${escapeHtml(review.author)}</div>` +
		`<div class="review-rating">Rating: ${review.rating}/5</div>` +
		`<div class="review-title">${escapeHtml(review.title)}</div>` +
		`<div class="review-body">${escapeHtml(review.body)}</div>` +
		`<div class="review-date">${review.publishedAt?.slice(0, 10) ?? ''}</div>` +
		'</div>'
	);
}

/** A stable id per product. It has only letters and digits, so that any product id results in a valid class name. */
function blockId(wsid: string, pid: string): string {
	return createHash('sha256').update(`${wsid}\0${pid}`).digest('hex').slice(0, 12);
}

const BOUNDS = { bestRating: '5', worstRating: '1' } as const;

/** Creates `jsonld` of operation 3; empty for a product without published reviews. */
export function crawlerJsonld(
	product: Product,
	reviews: readonly Review[],
	summary: RatingSummary,
	facts: StoreFacts,
): string {
	if (reviews.length === 0) return '';
	const url = product.url ?? facts.productUrl(product.pid);
	const object = {
		'@context': 'https://schema.org',
		'@type': 'Product',
		aggregateRating: {
			'@type': 'AggregateRating',
			ratingValue: summary.average,
			reviewCount: summary.count,
			...BOUNDS,
		},
		'@id': url,
		url,
		name: product.name,
		review: reviews.map((review) => reviewObject(review, facts.storeName)),
	};
	return `<script id="${SCHEMA_SCRIPT_ID}" type="application/ld+json">${scriptJson(object)}</script>`;
}

function reviewObject(review: Review, storeName: string) {
	return {
		'@type': 'Review',
		author: { '@type': 'Person', name: review.author },
		reviewRating: { '@type': 'Rating', ratingValue: review.rating, ...BOUNDS },
		publisher: { '@type': 'Organization', name: storeName },
		reviewBody: review.body,
		datePublished: review.publishedAt?.slice(0, 10) ?? '',
	};
}

/** JSON that cannot close the script element around it. */
function scriptJson(value: unknown): string {
	return JSON.stringify(value)
		.replaceAll('<', '\\u003c')
		.replaceAll('\u2028', '\\u2028')
		.replaceAll('\u2029', '\\u2029');
}

/** Everything operation 2 needs to know about one product. */
export interface ProductReviews {
	readonly product: Product;
	/** Published reviews only. */
	readonly reviews: readonly Review[];
	readonly summary: RatingSummary;
	readonly questions: readonly Question[];
	/** Returns the name of a product. */
	readonly nameOf: (pid: string) => string;
}

/** Creates the whole response of operation 2. */
export function wireProductReviewData(
	{ product, reviews, summary, questions, nameOf }: ProductReviews,
	facts: StoreFacts,
): Complete<ProductReviewDataResponse> {
	const withMedia = reviews.filter(({ details }) => details.images.length + details.videos.length > 0);
	return {
		success: true,
		data: reviews.map((review) => wireReview(review, product, facts)),
		dataCount: wireCountSummary(product.pid, facts.wsid, summary, reviews),
		dataMedia: withMedia.map((review) => wireMediaItem(review, product, facts)),
		dataQueAns: questions.map((question) => wireQuestionAnswer(question, nameOf, facts)),
		dataCountQueAns: questions.length,
	};
}

/** Creates one element of `dataMedia` of operation 2: the pictures and videos of one review, and the review's fields. */
function wireMediaItem(review: Review, product: Product, facts: StoreFacts): Complete<MediaItem> {
	const { rttl, icntv: _notDocumentedHere, ...shared } = wireReview(review, product, facts);
	return {
		...shared,
		_id: `${review.id}-media`,
		mde: review.details.videos.length > 0 ? 'video' : 'image',
		ti: rttl,
		fa: '',
		orgnlrtxt: review.body,
		cnid: [],
		arrvdoazr: [],
		arrgrppid: [],
		istsupdeml: false,
		csvid: '',
		__v: 0,
	};
}

/**
 * Creates one element of `dataQueAns` of operation 2.
 *
 * @param nameOf Returns the name of a product.
 */
function wireQuestionAnswer(
	question: Question,
	nameOf: (pid: string) => string,
	facts: StoreFacts,
): Complete<QuestionAnswer> {
	return {
		_id: question.id,
		wsid: facts.wsid,
		que: question.question,
		ans: question.answer,
		ia: question.answeredAt !== null,
		arrpid: question.pids.map((pid) => ({ pid, pn: nameOf(pid) })),
		cstnm: question.author,
		quedt: question.askedAt,
		ansdt: question.answeredAt ?? '',
		src: 'sandbox',
		cdt: question.askedAt,
		udt: question.answeredAt ?? question.askedAt,
		icntv: false,
	};
}

/** `rvwst` of a published review. The service's documentation lists no values; this one is ours. */
const PUBLISHED = 1;

/**
 * Creates one element of `data` of operation 2. Fields that the documentation does not explain are filled according to
 * their name, or left empty.
 */
function wireReview(review: Review, product: Product, facts: StoreFacts): Complete<ReviewItem> {
	const { details } = review;
	return {
		_id: review.id,
		wsid: facts.wsid,
		un: review.author,
		ct: details.city,
		st: details.state,
		cn: details.country,
		i: details.countryCode,
		pid: review.pid,
		pn: product.name,
		pu: product.url ?? facts.productUrl(product.pid),
		piu: product.imageUrl,
		rtng: review.rating,
		rttl: review.title,
		rtxt: review.body,
		rvwst: PUBLISHED,
		shp: facts.storeName,
		arrimg: [...details.images],
		arrvdo: [...details.videos],
		irplyprvt: false,
		itstmnl: details.testimonial,
		ivrfd: details.verified,
		ipin: details.pinned,
		cntupvt: details.helpful,
		cntdwnvt: details.unhelpful,
		ircmnd: details.recommended,
		arrcustque: [],
		ipblshfb: false,
		arrtag: [...details.tags],
		pgid: '',
		cdt: review.publishedAt ?? '',
		createdAt: review.publishedAt ?? '',
		udt: review.updatedAt,
		isdmy: false,
		aitopics: details.topics.map(({ key, sentiment }) => ({ key, sentiment })),
		icntv: false,
		cst1: '',
		cst2: '',
		cst3: '',
		rvwrimg: '',
		extsrc: details.importedFrom,
	};
}

/** Creates `dataCount` of operation 2 from the published reviews of one product. */
function wireCountSummary(
	pid: string,
	wsid: string,
	summary: RatingSummary,
	reviews: readonly Review[],
): Complete<CountSummary> {
	return {
		pid,
		wsid,
		avgrtng: summary.average,
		prtng: summary.count,
		str1: countStars(reviews, 1),
		str2: countStars(reviews, 2),
		str3: countStars(reviews, 3),
		str4: countStars(reviews, 4),
		str5: countStars(reviews, 5),
		rcmnd: reviews.filter(({ details }) => details.recommended).length,
		...wireTopics(reviews, pid, wsid),
		isReqSyncWoo: false,
	};
}

/** Half stars are rounded up, so that the five counts add up to the total. */
function countStars(reviews: readonly Review[], stars: number): number {
	return reviews.filter(({ rating }) => Math.round(rating) === stars).length;
}

/** How often a topic is mentioned, by sentiment. */
interface TopicCount {
	readonly key: string;
	readonly positive: number;
	readonly negative: number;
	readonly neutral: number;
}

/** Creates `dataCount.aitopics` and `dataCount.topicsmry`: the topics of a product's reviews, most mentioned first. */
function wireTopics(reviews: readonly Review[], pid: string, wsid: string) {
	const counts = countTopics(reviews);
	const aitopics = counts.map(({ key, positive, negative, neutral }) => ({
		_id: `topic-${pid}-${key}`,
		wsid,
		pid,
		key,
		translations: { en: nameOf(key, 'en'), pt: nameOf(key, 'pt') },
		total_count: positive + negative + neutral,
		positive_count: positive,
		negative_count: negative,
		neutral_count: neutral,
	}));
	const summary = (language: 'en' | 'pt') =>
		counts.slice(0, 3).map((count) => ({
			topic: nameOf(count.key, language),
			text: SENTENCES[language][toneOf(count)](nameOf(count.key, language)),
		}));
	return { aitopics, topicsmry: { en: summary('en'), pt: summary('pt') } } satisfies Partial<CountSummary>;
}

function countTopics(reviews: readonly Review[]): TopicCount[] {
	const counts = new Map<string, TopicCount>();
	for (const { key, sentiment } of reviews.flatMap(({ details }) => details.topics)) {
		const count = counts.get(key) ?? { key, positive: 0, negative: 0, neutral: 0 };
		counts.set(key, { ...count, [sentiment]: count[sentiment] + 1 });
	}
	const total = ({ positive, negative, neutral }: TopicCount) => positive + negative + neutral;
	return [...counts.values()].sort((a, b) => total(b) - total(a) || (a.key < b.key ? -1 : 1));
}

function toneOf({ positive, negative }: TopicCount): 'good' | 'mixed' | 'bad' {
	if (positive >= 3 * negative) return 'good';
	return negative >= 2 * positive ? 'bad' : 'mixed';
}

function nameOf(key: string, language: 'en' | 'pt'): string {
	return TOPIC_NAMES.get(key)?.[language] ?? key;
}

const SENTENCES = {
	en: {
		good: (name: string) => `${name}: most customers are very satisfied.`,
		mixed: (name: string) => `${name}: opinions differ.`,
		bad: (name: string) => `${name}: several customers see room for improvement.`,
	},
	pt: {
		good: (name: string) => `${name}: a maioria dos clientes está muito satisfeita.`,
		mixed: (name: string) => `${name}: as opiniões dividem-se.`,
		bad: (name: string) => `${name}: vários clientes veem margem para melhorar.`,
	},
};

/** Names of the topics that the seed uses, by key, in the two documented languages. */
const TOPIC_NAMES: ReadonlyMap<string, { readonly en: string; readonly pt: string }> = new Map([
	['quality', { en: 'Quality', pt: 'Qualidade' }],
	['design', { en: 'Design', pt: 'Design' }],
	['size', { en: 'Size', pt: 'Tamanho' }],
	['care', { en: 'Care and cleaning', pt: 'Cuidado e limpeza' }],
	['comfort', { en: 'Comfort', pt: 'Conforto' }],
	['delivery', { en: 'Delivery', pt: 'Entrega' }],
	['value', { en: 'Value for money', pt: 'Relação qualidade-preço' }],
	['durability', { en: 'Durability', pt: 'Durabilidade' }],
	['use', { en: 'Everyday use', pt: 'Uso diário' }],
]);
