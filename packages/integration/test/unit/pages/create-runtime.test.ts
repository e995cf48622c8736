import { afterEach, describe, expect, test, vi } from 'vitest';
import { liveReviewsLoader } from '../../../src/astro/live-loader.js';
import { createRuntime, type PageCache, type Runtime } from '../../../src/pages/index.js';
import type { Freshness, ReviewSource } from '../../../src/pages/page-source.js';
import type { ProductFacts } from '../../../src/render/fragment.js';
import { messageOf } from '../../support/unit/error.js';
import { displayed, record } from '../../support/unit/record.js';
import { fullReview, question, reviewData } from '../../support/unit/review-data.js';

/** In place of the module that the integration gives pages. */
const reviewEntry = vi.hoisted(() => vi.fn());
vi.mock('astro-product-reviews/internal', () => ({ reviewEntry }));

const SETTINGS = { version: '0', account: 'account', display: 'visible', labels: {} } as const;
const DATA = reviewData({ aggregate: { average: 4, count: 3 } });

/** What pages call, over a source that has one product's reviews whatever it is asked for. */
function createSetup(given: Partial<ReviewSource> = {}, settings: { authorNames?: 'initials' } = {}) {
	const asked: unknown[] = [];
	const placed: ProductFacts[] = [];
	const answer =
		<Value>(value: Value) =>
		async (pid: string) => {
			asked.push(pid);
			return value;
		};
	const source = {
		getProductReviews: answer(record()),
		getStarRating: answer({ average: 4.5, count: 2 }),
		getReviewData: answer(DATA),
		digestOf: async (pids: readonly string[]) => pids.join('+'),
		place: (facts: ProductFacts) => void placed.push(facts),
		...given,
	};
	const runtime = createRuntime({ ...SETTINGS, ...settings }, { createLiveSource: () => source });
	return { asked, placed, runtime };
}

afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

const COMPONENTS = [
	...['ProductReviews', 'StarRating', 'ReviewSchema', 'RatingSummary', 'ReviewTopics'],
	...['ReviewList', 'ReviewMedia', 'ProductQuestions'],
];
/** Where an update may write something. */
const NOTHING = /^<!--data-pr="p-1 [a-z0-9]{8}"-->$/;
type Call = (runtime: Runtime, pid: never, page: { cache?: PageCache }) => unknown;
const CALLS: [string, Call][] = [
	['getProductReviews()', (runtime, pid, page) => runtime.getProductReviews(pid, page)],
	['getStarRating()', (runtime, pid, page) => runtime.getStarRating(pid, page)],
	['getReviewData()', (runtime, pid, page) => runtime.getReviewData(pid, page)],
	['<ReviewSection>', (runtime, pid, page) => runtime.reviewSectionParts({ pid }, page, ['after'])],
	...COMPONENTS.map((name): [string, Call] => [
		`<${name}>`,
		(runtime, pid, page) => runtime.fragmentHtml(name, { pid }, page),
	]),
];

describe('product IDs', () => {
	test.each(CALLS)('%s takes strings as they are, and numbers as their digits', async (name, call) => {
		const { runtime, asked } = createSetup();
		for (const pid of [' a/b"%00😀', 42, 2n ** 64n]) await call(runtime, pid as never, {});
		expect(asked).toEqual([' a/b"%00😀', '42', '18446744073709551616']);
		// Never thrown while Astro renders other components, and before anything is asked for.
		const failing = call(runtime, '' as never, {});
		expect(failing).toBeInstanceOf(Promise);
		await expect(failing).rejects.toThrow(`${name} needs a product ID`);
		expect(asked).toHaveLength(3);
	});

	const GIVE = 'Give the ID by which the review service knows the product';
	const AS_PROP = ', such as pid={product.id}.';
	const TOO_LARGE = ': JavaScript cannot represent a number of this size exactly. Read the id as a string.';
	test.each<[unknown, string, string]>([
		[undefined, 'undefined', AS_PROP],
		[{}, 'a value of type object', AS_PROP],
		[true, 'true', AS_PROP],
		[1.5, '1.5', ': use a whole number.'],
		[2 ** 53, '9007199254740992', TOO_LARGE],
	])('%j is none, and the message says what to do', async (pid, received, advice) => {
		expect(await messageOf(() => createSetup().runtime.getStarRating(pid as never))).toBe(
			`TypeError: getStarRating() needs a product ID, but received ${received}. ${GIVE}${advice}\nChange the value on the page that gives it.`,
		);
	});

	test('keys, entries and what is forgotten take them, too', async () => {
		const forgotten: unknown[] = [];
		const { runtime, asked } = createSetup({ forget: async (pids) => forgotten.push(pids) > 0 });
		// Before any page: other instances have to learn of it.
		expect(await runtime.forgetReviews(['p-1', 2])).toBe(true);
		expect(await runtime.forgetReviews()).toBe(true);
		expect(forgotten).toEqual([['p-1', '2'], undefined]);
		const none = 'forgetReviews() needs a product ID, but received 1.5.';
		expect(() => runtime.forgetReviews([1.5])).toThrow(none);
		expect(await runtime.reviewsCacheKey([1, '2'], 'own')).toBe('own reviews:1+2');
		await runtime.reviewEntry(42);
		expect(asked).toEqual(['42']);
	});
});

test('props are the same before and after they were kept as JSON', async () => {
	const requests: { readonly props: object }[] = [];
	const getFragment = (_pid: string, request: { readonly props: object }) => {
		requests.push(request);
		return { html: '', facts: [] };
	};
	const { runtime } = createSetup({ getFragment } as Partial<ReviewSource>);
	const offers = { lowPrice: undefined, price: 10, seller: { name: undefined } };
	await runtime.fragmentHtml('ReviewSchema', { pid: 'p-1', name: 'Kettle', offers, sku: undefined }, {});
	const [{ props } = { props: {} }] = requests;
	expect(props).toStrictEqual({ name: 'Kettle', offers: { price: 10, seller: {} } });
});

test('what is wrong with a prop says of which component and product', async () => {
	const { runtime } = createSetup();
	const props = { pid: 'p-1', limit: 'ten' as never };
	const message = '<ReviewList pid="p-1">: expected `limit` to be a number, received \'ten\'.';
	await expect(runtime.fragmentHtml('ReviewList', props, {})).rejects.toThrow(message);
	await expect(runtime.ownListHtml(props, {}, async () => '')).rejects.toThrow(message);
});

describe('the props of <LatestReviews>', () => {
	function createShop() {
		const requests: { readonly props: object }[] = [];
		const getFragment = (_pid: string, request: { readonly props: object }) => {
			requests.push(request);
			return { html: '', facts: [] };
		};
		const { runtime } = createSetup({ getFragment } as Partial<ReviewSource>);
		return {
			requests,
			show: async (props: object) => runtime.fragmentHtml('LatestReviews', { ...props }, {}),
		};
	}

	test.each<[object, object]>([
		[{ products: ['p-1', 2] }, { products: ['p-1', 2] }],
		[{ products: [2n ** 64n] }, { products: ['18446744073709551616'] }],
		[
			{ products: [{ pid: 2, name: 'Pan', url: undefined }, 'p-1', { pid: 'p-3' }] },
			{ products: [{ pid: '2', name: 'Pan' }, 'p-1', 'p-3'] },
		],
		[
			{ products: ['2', { pid: 2n, name: 'Pan' }, { pid: 2, name: 'Pot', url: '#pot' }] },
			{ products: [{ pid: '2', name: 'Pan', url: '#pot' }] },
		],
		[{ products: undefined, productUrl: undefined }, {}],
		[{ productUrl: 'https://shop.example/{pid}' }, { productUrl: 'https://shop.example/{pid}' }],
	])('%o are kept as data', async (given, kept) => {
		const { requests, show } = createShop();
		await show(given);
		expect(requests.map(({ props }) => props)).toStrictEqual([kept]);
	});

	const KETTLE = "{ pid: 'p-1', name: 'Copper kettle', url: '/products/copper-kettle/' }";
	const LIST = `expected \`products\` to be a list of product IDs, or of objects such as ${KETTLE}, received`;
	const ID = 'Give the ID by which the review service knows the product, such as { pid: product.id }.';
	const URL_OF =
		"expected `products[1].url` to be a URL that begins with `/`, `#` or `https://`, such as '/products/copper-kettle/', or to be left out, received";
	const NAME =
		"expected `products[1].name` to be a text such as 'Copper kettle', or to be left out, received";
	const TEMPLATE =
		"expected `productUrl` to be a text with {pid} that begins with `/`, `#` or `https://`, such as '/products/{pid}/', received";
	const each = (own: object) => ({ products: ['p-1', { pid: 'p-2', ...own }] });
	test.each<[object, string]>([
		[{ products: 'p-1' }, `${LIST} "p-1".`],
		[{ products: Promise.resolve([]) }, `${LIST} a promise: write \`await\` before it.`],
		[{ products: { pid: 'p-1' } }, `${LIST} a value of type object.`],
		[
			{ products: ['p-1', ''] },
			`\`products[1]\` of <LatestReviews> needs a product ID, but received an empty string. ${ID}`,
		],
		[
			{ products: ['p-1', null] },
			`\`products[1]\` of <LatestReviews> needs a product ID, but received null. ${ID}`,
		],
		[
			{ products: [{ name: 'Pan' }] },
			`\`products[0].pid\` of <LatestReviews> needs a product ID, but received undefined. ${ID}`,
		],
		[
			each({ href: '/pan/' }),
			"expected each key of `products[1]` to be one of 'pid', 'name', 'url', received 'href'. Did you mean 'url'?",
		],
		[
			each({ price: 1 }),
			"expected each key of `products[1]` to be one of 'pid', 'name', 'url', received 'price'.",
		],
		[each({ name: ' ' }), `${NAME} an empty string.`],
		[each({ name: 501 }), `${NAME} 501.`],
		[each({ url: null }), `${URL_OF} null.`],
		[each({ url: '' }), `${URL_OF} an empty string.`],
		[each({ url: new URL('https://shop.example') }), `${URL_OF} a value of type object.`],
		...[
			'javascript:alert(1)',
			' javascript:alert(1)',
			'data:text/html,a',
			'//pots.example/',
			'/\\pots.example',
			'https://',
			'https:///',
			'kettle',
		].map((url): [object, string] => [each({ url }), `${URL_OF} "${url.trim()}".`]),
		[{ productUrl: () => '/' }, `${TEMPLATE} a value of type function.`],
		...['/products/', 'javascript:alert({pid})', '{pid}'].map((productUrl): [object, string] => [
			{ productUrl },
			`${TEMPLATE} "${productUrl}".`,
		]),
		[{ productUrl: '' }, `${TEMPLATE} an empty string.`],
		[
			{ filter: () => true },
			'expected `filter` to be an object such as { minRating: 4 }, received a value of type function.',
		],
		[
			{ heading: () => 'Latest' },
			'expected `heading` to be data, such as a text: an update writes the list again without the page.',
		],
	])('%o: the error says what to write', async (props, message) => {
		const { requests, show } = createShop();
		const full = message.includes(' of <LatestReviews> ') ? message : `<LatestReviews>: ${message}`;
		expect((await messageOf(() => show(props))).split('\n')[0]).toBe(`TypeError: ${full}`);
		expect(requests).toEqual([]);
	});
});

test('components wait although a library has replaced the global `Promise`', async () => {
	vi.stubGlobal('Promise', class extends Promise<unknown> {});
	expect(await createSetup().runtime.fragmentHtml('ProductReviews', { pid: 'p-1' }, {})).toContain('Ada');
});

const ATTRIBUTES = 'aria-label="Customer Reviews" lang="en" data-display="visible" data-pr="p-1';

test.each<[string, Record<string, unknown>, string]>([
	['ProductReviews', {}, '20.11.2026'],
	[
		'ProductReviews',
		{ lang: 'en', class: 'mine' },
		`<section class="pr-product-reviews mine" ${ATTRIBUTES} `,
	],
	['StarRating', {}, '4,5'],
	['ReviewList', { lang: 'fr' }, '>Avis clients</h2>'],
	['RatingSummary', {}, '3 Bewertungen'],
])('on a German page, <%s %j> writes %s', async (component, props, expected) => {
	const { runtime } = createSetup();
	const html = await runtime.fragmentHtml(component, { pid: 'p-1', ...props }, { currentLocale: 'de' });
	expect(html).toContain(expected);
	expect(html).not.toContain('pid=');
	expect(html).toMatch(/^<\w+ [^<>]*data-pr="p-1 [a-z0-9]{8}">/);
});

test('outside a build nothing is shown, with one warning', async () => {
	const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
	const runtime = createRuntime(SETTINGS);
	for (const [name, call] of CALLS) {
		const shown = await call(runtime, 'p-1' as never, {});
		if (name.endsWith('()')) expect(shown).toBeUndefined();
		else expect(typeof shown === 'string' ? shown : (shown as { html: string }).html).toMatch(NOTHING);
	}
	expect(warn.mock.calls.flat()).toEqual([
		'[astro-product-reviews] This page is rendered neither by `astro build` or `astro dev` nor by the built server, so it has no reviews. [PR_NO_REVIEW_SOURCE]',
	]);
});

test('own markup is told to the audit, and components that write nothing are not', async () => {
	const { runtime, placed } = createSetup();
	await runtime.reviewSectionParts({ pid: 'p-1', summary: false }, {}, ['reviews']);
	await runtime.getProductReviews('p-1');
	await runtime.getReviewData('p-1');
	const own = { component: 'own-markup', pid: 'p-1' };
	const calls = ['getProductReviews()', 'getReviewData()'];
	expect(placed).toEqual([own, ...calls.flatMap((by) => [{ component: 'use', pid: 'p-1', by }, own])]);

	const none = async () => undefined;
	const empty = createSetup({ getProductReviews: none, getStarRating: none, getReviewData: none });
	for (const component of [...COMPONENTS, 'ReviewSection'])
		expect(await empty.runtime.fragmentHtml(component, { pid: 'p-1' }, {})).toMatch(NOTHING);
	const { html } = await empty.runtime.reviewSectionParts({ pid: 'p-1' }, {}, ['after']);
	expect(html).toMatch(NOTHING);
	expect(empty.placed).toEqual([]);
});

test('names of authors are as the option has them in what own markup is given, and a page may write each review', async () => {
	const author = 'Ada Lovelace';
	const reviews = record({ reviews: [displayed({ author })] });
	const data = reviewData({
		reviews: [fullReview({ author })],
		media: [],
		questions: [question({ author })],
	});
	const source = { getProductReviews: async () => reviews, getReviewData: async () => data };
	const { runtime } = createSetup(source, { authorNames: 'initials' });
	const own = async (review: { author: string | undefined }) => `<b>${review.author}</b>`;
	const shown = [
		await runtime.getProductReviews('p-1'),
		await runtime.getReviewData('p-1'),
		await runtime.reviewEntry('p-1'),
		await runtime.ownListHtml({ pid: 'p-1' }, {}, own),
	];
	expect(JSON.stringify(shown).match(/A\. L\./g)).toHaveLength(5);
	expect(JSON.stringify(shown)).not.toContain('Lovelace');
	// A copy: what is stored stays.
	expect([reviews.reviews[0]?.author, data.reviews[0]?.author]).toEqual([author, author]);
});

describe('in the server of a site with pages on demand', () => {
	function startOnDemand(state: Freshness['state'] = 'fresh') {
		const missing = state === 'missing' ? { getProductReviews: async () => undefined } : {};
		return createSetup({ ...missing, freshness: () => ({ state, changedAt: 1_000 }) }).runtime;
	}

	function createCache(maxAge?: number, enabled = true) {
		const tags: string[] = [];
		const cache = {
			...{ enabled, tags, options: maxAge === undefined ? {} : { maxAge } },
			set({ tags: given = [], ...others }: { tags?: string[]; maxAge?: number }) {
				tags.push(...given);
				cache.options = { ...cache.options, ...others };
			},
		};
		return cache;
	}

	test.each(CALLS)('%s marks the page with its product before it waits', async (_name, call) => {
		const cache = createCache();
		const called = call(startOnDemand(), 'a,b' as never, { cache });
		expect(cache.tags).toEqual(['reviews', 'reviews:a%2Cb']);
		await called;
		expect(cache.options).toEqual({});
	});

	test.each([
		['fresh', 3_600, true, { maxAge: 3_600 }],
		['stale', 3_600, true, { maxAge: 10, swr: 0 }],
		['missing', 3_600, true, { maxAge: 10, swr: 0 }],
		['missing', 5, true, { maxAge: 5, swr: 0 }],
		['missing', undefined, true, {}],
		['stale', 3_600, false, { maxAge: 3_600 }],
	] as const)('a page with %s reviews, to be kept for %s s: %s', async (state, maxAge, hasCache, kept) => {
		const cache = createCache(maxAge, hasCache);
		await startOnDemand(state).fragmentHtml('ProductReviews', { pid: 'a,b' }, { cache });
		expect([cache.options, cache.tags.length]).toEqual([kept, hasCache ? 2 : 0]);
	});

	test('a live collection has each product once, and those with none do not keep it from getting some', async () => {
		const collection = 'reviews';
		const ids = { filter: { ids: ['p-1', 'p-1'] }, collection };
		const cacheHint = { tags: ['reviews', 'reviews:p-1'] };
		const entry = { id: 'p-1', data: record(), cacheHint: { ...cacheHint, lastModified: new Date(1_000) } };
		const loader = liveReviewsLoader();
		reviewEntry.mockImplementation(startOnDemand().reviewEntry);
		expect(await loader.loadCollection(ids)).toEqual({ entries: [entry], cacheHint });
		const error = { message: expect.stringContaining('needs product IDs') };
		expect(await loader.loadCollection({ collection })).toMatchObject({ error });
		reviewEntry.mockImplementation(startOnDemand('missing').reviewEntry);
		expect(await loader.loadEntry({ filter: { id: 'p-1' }, collection })).toBeUndefined();
		expect(await loader.loadCollection(ids)).toEqual({ entries: [], cacheHint });
	});
});
