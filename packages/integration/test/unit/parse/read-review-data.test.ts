import type { ProductReviewData } from 'product-reviews-client';
import { describe, expect, test } from 'vitest';
import { createDropCounter, type DroppedParts } from '../../../src/parse/dropped-parts.js';
import { readReviewData } from '../../../src/parse/read-review-data.js';
import type { FullReview, ReviewData } from '../../../src/parse/review-data.js';
import { STRINGS } from '../../support/corpora.js';
import { dataOf, wireData, wireReview } from '../../support/service/wire-data.js';
import { messageOf } from '../../support/unit/error.js';

async function read(
	parts: Record<string, unknown> = {},
): Promise<{ data: ReviewData; dropped: DroppedParts }> {
	const { drop, dropped } = createDropCounter();
	return { data: readReviewData(await dataOf(wireData(parts)), drop), dropped };
}

async function readReview(parts: Record<string, unknown>): Promise<FullReview & { dropped: DroppedParts }> {
	const { data, dropped } = await read({ data: [wireReview(parts)] });
	return { ...(data.reviews[0] as FullReview), dropped };
}

test('the documented answer', async () => {
	const { data, dropped } = await read();
	expect(dropped).toEqual({});
	expect(data).toMatchInlineSnapshot(`
		{
		  "aggregate": {
		    "average": 4.5,
		    "count": 12,
		  },
		  "distribution": {
		    "1": 1,
		    "2": 0,
		    "3": 1,
		    "4": 2,
		    "5": 8,
		  },
		  "media": [
		    {
		      "author": "Ada Lovelace",
		      "body": "Boils fast.",
		      "date": "2026-03-01",
		      "images": [
		        "https://cdn.example/1.jpg",
		      ],
		      "key": "5e611ab5bd57",
		      "rating": 4,
		      "title": "Good",
		      "verified": true,
		      "videos": [],
		    },
		  ],
		  "pid": "p-1",
		  "questionCount": 5,
		  "questions": [
		    {
		      "answer": "It does.",
		      "answeredOn": "2026-02-02",
		      "askedOn": "2026-02-01",
		      "author": "Grace Hopper",
		      "key": "6dfce1a71996",
		      "question": "Does it whistle?",
		    },
		  ],
		  "recommendCount": 9,
		  "reviews": [
		    {
		      "author": "Ada Lovelace",
		      "body": "Boils fast.
		Looks nice.",
		      "city": "London",
		      "country": "United Kingdom",
		      "customQuestions": [
		        "How is the lid? Tight.",
		      ],
		      "date": "2026-03-01",
		      "externalSource": "Import",
		      "helpfulCount": 7,
		      "images": [
		        "https://cdn.example/1.jpg",
		      ],
		      "key": "5e611ab5bd57",
		      "pinned": true,
		      "productImageUrl": "https://cdn.example/kettle.jpg",
		      "productName": "Kettle",
		      "productUrl": "https://shop.example/products/p-1",
		      "rating": 4.5,
		      "recommends": true,
		      "state": "Greater London",
		      "tags": [
		        "lid",
		      ],
		      "testimonial": true,
		      "title": "Good",
		      "topics": [
		        {
		          "key": "lid",
		          "sentiment": "positive",
		        },
		      ],
		      "unhelpfulCount": 2,
		      "verified": true,
		      "videos": [
		        "https://cdn.example/1.mp4",
		      ],
		    },
		  ],
		  "topicSummaries": {
		    "en": [
		      {
		        "text": "It is tight.",
		        "topic": "lid",
		      },
		    ],
		  },
		  "topics": [
		    {
		      "key": "lid",
		      "names": {
		        "en": "lid",
		        "pt": "tampa",
		      },
		      "negative": 1,
		      "neutral": 1,
		      "positive": 4,
		      "total": 6,
		    },
		  ],
		}
	`);
});

describe('the rest of an answer survives', () => {
	test.each(['dataCount', 'dataMedia', 'dataQueAns', 'dataCountQueAns'])('without %s', async (part) => {
		const { data } = await read({ [part]: undefined });
		expect(data.reviews).toHaveLength(1);
		expect(await read({ [part]: null })).toMatchObject({ data: { reviews: [{ title: 'Good' }] } });
		expect(await read({ [part]: 'wrong' })).toMatchObject({ data: { reviews: [{ title: 'Good' }] } });
	});

	test('without the reviews that are none', async () => {
		const { data, dropped } = await read({
			data: [null, wireReview(), wireReview({ rtng: 'five' })],
			dataQueAns: [null, 7, { que: 'Any?' }],
		});
		expect(data.reviews).toHaveLength(1);
		expect(data.questions).toHaveLength(1);
		expect(dropped).toEqual({ 'part-unreadable': 2 });
	});

	test('5,000 reviews are kept, those beyond are counted', async () => {
		const reviews = Array.from({ length: 5_003 }, (_, index) => wireReview({ _id: `r-${index}` }));
		const { data, dropped } = await read({ data: reviews });
		expect(data.reviews).toHaveLength(5_000);
		expect(new Set(data.reviews.map(({ key }) => key)).size).toBe(5_000);
		expect(dropped).toEqual({ 'part-beyond-limit': 3 });
	});

	test('the order is the one of the service', async () => {
		const titles = ['c', 'a', 'b'];
		const { data } = await read({ data: titles.map((rttl, index) => wireReview({ rttl, ipin: index > 0 })) });
		expect(data.reviews.map(({ title }) => title)).toEqual(titles);
	});
});

describe('fields', () => {
	test.each<[string, Record<string, unknown>, Partial<FullReview>, DroppedParts]>([
		['a rating out of the scale', { rtng: 7 }, { rating: undefined }, { 'rating-unusable': 1 }],
		['a date that does not exist', { cdt: '2026-02-31' }, { date: undefined }, {}],
		[
			'a script as an address',
			{ pu: 'javascript:alert(1)' },
			{ productUrl: undefined },
			{ 'address-refused': 1 },
		],
		[
			'a script among images',
			{ arrimg: ['data:,x', 'https://a.example/'] },
			{ images: ['https://a.example/'] },
			{ 'address-refused': 1 },
		],
		['a count that is none', { cntupvt: -1.5 }, { helpfulCount: 0 }, { 'count-unusable': 1 }],
		['control characters', { rttl: '\u0000a\u0007b', un: 'A\u0001da' }, { title: 'ab', author: 'Ada' }, {}],
		['a text that nobody can see', { rttl: '\u200b\u2060' }, { title: undefined }, { 'text-unreadable': 1 }],
		['a name that goes on', { un: 'a'.repeat(500) }, { author: `${'a'.repeat(199)}…` }, { 'text-cut': 1 }],
		['no recommendation', { ircmnd: null }, { recommends: undefined }, {}],
	])('%s', async (_what, parts, expected, dropped) => {
		const review = await readReview(parts);
		expect(review).toMatchObject(expected);
		expect(review.dropped).toEqual(dropped);
	});

	test('a review of which nothing is to be shown is left out', async () => {
		const nothing = wireReview({ rtng: 0, rttl: '', rtxt: '\u200b', arrimg: [], arrvdo: [] });
		const { data, dropped } = await read({ data: [wireReview(), nothing] });
		expect(data.reviews).toHaveLength(1);
		expect(dropped).toMatchObject({ 'review-empty': 1 });
	});

	test('counts of questions are never less than there are questions', async () => {
		expect((await read({ dataCountQueAns: 0 })).data.questionCount).toBe(1);
	});

	test('languages are BCP 47 tags; other keys do no harm', async () => {
		const hostile = JSON.parse(
			'{"__proto__":"x","constructor":"x","pt_BR":"tampa","toString":"x","<b>":"x","en":"lid"}',
		);
		const { data } = await read({
			dataCount: {
				prtng: 1,
				avgrtng: 5,
				aitopics: [{ key: '__proto__', translations: hostile }],
				topicsmry: { EN: [{ topic: 'lid', text: 'x' }], '': [] },
			},
		});
		expect(data.topics).toMatchObject([{ key: '__proto__', names: { 'pt-BR': 'tampa', en: 'lid' } }]);
		expect(Object.keys(data.topics[0]?.names ?? {})).toEqual(['pt-BR', 'en']);
		expect(Object.keys(data.topicSummaries)).toEqual(['en']);
		expect(({} as Record<string, unknown>)['x']).toBeUndefined();
	});
});

describe('other products', () => {
	test('their reviews, images, counts and questions are left out', async () => {
		const { data, dropped } = await read({
			data: [wireReview(), wireReview({ _id: 'r-2', pid: 'p-2', rttl: 'Other' })],
			dataCount: { pid: 'p-2', avgrtng: 1, prtng: 3 },
			dataMedia: [
				{ pid: 'p-2', arrimg: ['https://cdn.example/2.jpg'] },
				{ arrimg: ['https://cdn.example/3.jpg'] },
			],
			dataQueAns: [
				{ que: 'Other?', arrpid: [{ pid: 'p-2' }] },
				{ que: 'Both?', arrpid: [{ pid: 'p-2' }, { pid: 'p-1' }] },
				{ que: 'Any?', arrpid: [] },
			],
		});
		expect(data.reviews.map(({ title }) => title)).toEqual(['Good']);
		expect(data.aggregate).toBeUndefined();
		expect(data.media.map(({ images }) => images)).toEqual([['https://cdn.example/3.jpg']]);
		expect(data.questions.map(({ question }) => question)).toEqual(['Both?', 'Any?']);
		expect(dropped).toEqual({ 'other-product': 4 });
	});

	test('ratings of this product and reviews of others only are an answer that cannot be used', async () => {
		const data = await dataOf(wireData({ data: [wireReview({ pid: 'p-2' })] }));
		expect(await messageOf(() => readReviewData(data))).toMatchInlineSnapshot(`
			"ReviewPayloadError: The review data counts ratings of this product, but contains only reviews of other products.
			Check what the service sends as "data" for this product."
		`);
	});

	test('fallback reviews of a product without ratings are no reviews', async () => {
		const { data } = await read({ data: [wireReview({ pid: 'p-2' })], dataCount: { avgrtng: 0, prtng: 0 } });
		expect(data).toMatchObject({ aggregate: undefined, reviews: [] });
	});
});

test.each([undefined, null, 'text', {}, { pid: 'p-1' }, { pid: 'p-1', reviews: {} }])(
	'%j is no answer',
	async (value) => {
		const message = await messageOf(() => readReviewData(value as never as ProductReviewData));
		expect(message).toMatch(/^ReviewPayloadError: The review data .+\.\nCheck what the service sends/);
	},
);

test('keys are the same in every build, tell reviews apart, and hide the id', async () => {
	const ids = ['r-1', 'r-1', 'ada@shop.example'];
	const keysOf = async () =>
		(await read({ data: ids.map((_id) => wireReview({ _id })) })).data.reviews.map(({ key }) => key);
	const keys = await keysOf();
	expect(await keysOf()).toEqual(keys);
	expect(new Set(keys).size).toBe(3);
	expect(keys.join(' ')).toMatch(/^[\da-f]{12} [\da-f]{12}-2 [\da-f]{12}$/);
});

describe('privacy', () => {
	test.each<[string, string | undefined]>([
		['ada@shop.example', undefined],
		['Ada <ada@shop.example>', 'Ada'],
		['Ada, ada.lovelace＠shop.example', 'Ada'],
		['Ada ada @ shop.example', 'Ada'],
		['a\u200bda@shop.example', undefined],
		['+44 (0)20 7946-0958', undefined],
		['Ada 0049 89 1234567', 'Ada'],
		['Ada ٠١٢٣٤٥٦٧٨٩', 'Ada'],
		['020\u200b7946\u200b0958', undefined],
		['Ada Lovelace', 'Ada Lovelace'],
		['Jean-Luc (25)', 'Jean-Luc (25)'],
		['Agent 007', 'Agent 007'],
	])('the name %j is %j', async (name, expected) => {
		const { author, dropped } = await readReview({ un: name });
		expect(author).toBe(expected);
		expect(dropped).toEqual(name === expected ? {} : { 'contact-details-removed': 1 });
	});

	test('places and answers to questions of the merchant are treated alike, texts stay as they are', async () => {
		const text = 'Write to ada@shop.example, 020 7946 0958.';
		const review = await readReview({
			ct: text,
			arrcustque: [text, 'Since 2026-11-20'],
			rttl: text,
			rtxt: text,
		});
		expect(review).toMatchObject({ city: 'Write to', title: text, body: text });
		expect(review.customQuestions).toEqual(['Write to', 'Since 2026-11-20']);
	});

	test('a long text takes no longer than it is long', () => {
		const start = performance.now();
		for (const part of ['a', '1 ', '@', 'a@', '(', 'a ', '+', '1-', '. ']) {
			const name = part.repeat(100);
			const review = {
				...wireReview(),
				pid: 'p-1',
				author: name,
				customQuestions: Array(50).fill(part.repeat(250)),
			};
			readReviewData({ pid: 'p-1', reviews: Array(20).fill(review) } as never);
		}
		expect(performance.now() - start).toBeLessThan(5_000);
	});
});

test('no string of a stranger in any field is an error or leaves a control character', async () => {
	const fields = ['un', 'ct', 'st', 'cn', 'pn', 'rttl', 'rtxt', 'extsrc', 'pu', 'piu', 'cdt', '_id'];
	const reviews = STRINGS.map((text) => wireReview(Object.fromEntries(fields.map((name) => [name, text]))));
	const { data } = await read({ data: reviews });
	expect(data.reviews).toHaveLength(STRINGS.length);
	const texts = data.reviews.flatMap((review) => Object.values(review)).join('');
	expect(texts).not.toMatch(/[^\P{Cc}\t\n]/u);
	for (const { productUrl, productImageUrl } of data.reviews) {
		expect(productUrl ?? 'https://').toMatch(/^https?:\/\//);
		expect(productImageUrl ?? 'https://').toMatch(/^https?:\/\//);
	}
});
