import fc from 'fast-check';
import type { ProductReviewData } from 'product-reviews-client';
import { describe, expect, test } from 'vitest';
import { ReviewPayloadError } from '../../../src/errors.js';
import { createDropCounter, type DroppedParts } from '../../../src/records/field-reader.js';
import { readReviewData } from '../../../src/records/read-review-data.js';
import type { Review } from '../../../src/records/record.js';
import { STRINGS } from '../../support/corpora.js';
import { dataOf, wireData, wireReview } from '../../support/service/wire-data.js';
import { messageOf } from '../../support/unit/error.js';
import { strangersText, times } from '../../support/unit/fuzz.js';

type Parts = Readonly<Record<string, unknown>>;

async function read(parts: Parts = {}) {
	const { drop, dropped } = createDropCounter();
	return { ...readReviewData(await dataOf(wireData(parts)), drop), dropped };
}

async function readReview(parts: Parts): Promise<Review & { dropped: DroppedParts }> {
	const { reviews, dropped } = await read({ data: [wireReview(parts)] });
	return { ...(reviews[0] as Review), dropped };
}

test('the documented answer', async () => {
	const review = { author: 'Ada Lovelace', title: 'Good', date: '2026-03-01', verified: true };
	expect(await read()).toEqual({
		...{ pid: 'p-1', aggregate: { average: 4.5, count: 12 }, recommendCount: 9, questionCount: 5 },
		distribution: { 1: 1, 2: 0, 3: 1, 4: 2, 5: 8 },
		reviews: [
			{
				...review,
				...{ key: '5e611ab5bd57', rating: 4.5, body: 'Boils fast.\nLooks nice.' },
				...{ city: 'London', state: 'Greater London', country: 'United Kingdom' },
				...{ productName: 'Kettle', productUrl: 'https://shop.example/products/p-1' },
				productImageUrl: 'https://cdn.example/kettle.jpg',
				...{ images: ['https://cdn.example/1.jpg'], videos: ['https://cdn.example/1.mp4'] },
				...{ tags: ['lid'], customQuestions: ['How is the lid? Tight.'] },
				topics: [{ key: 'lid', sentiment: 'positive' }],
				...{ pinned: true, recommends: true, testimonial: true, externalSource: 'Import' },
				...{ helpfulCount: 7, unhelpfulCount: 2 },
			},
		],
		media: [
			{
				...{ ...review, key: '5e611ab5bd57', rating: 4, body: 'Boils fast.' },
				...{ images: ['https://cdn.example/1.jpg'], videos: [] },
			},
		],
		questions: [
			{
				...{ key: '6dfce1a71996', author: 'Grace Hopper', question: 'Does it whistle?', answer: 'It does.' },
				...{ askedOn: '2026-02-01', answeredOn: '2026-02-02' },
			},
		],
		topics: [
			{ key: 'lid', names: { en: 'lid', pt: 'tampa' }, total: 6, positive: 4, negative: 1, neutral: 1 },
		],
		topicSummaries: { en: [{ topic: 'lid', text: 'It is tight.' }] },
		dropped: {},
	});
});

describe('the rest of an answer survives', () => {
	test.each(['dataCount', 'dataMedia', 'dataQueAns', 'dataCountQueAns'])('without %s', async (part) => {
		for (const value of [undefined, null, 'wrong']) {
			expect(await read({ [part]: value })).toMatchObject({ reviews: [{ title: 'Good' }] });
		}
	});

	test('without the reviews and questions that are none', async () => {
		const nothing = wireReview({ rtng: 0, rttl: '', rtxt: '\u200b', arrimg: [], arrvdo: [] });
		const data = [null, wireReview(), wireReview({ rtng: 'five' }), nothing];
		const { reviews, questions, dropped } = await read({ data, dataQueAns: [null, 7, { que: 'Any?' }] });
		expect([reviews.length, questions.length]).toEqual([1, 1]);
		expect(dropped).toMatchObject({ 'part-unreadable': 2, 'review-empty': 1 });
		expect((await read({ dataCountQueAns: 0 })).questionCount).toBe(1);
	});

	test('5,000 reviews are kept in the order of the service, those beyond are counted', async () => {
		const data = Array.from({ length: 5_003 }, (_, index) =>
			wireReview({ _id: `r-${index}`, rttl: `t-${index}`, ipin: index === 9 }),
		);
		const { reviews, dropped } = await read({ data });
		expect(reviews.map(({ title }) => title)).toEqual(data.slice(0, 5_000).map(({ rttl }) => rttl));
		expect(new Set(reviews.map(({ key }) => key)).size).toBe(5_000);
		expect(dropped).toEqual({ 'part-beyond-limit': 3 });
	});
});

const IMAGE = 'https://a.example/';

test.each<[string, Parts, Partial<Review>, DroppedParts]>([
	['a rating out of the scale', { rtng: 7 }, { rating: undefined }, { 'rating-unusable': 1 }],
	['a date that does not exist', { cdt: '2026-02-31' }, { date: undefined }, {}],
	['a script as an address', { pu: 'javascript:x' }, { productUrl: undefined }, { 'address-refused': 1 }],
	['a script among images', { arrimg: ['data:,x', IMAGE] }, { images: [IMAGE] }, { 'address-refused': 1 }],
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

test('languages are BCP 47 tags; other keys do no harm', async () => {
	const hostile = JSON.parse(
		'{"__proto__":"x","constructor":"x","pt_BR":"tampa","toString":"x","<b>":"x","en":"lid"}',
	);
	const { topics, topicSummaries } = await read({
		dataCount: {
			...{ prtng: 1, avgrtng: 5, aitopics: [{ key: '__proto__', translations: hostile }] },
			topicsmry: { EN: [{ topic: 'lid', text: 'x' }], '': [] },
		},
	});
	expect(topics).toMatchObject([{ key: '__proto__', names: { 'pt-BR': 'tampa', en: 'lid' } }]);
	expect(Object.keys(topics[0]?.names ?? {})).toEqual(['pt-BR', 'en']);
	expect(Object.keys(topicSummaries)).toEqual(['en']);
	expect(({} as Parts)['x']).toBeUndefined();
});

test('reviews, images, counts and questions of other products are left out', async () => {
	const { reviews, aggregate, media, questions, dropped } = await read({
		data: [wireReview(), wireReview({ _id: 'r-2', pid: 'p-2', rttl: 'Other' })],
		dataCount: { pid: 'p-2', avgrtng: 1, prtng: 3 },
		dataMedia: [{ pid: 'p-2', arrimg: ['https://a.example/2'] }, { arrimg: ['https://a.example/3'] }],
		dataQueAns: [
			{ que: 'Other?', arrpid: [{ pid: 'p-2' }] },
			{ que: 'Both?', arrpid: [{ pid: 'p-2' }, { pid: 'p-1' }] },
			{ que: 'Any?', arrpid: [] },
		],
	});
	expect(reviews.map(({ title }) => title)).toEqual(['Good']);
	expect(aggregate).toBeUndefined();
	expect(media.map(({ images }) => images)).toEqual([['https://a.example/3']]);
	expect(questions.map(({ question }) => question)).toEqual(['Both?', 'Any?']);
	expect(dropped).toEqual({ 'other-product': 4 });
});

test('ratings of this product and reviews of others only are an answer that cannot be used', async () => {
	const data = [wireReview({ pid: 'p-2' })];
	expect(await messageOf(() => read({ data }))).toBe(
		'ReviewPayloadError: The review data counts ratings of this product, but contains only reviews of other products.\nCheck what the service sends as review data for this product.',
	);
	// Without ratings, they only stand in for reviews.
	const dataCount = { avgrtng: 0, prtng: 0 };
	expect(await read({ data, dataCount })).toMatchObject({ aggregate: undefined, reviews: [] });
});

test.each([undefined, null, 'text', {}, { pid: 'p-1', reviews: {} }])('%j is no answer', async (value) => {
	const message = await messageOf(() => readReviewData(value as never as ProductReviewData));
	expect(message).toMatch(/^ReviewPayloadError: The review data .+\.\nCheck what the service sends/);
});

test('keys are the same in every build, tell reviews apart, and hide the id', async () => {
	const data = ['r-1', 'r-1', 'ada@shop.example'].map((_id) => wireReview({ _id }));
	const keysOf = async () => (await read({ data })).reviews.map(({ key }) => key);
	const keys = await keysOf();
	expect(await keysOf()).toEqual(keys);
	expect(new Set(keys).size).toBe(3);
	expect(keys.join(' ')).toMatch(/^[\da-f]{12} [\da-f]{12}-2 [\da-f]{12}$/);
});

test.each<[string, string | undefined]>([
	['ada@shop.example', undefined],
	['Ada <ada@shop.example>', 'Ada'],
	['Ada, ada.lovelace＠shop.example', 'Ada'],
	['Ada ada @ shop.example', 'Ada'],
	['a\u200bda@shop.example', undefined],
	['+44 (0)20 7946-0958', undefined],
	['Ada ٠١٢٣٤٥٦٧٨٩', 'Ada'],
	['020\u200b7946\u200b0958', undefined],
	['Ada Lovelace', 'Ada Lovelace'],
	['Jean-Luc (25)', 'Jean-Luc (25)'],
])('the name %j is %j', async (name, expected) => {
	const { author, dropped } = await readReview({ un: name });
	expect(author).toBe(expected);
	const { 'unseen-characters-removed': _unseen, ...others } = dropped;
	expect(others).toEqual(name === expected ? {} : { 'contact-details-removed': 1 });
});

test('places and answers to questions of the merchant are treated alike, texts stay as they are', async () => {
	const text = 'Write to ada@shop.example, 020 7946 0958.';
	const arrcustque = [text, 'Since 2026-11-20'];
	const review = await readReview({ ct: text, arrcustque, rttl: text, rtxt: text });
	expect(review).toMatchObject({ city: 'Write to', title: text, body: text });
	expect(review.customQuestions).toEqual(['Write to', 'Since 2026-11-20']);
});

test('no e-mail address, phone number or id of a person comes through, wherever the service sends it', async () => {
	const contacts = ['canary@private.example', '+49 170 5550123'];
	const canary = fc.constantFrom(...contacts, 'customer-id-4711');
	const ends = [
		fc.constantFrom('', 'Ada ', 'Ada, ', 'Ada ('),
		fc.constantFrom('', ' ', ') ', ', UK'),
	] as const;
	const named = fc.tuple(ends[0], fc.constantFrom(...contacts), ends[1]).map((parts) => parts.join(''));
	const all = (names: string, value: fc.Arbitrary<string>) =>
		fc.record(Object.fromEntries(names.split(' ').map((name) => [name, value])));
	// Fields of which nothing is taken over, documented ones and others, and fields of which something is.
	const unread = '_id i wsid shp pgid csvid mde fa cst1 cst2 cst3 cnid rvwrimg email phone customerId src';
	const person = fc
		.tuple(all(unread, canary), all('un ct st cn extsrc cstnm', named))
		.map(([others, known]) => ({ ...others, ...known }));
	const property = fc.asyncProperty(person, fc.constantFrom(...contacts), async (fields, contact) => {
		const text = JSON.stringify(
			await read({
				...fields,
				data: [wireReview({ ...fields, arrcustque: [`Reach me: ${contact}`] })],
				dataMedia: [{ ...fields, arrimg: ['https://cdn.example/1.jpg'] }],
				dataQueAns: [{ ...fields, que: 'Does it whistle?' }],
			}),
		);
		expect(text).toMatch(/Boils fast\..*Does it whistle\?/);
		expect(text).not.toMatch(/canary|private\.example|5550123|4711/);
	});
	await fc.assert(property, times(150));
});

test('no string of a stranger in any field is an error or leaves a control character', async () => {
	const fields = ['un', 'ct', 'st', 'cn', 'pn', 'rttl', 'rtxt', 'extsrc', 'pu', 'piu', 'cdt', '_id'];
	const { reviews } = await read({
		data: STRINGS.map((text) => wireReview(Object.fromEntries(fields.map((name) => [name, text])))),
	});
	expect(reviews).toHaveLength(STRINGS.length);
	expect(reviews.flatMap((review) => Object.values(review)).join('')).not.toMatch(/[^\P{Cc}\t\n]/u);
	const addresses = reviews.flatMap(({ productUrl, productImageUrl }) => [productUrl, productImageUrl]);
	for (const address of addresses) expect(address ?? 'https://').toMatch(/^https?:\/\//);
});

test('a record with anything at all in it is read, or refused with the one error that is for it', async () => {
	const anything = fc.oneof(
		fc.anything({ maxDepth: 3, withNullPrototype: true, withSparseArray: true, withBigInt: true }),
		strangersText,
		fc.constantFrom(null, undefined, [], {}, '', 0, -1, Number.NaN, '__proto__', [null], new Date(0)),
	);
	/** Some things, each with some of its fields replaced. */
	const spoiled = <Documented extends object>(one: Documented) =>
		fc
			.array(fc.tuple(fc.constantFrom(...Object.keys(one)), anything))
			.map((fields) => ({ ...one, ...Object.fromEntries(fields) }));
	const orList = (one: object) => fc.oneof(anything, fc.array(fc.oneof(anything, spoiled(one))));
	const documented = await dataOf(wireData());
	const { reviews, media, questions, summary } = documented;
	const orListOf = ([one = {}]: readonly object[]) => orList(one);
	const parts = fc.record({
		reviews: orListOf(reviews),
		summary: fc.oneof(anything, spoiled(summary ?? {})),
		...{ media: orListOf(media), questions: orListOf(questions), questionCount: anything },
	});
	const record = fc.oneof(
		parts.map((some) => ({ ...documented, ...some })),
		spoiled(documented),
	);
	let found = 0;
	const property = fc.property(record, (one) => {
		try {
			const data = readReviewData(one as never);
			found += 1;
			// What is read is what the store gives back.
			expect(JSON.stringify(JSON.parse(JSON.stringify(data)))).toBe(JSON.stringify(data));
			for (const { rating = 1, key } of data.reviews) {
				expect(rating >= 1 && rating <= 5).toBe(true);
				expect(key).toMatch(/^[\da-f]{12}/);
			}
		} catch (error) {
			expect(error).toBeInstanceOf(ReviewPayloadError);
		}
	});
	fc.assert(property, times(300));
	expect(found).toBeGreaterThan(60);
});
