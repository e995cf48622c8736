import { inspect } from 'node:util';
import fc from 'fast-check';
import { errorOf } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { codeOf, kindOf } from '../../../src/base/failures.js';
import { ReviewPayloadError, ReviewServiceError } from '../../../src/errors.js';
import { throttleOf } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProviderReviews, ReviewProvider } from '../../../src/options/provider.js';
import type { ProductReviewsUserOptions } from '../../../src/options/schema.js';
import { createProviderCalls } from '../../../src/providers/provider-call.js';
import { readProviderData, readProviderReviews } from '../../../src/providers/read-provider-reviews.js';
import type { RequestFacts } from '../../../src/providers/review-fetcher.js';
import { createReviewFetcher } from '../../../src/providers/review-fetcher.js';
import { strangersText, times } from '../../support/unit/fuzz.js';
import { lookAtPage, pageAround } from '../../support/unit/page.js';
import { writeAll } from '../../support/unit/write.js';

const REVIEW = { author: 'Ada', rating: 5, title: 'Fast', body: 'Boils fast.', date: '2026-11-20T08:00:00Z' };
const GOOD: ProviderReviews = { reviews: [REVIEW, { ...REVIEW, rating: 4 }] };
const BIG = 'x'.repeat(10_000_000);

interface StartOptions extends ProductReviewsUserOptions {
	readonly env?: Readonly<Record<string, string>>;
	/** Gets the lines that are logged. */
	readonly warnings?: string[];
}

/** A provider of the test, without waits between its tries, and what became of its requests. */
function start(
	reviews: (...given: Parameters<ReviewProvider['reviews']>) => unknown,
	more: Partial<ReviewProvider> = {},
	{ env = {}, warnings = [], ...options }: StartOptions = {},
) {
	const facts: RequestFacts[] = [];
	let time = 0;
	const provider = createProviderCalls(
		{ ...more, reviews: reviews as ReviewProvider['reviews'] },
		{
			...throttleOf(parseOptions({ timeout: 50, retries: 2, ...options })),
			warn: (line) => warnings.push(line),
			env: (name) => (name === 'UNSET' ? undefined : (env[name] ?? `value of ${name}`)),
			monotonicNow: () => time,
			sleep: async (milliseconds) => {
				time += milliseconds;
			},
			onRequest: (one) => facts.push(one),
		},
	);
	const revisions = new Map<string, number>();
	const service = createReviewFetcher(provider, (pid) => revisions.get(pid) ?? 0);
	return { provider, service, facts, revisions };
}

const status = (code: number, headers = {}) =>
	new Error('refused', { cause: new Response(null, { status: code, headers }) });
const otherClients = Object.assign(new Error('no'), { response: { status: 401, headers: {} } });
const secret = new Error('postgres://shop:canary@db/x?key=canary is down');

/** What fails for a while is tried three times, and as often after all others. */
async function expectFailure(kind: string, requests: number, message: string, answer: () => unknown) {
	const { service, facts } = start(answer);
	const error = await errorOf(service.fetch('reviews', 'p-1'));
	expect([kindOf(error), facts.length]).toEqual([kind, requests]);
	expect(error.message).toContain(message);
	expect(error.message).not.toContain('canary');
	expect(facts[0]).toMatchObject({ method: 'call', url: 'reviews() of the provider', pids: ['p-1'] });
}

test.each<[what: string, thrown: unknown, kind: string, requests: number, message: string]>([
	['an error', new Error('no such table'), 'other', 6, 'product "p-1": no such table after 3 tries.'],
	['no error', 'down', 'other', 6, 'down after 3 tries'],
	['a secret', secret, 'other', 6, 'postgres://db/x is down'],
	['a 500', status(500), 'server-error', 6, 'refused (status 500) after 3 tries'],
	['a 429 and how long to wait', status(429, { 'retry-after': '1' }), 'rate-limited', 6, 'status 429'],
	['a pause of an hour', status(429, { 'retry-after': '3600' }), 'rate-limited', 1, 'not sent again'],
	['a 401 as other clients do', otherClients, 'refused', 1, 'no (status 401)'],
	['a response', new Response(null, { status: 503 }), 'server-error', 6, 'refused (status 503)'],
	['a 410', Object.assign(new Error('gone'), { status: 410 }), 'client-error', 1, 'gone (status 410)'],
])('a provider that throws %s fails as the service would', async (_what, thrown, ...expected) => {
	await expectFailure(...expected, () => Promise.reject(thrown));
	await expectFailure(...expected, () => {
		throw thrown;
	});
});

/** What a provider may say that it read with env(), in an error: nothing is known of its form. */
const KEY = '-----BEGIN KEY-----\ncanary-line-one/+\r\ncanary-line-two\n-----END KEY-----\n';

test.each<[what: string, say: (key: string) => string, said: string]>([
	['as it is', (key) => `Headers.append: "${key}" is invalid`, 'Headers.append: "[KEY]" is invalid'],
	['on one line', (key) => `no ${key.replaceAll(/\s+/g, ' ')}!`, '[KEY] [KEY]'],
	['one of its lines', (key) => `bad key at ${key.split('\n')[1]}`, 'bad key at [KEY]'],
	[
		'in an address',
		(key) => `https://a.example/${encodeURIComponent(key)} failed`,
		'https://a.example/[KEY] failed',
	],
	['as JSON', (key) => JSON.stringify({ key }), '{"key":"[KEY]'],
	['in base64', (key) => `Basic ${Buffer.from(key).toString('base64')}`, 'Basic [KEY]'],
	['at the end of a long text', (key) => `${'x'.repeat(280)} ${key}`, 'xxx [KEY]'],
])('a value of the environment is said by its name: %s', async (_what, say, said) => {
	for (const wrap of [(error: Error) => error, (cause: Error) => new Error('failed', { cause })]) {
		const { provider } = start(
			(_pid, { env }) => {
				throw wrap(new Error(say(env('KEY') ?? '')));
			},
			{},
			{ retries: 0, env: { KEY } },
		);
		const error = await errorOf(provider.reviews('p-1'));
		expect(error.message).toContain(said);
		expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary');
	}
});

test.each([
	['postgres://shop:can/ary@db:5432/x', 'postgres://db:5432/x'],
	['postgres://shop:12/canary@db/x', 'postgres://db/x'],
	['postgres://shop:canary\nline@db/x', 'postgres://db/x'],
	['postgres://shop:p ss canary@db/x', 'postgres://db/x'],
	['https://shop:p@canary@db.example/x', 'https://db.example/x'],
	['https://shop:?#canary@db.example/x', 'https://db.example/x'],
	['https://canary@db.example', 'https://db.example'],
	[`https://shop:canary${'x'.repeat(400)}@db.example/`, 'https://db.example/'],
	['http://db.example:80/x failed, ask a@b.example', 'http://db.example:80/x failed, ask a@b.example'],
	['http://[::1]:80/x failed, ask a@b.example', 'http://[::1]:80/x failed, ask a@b.example'],
	['https://cdn.example/@scope/name', 'https://cdn.example/@scope/name'],
])(
	'an address is said without what may be secret, whether it can be parsed or not: %j',
	async (address, said) => {
		const { provider } = start(
			() => Promise.reject(new Error(`Invalid URL ${address} given`)),
			{},
			{ retries: 0 },
		);
		const error = await errorOf(provider.reviews('p-1'));
		expect(error.message).toContain(`Invalid URL ${said} given`);
		expect(inspect(error, { depth: 9 })).not.toContain('canary');
	},
);

test.each<[string, (env: (name: string) => string | undefined) => unknown, string]>([
	['a variable that is not set', (env) => fetch(`${env('UNSET')}/products`), 'not set: UNSET'],
	['an address that is none', () => fetch('shop.example/products'), 'Failed to parse URL'],
	['an address that the provider makes', () => new URL('shop.example'), 'Invalid URL'],
])('%s is named, and not tried again', async (_what, call, message) => {
	const { service, facts } = start(async (_pid, { env }) => {
		await call((name) => (name === 'UNSET' ? env('UNSET') : undefined));
		return GOOD;
	});
	const error = await errorOf(service.fetch('reviews', 'p-1'));
	expect(error.message).toContain(message);
	expect([codeOf(error), facts.length]).toEqual(['PR_PROVIDER_FAILED', 1]);
});

test('a provider that hangs, whatever the signal says, has no more time than the service', async () => {
	await expectFailure('timeout', 6, 'no complete answer within 50 ms', () => new Promise(() => {}));
});

const circle = { ...GOOD, circle: {} };
circle.circle = circle;
const rated = (aggregate: object) => ({ ...GOOD, aggregate });
const ofOther = { reviews: [{ ...REVIEW, pid: 'p-2' }] };

test.each<[what: string, answer: unknown, message: string]>([
	['a text', '<p>', 'is not an object'],
	['a list', [REVIEW], 'is not an object'],
	['a function', () => {}, 'is not an object'],
	['no reviews', {}, 'has no array "reviews"'],
	['nothing at all', undefined, 'it returned undefined'],
	[
		'reviews with other fields',
		{ reviews: [{ stars: 5, text: 'Good' }, { stars: 4 }] },
		'has reviews with none of the fields "rating", "title", "body", "author", "date", "images", "videos", but with "stars", "text".',
	],
	['a circle', circle, 'cannot be written as JSON'],
	['a BigInt', { ...GOOD, pid: 1n }, 'cannot be written as JSON'],
	['10 MB', { reviews: [{ ...REVIEW, body: BIG }] }, 'larger than 8388608 bytes'],
	['another product', { ...GOOD, pid: 'p-2' }, 'is about another product, "p-2"'],
	['reviews of another product', ofOther, 'is about another product, "p-2"'],
	['ratings as texts', { reviews: [{ ...REVIEW, rating: '5' }] }, 'from 1 to 5, but the text "5"'],
	['a count as text', rated({ average: 4.5, count: '2' }), '"count" is the text "2"'],
	['an average as text', rated({ average: '4.5', count: 2 }), '"average" is the text "4.5"'],
	['a count of none', rated({ average: 0, count: 0 }), 'contains 2 rated reviews'],
])('a provider that returns %s fails as the service would', async (_what, answer, message) => {
	const kind = message.includes('another product') ? 'wrong-product' : 'unreadable';
	await expectFailure(kind, 1, message, () => answer);
});

test('a provider that fails for a while is asked again, and gets the signal and the environment', async () => {
	const seen: unknown[] = [];
	const { provider } = start((pid, { signal, env }) => {
		seen.push([pid, signal.aborted, env('KEY')]);
		if (seen.length === 1) throw new Error('down');
		return GOOD;
	});
	await expect(provider.reviews('p-1')).resolves.toMatchObject({
		content: { record: { aggregate: { average: 4.5, count: 2 } } },
	});
	expect(seen).toEqual(Array(2).fill(['p-1', false, 'value of KEY']));
});

test('concurrency and prioritized products are as with the service', async () => {
	let [running, most] = [0, 0];
	const asked: string[] = [];
	const { service } = start(
		async (pid) => {
			asked.push(pid);
			running += 1;
			most = Math.max(most, running);
			await new Promise((resolve) => setTimeout(resolve, 5));
			running -= 1;
			return GOOD;
		},
		{},
		{ concurrency: 2, timeout: 10_000 },
	);
	const all = Array.from({ length: 10 }, (_, index) => service.fetch('reviews', `p-${index}`));
	service.prioritize('reviews', 'p-9');
	await Promise.all(all);
	expect([most, asked.indexOf('p-9')]).toEqual([2, 0]);
});

test('one function is enough: its answer has the rating, the structured data and all of the review data', async () => {
	const images = ['https://cdn.example/a.jpg'];
	const { provider } = start(() => ({
		productName: 'Kettle',
		reviews: [
			{ ...REVIEW, id: 7, images, verified: true, publisher: 'Shop' },
			{ ...REVIEW, rating: 4, productUrl: 'https://shop.example/kettle' },
			{ ...REVIEW, rating: null, date: new Date('2026-11-19'), pid: 'p-1' },
			{ rating: '3' },
			{ rating: 1, pid: 'p-2' },
			'no review',
			{},
		],
		questions: [{ question: 'How loud?', answer: null }],
	}));
	const reviews = await provider.reviews('p-1');
	expect(reviews).toMatchObject({
		content: {
			record: {
				aggregate: { average: 4.5, count: 2 },
				reviews: [{ author: 'Ada', date: '2026-11-20' }, {}, { date: '2026-11-19' }],
				schema: {
					name: 'Kettle',
					url: 'https://shop.example/kettle',
					reviews: [{ publisher: 'Shop' }, {}, {}],
				},
			},
		},
		dropped: { 'rating-unusable': 1, 'part-unreadable': 1, 'other-product': 1, 'review-empty': 2 },
	});
	const { record } = (await provider.reviewData('p-1')).content;
	expect(record).toMatchObject({
		distribution: { 5: 1, 4: 1, 1: 0 },
		media: [{ images }],
		questions: [{ question: 'How loud?', answer: undefined }],
		questionCount: 1,
	});
	// Without ids, keys are in order; with one, they are its own wherever the review stands.
	expect(new Set(record.reviews.map(({ key }) => key)).size).toBe(3);
	expect(record.media[0]?.key).toBe(record.reviews[0]?.key);
});

test.each([0, null, undefined])(
	'a review with the rating %j is not rated: its text is shown, and counted nowhere',
	async (rating) => {
		const { provider } = start(() => ({ reviews: [{ ...REVIEW, rating }] }));
		const { content, dropped, isEmpty } = await provider.reviews('p-1');
		expect(content?.record).toMatchObject({
			aggregate: undefined,
			reviews: [{ author: 'Ada', rating: undefined }],
		});
		expect([isEmpty, dropped]).toEqual([false, {}]);
		const mixed = start(() => ({
			reviews: [
				{ ...REVIEW, rating },
				{ ...REVIEW, rating: 4 },
			],
		}));
		expect((await mixed.provider.reviews('p-1')).content?.record.aggregate).toEqual({ average: 4, count: 1 });
	},
);

test.each<[what: string, odd: object[], fields: string[]]>([
	['stars in place of a rating', [{ author: 'Bo', body: 'Fine.', stars: 4 }], ['"stars"']],
	['no known field', [{ score: 4, text: 'Fine.' }, { text: 'No.' }], ['"score"', '"text"']],
	['no rating', [{ ...REVIEW, rating: null, replies: 2 }, { body: 'Fine.' }], []],
	['what all others have, too', [{ body: 'Fine.', vote: 4 }], []],
])('reviews of which some have %s are named once, with their fields', async (_what, odd, fields) => {
	const warnings: string[] = [];
	const good = Array.from({ length: 57 }, () => ({ ...REVIEW, vote: 1 }));
	const { provider } = start(() => ({ reviews: [...good, ...odd] }), {}, { warnings });
	for (const pid of ['p-1', 'p-2']) {
		await provider.reviews(pid);
		await provider.reviewData(pid);
	}
	const known = '"rating", "title", "body", "author", "date", "images", "videos"';
	expect(warnings).toEqual(
		fields.length === 0
			? []
			: [
					`Some reviews of the provider, such as of "p-1", have no rating, but fields that are not known: ${fields.join(', ')}. What these contain is left out. Use the known fields, such as ${known}. [PR_UNREADABLE_RESPONSE]`,
				],
	);
});

test('a rating without reviews is kept, and stated as it is', async () => {
	const { provider } = start(() => ({ aggregate: { average: 4.5, count: 12 }, reviews: [] }));
	const { content, isEmpty } = await provider.reviews('p-1');
	expect(isEmpty).toBe(false);
	expect(content?.record).toMatchObject({ aggregate: { average: 4.5, count: 12 }, schema: { reviews: [] } });
});

test('both parts of a product share a call; the same part again, a damaged one, or one after a change has its own', async () => {
	const waiting: (() => void)[] = [];
	const { service, revisions } = start((pid) => {
		const { promise, resolve } = Promise.withResolvers<ProviderReviews>();
		waiting.push(() => resolve({ reviews: [{ ...REVIEW, body: `${pid}, call ${waiting.length}` }] }));
		return promise;
	});
	const calls = async (ask: () => readonly Promise<unknown>[]) => {
		const before = waiting.length;
		const asked = ask();
		await new Promise((resolve) => setTimeout(resolve, 5));
		const made = waiting.slice(before);
		for (const answer of made) answer();
		await Promise.all(asked);
		return made.length;
	};
	const both = ['reviews', 'review-data'] as const;
	expect(await calls(() => both.map((part) => service.fetch(part, 'p-1')))).toBe(1);
	expect(await calls(() => both.map((part) => service.fetch(part, 'p-1')))).toBe(1);
	expect(await calls(() => both.map((part, index) => service.fetch(part, `p-${index}`)))).toBe(2);
	expect(await calls(() => [1, 2].map(() => service.fetch('reviews', 'p-1')))).toBe(2);
	expect(
		await calls(() => both.map((part, index) => service.fetch(part, 'p-1', ['', undefined][index]))),
	).toBe(2);
	const changed = () =>
		both.map((part, index) => {
			revisions.set('p-1', index);
			return service.fetch(part, 'p-1');
		});
	expect(await calls(changed)).toBe(2);
	const asked = service.fetch('review-data', 'p-1');
	await new Promise((resolve) => setTimeout(resolve, 5));
	waiting.at(-1)?.();
	expect(await asked).toMatchObject({ isEmpty: false, also: { part: 'reviews', isEmpty: false } });
});

test('parts of a product that share a call fail with it, and the next one is another', async () => {
	let isDown = true;
	const { service, facts } = start(() => (isDown ? Promise.reject(status(404)) : GOOD));
	const fetchBoth = () => (['reviews', 'review-data'] as const).map((part) => service.fetch(part, 'p-1'));
	const failed = await Promise.all(fetchBoth().map(errorOf));
	expect([facts.length, ...failed.map(kindOf)]).toEqual([1, 'client-error', 'client-error']);
	isDown = false;
	await Promise.all(fetchBoth());
	expect(facts).toHaveLength(2);
});

test('a provider with a function for all of the review data is asked for both', async () => {
	const { service, facts } = start(() => GOOD, { reviewData: () => ({ reviews: [REVIEW] }) });
	const [, data] = await Promise.all([service.fetch('reviews', 'p-1'), service.fetch('review-data', 'p-1')]);
	expect(facts.map(({ operation, url }) => [operation, url])).toEqual([
		['crawlerReviews', 'reviews() of the provider'],
		['productReviewData', 'reviewData() of the provider'],
	]);
	expect(data.also).toBeUndefined();
});

test('a provider that returns null says that there are none', async () => {
	const { service } = start(() => null);
	for (const resource of ['reviews', 'review-data'] as const)
		expect(await service.fetch(resource, 'p-1').then(({ isEmpty, dropped }) => [isEmpty, dropped])).toEqual([
			true,
			{},
		]);
});

test.each<[string, unknown, unknown]>([
	[
		'a list',
		[
			{ pid: 1, average: 4, count: 2 },
			{ pid: 'b', average: 0, count: 0 },
		],
		['1', 'b'],
	],
	['a Map', new Map([['a', 4]]), '"ratings" of the provider returned no array.'],
	['no product', [{ average: 4, count: 2 }], 'names no product at position 1'],
	[
		'a count as text',
		[{ pid: 'a', average: 4, count: '2' }],
		'an unusable rating of "a": "count" is the text "2"',
	],
])('ratings: %s', async (_what, ratings, expected) => {
	const { service } = start(() => GOOD, { ratings: () => ratings as never });
	const found = await service.fetchRatings(['a', 'b']).then(
		(map) => [...map.keys()],
		(error: Error) => error.message,
	);
	if (typeof expected === 'string') expect(found).toContain(expected);
	else expect(found).toEqual(expected);
});

test('whatever a provider returns, a page has texts and safe addresses of it, and nothing else happens', () => {
	const text = fc.oneof(
		strangersText,
		fc.constantFrom('javascript:alert(1)', 'https://user:key@a.example/', '</script>'),
	);
	const any = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 2 }));
	const review = fc.dictionary(
		fc.constantFrom(...Object.keys(REVIEW), 'productName', 'productUrl', 'publisher', 'images', 'id'),
		any,
	);
	const rated = review.map((fields) => ({ ...REVIEW, ...fields, rating: 5 }));
	const answer = fc.record(
		{
			reviews: fc.oneof(fc.array(fc.oneof(rated, review), { maxLength: 4 }), any),
			heading: any,
			blockId: any,
			productUrl: any,
			productName: any,
			questions: any,
			distribution: any,
		},
		{ requiredKeys: [] },
	);
	let read = 0;
	fc.assert(
		fc.property(answer, (given) => {
			try {
				const plain = JSON.parse(JSON.stringify(given));
				const record = readProviderReviews('p-1', plain, () => {});
				readProviderData('p-1', plain, () => {});
				if (record.reviews.length > 0) read += 1;
				const written = writeAll(record);
				expect(lookAtPage(pageAround(written)).foreign, written).toEqual([]);
				expect(written).not.toMatch(/(?:href|src)="(?!https?:)|(?:href=|"url":)"[^"]*user:key/);
			} catch (error) {
				if (error instanceof ReviewPayloadError || error instanceof ReviewServiceError) return;
				throw error;
			}
		}),
		times(200),
	);
	expect(read).toBeGreaterThan(20);
});
