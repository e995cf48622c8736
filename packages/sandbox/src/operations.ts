import { createHash } from 'node:crypto';
import type { CountSummary, CrawlerReviewsResponse, StarRatingItem } from 'product-reviews-client/contract';
import { SCHEMA_SCRIPT_ID } from 'product-reviews-client/contract';
import { z } from 'zod';
import wire from './data/wire.json' with { type: 'json' };
import type { Database } from './database.js';
import { answer, type Call, escapeHtml, HttpError, lastModified, parseJson, readJson } from './http.js';
import type { Product, Review, ReviewTopic } from './records.js';
import type { OperationRoute, Service } from './service.js';

/**
 * A resource of the service with every field that the contract reads, and others. In the contract, fields may be missing
 * or null, but the sandbox must send all of them.
 */
type Complete<Resource> = Record<string, unknown> & {
	[Key in keyof Resource as string extends Key ? never : Key]-?: NonNullable<Resource[Key]>;
};

function authorize({ headers: { authorization } }: Call, { tokens }: Service): void {
	const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
	if (token !== undefined && tokens.isValid(token)) return;
	const isMissing = authorization === undefined;
	const problem = isMissing
		? 'Send "Authorization: Bearer <ACCESS_TOKEN>".'
		: 'Unknown or expired access token.';
	throw new HttpError(401, problem, { 'www-authenticate': 'Bearer' });
}

function readBody<Body>(call: Call, schema: z.ZodType<Body>, shape: string): Body {
	const body = schema.safeParse(readJson(call));
	if (body.success) return body.data;
	throw new HttpError(400, `The body must be ${shape}.`);
}

/** The service documents no limit; this one forces callers to split lists. */
const MAX_IDS = 100;

const starRatingBody = z.object({ listProductId: z.array(z.string()) });

/** Operation 1: average and count of ratings for each known product of a list; unknown ids are omitted. */
export const starRating: OperationRoute = {
	operation: 'starRating',
	pidsOf: ({ body }) => starRatingBody.safeParse(parseJson(body)).data?.listProductId ?? [],
	handle(call, service) {
		authorize(call, service);
		const { listProductId: pids } = readBody(call, starRatingBody, '{"listProductId": [string, ...]}');
		if (pids.length > MAX_IDS)
			throw new HttpError(413, `listProductId has ${pids.length} ids; the maximum is ${MAX_IDS}.`);
		const { database } = service;
		const known = [...new Set(pids)].filter((pid) => database.product(pid));
		const data = known.map((pid): Complete<StarRatingItem> => {
			const { average, count } = database.ratings(pid);
			const full = Math.round(average);
			const stars = '★'.repeat(full) + '☆'.repeat(5 - full);
			const shown = `<span class="rvw-stars" title="${average}/5">${stars}</span> <span class="rvw-count">(${count})</span>`;
			const html = count === 0 ? '' : shown;
			const queCount = database.questions(pid).length;
			return { pid, avgrtng: average, prtng: count, html, isReqSyncWoo: false, queCount };
		});
		return answer.json(200, { success: true, data });
	},
};

const dataBody = z.object({ productId: z.string().min(1) });

/** Operation 2: the published reviews of one product, their counts, media, questions and answers. */
export const productReviewData: OperationRoute = {
	operation: 'productReviewData',
	pidsOf: ({ body }) => Object.values(dataBody.safeParse(parseJson(body)).data ?? {}),
	handle(call, service) {
		const { database, facts } = service;
		authorize(call, service);
		const { productId: pid } = readBody(call, dataBody, '{"productId": string}');
		const product = database.product(pid);
		if (!product) throw new HttpError(404, 'There is no product with this productId.');
		const data = wireProductData(database, product, facts, call.origin);
		return answer.json(200, data, lastModified(product.changedAt));
	},
};

/** Operation 3: the published reviews of one product as html and structured data. `Authorization` is ignored. */
export const crawlerReviews: OperationRoute = {
	operation: 'crawlerReviews',
	pidsOf: ({ query }) => query.getAll('pid').slice(0, 1),
	handle({ query }, { database, facts }) {
		const pid = query.get('pid');
		if (!pid) throw new HttpError(400, 'The query parameter "pid" is missing.');
		if (!query.get('wsid')) throw new HttpError(400, 'The query parameter "wsid" is missing.');
		if (query.get('wsid') !== facts.wsid) throw new HttpError(404, 'There is no website with this wsid.');
		const product = database.product(pid);
		if (!product) throw new HttpError(404, 'There is no product with this pid.');
		const published = database.reviews({ pid, status: 'published' });
		const summary = database.ratings(pid);
		// A flag is set if it is `true` or `1`; otherwise the part is left empty.
		const isWanted = (name: string) => ['true', '1'].includes(query.get(name) ?? '');
		const payload: Complete<CrawlerReviewsResponse> = {
			status: 200,
			pid,
			dataCount: { prtng: summary.count, avgrtng: summary.average },
			html: isWanted('ihtml') ? crawlerHtml(product, published, facts) : '',
			jsonld: isWanted('ijsonld') ? crawlerJsonld(product, published, summary, facts) : '',
		};
		return answer.json(200, payload, lastModified(product.changedAt));
	},
};

type RatingSummary = ReturnType<Database['ratings']>;

/** Creates `html` of operation 3. The documentation says of the class: "a prefix plus `_` plus a block id". */
function crawlerHtml(product: Product, reviews: readonly Review[], facts: Service['facts']): string {
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
function crawlerJsonld(
	product: Product,
	reviews: readonly Review[],
	{ average: ratingValue, count: reviewCount }: RatingSummary,
	facts: Service['facts'],
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
function wireProductData(database: Database, product: Product, facts: Service['facts'], origin: string) {
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
