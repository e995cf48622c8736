import { afterEach, describe, expect, test, vi } from 'vitest';
import { createReviewsLiveLoader } from '../../../src/astro/create-reviews-live-loader.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { readReviewData } from '../../../src/parse/read-review-data.js';
import type { ReviewData } from '../../../src/parse/review-data.js';
import type { ProductFacts } from '../../../src/render/facts.js';
import type { ReviewTest } from '../../../src/render/review-data/review-filter.js';
import { createRuntime, type Runtime } from '../../../src/runtime/index.js';
import type { PageCache } from '../../../src/runtime/page-cache.js';
import { type Freshness, type ReviewSource, reviewSources } from '../../../src/runtime/source.js';
import { dataOf, wireData } from '../../support/service/wire-data.js';
import { messageOf } from '../../support/unit/error.js';
import { displayed, record } from '../../support/unit/record.js';
import { fullReview, reviewData } from '../../support/unit/review-data.js';

const ACCOUNT = 'account';
const RATING = { average: 4.5, count: 2 };

function createSetup(product = record(), data: ReviewData | undefined = undefined) {
	const asked: unknown[] = [];
	const placed: ProductFacts[] = [];
	reviewSources().set(ACCOUNT, {
		async getProductReviews(pid) {
			asked.push(pid);
			return product;
		},
		async getReviewData(pid) {
			asked.push(pid);
			return data;
		},
		async getStarRating(pid) {
			asked.push(pid);
			return product?.aggregate;
		},
		digestOf: async (pids) => pids.join('+'),
		place(facts) {
			placed.push(facts);
		},
	});
	const { labels } = parseOptions({});
	return {
		asked,
		placed,
		runtime: createRuntime({ version: '0', account: ACCOUNT, display: 'visible', labels }),
	};
}

afterEach(() => {
	reviewSources().delete(ACCOUNT);
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

const CALLS: [string, (runtime: Runtime, pid: never) => unknown][] = [
	['getProductReviews()', (runtime, pid) => runtime.getProductReviews(pid)],
	['getStarRating()', (runtime, pid) => runtime.getStarRating(pid)],
	['getReviewData()', (runtime, pid) => runtime.getReviewData(pid)],
	['<ProductReviews>', (runtime, pid) => runtime.fragmentHtml('ProductReviews', { pid }, {})],
	['<StarRating>', (runtime, pid) => runtime.fragmentHtml('StarRating', { pid }, {})],
	['<ReviewSchema>', (runtime, pid) => runtime.fragmentHtml('ReviewSchema', { pid }, {})],
	['<RatingSummary>', (runtime, pid) => runtime.fragmentHtml('RatingSummary', { pid }, {})],
	['<ReviewTopics>', (runtime, pid) => runtime.fragmentHtml('ReviewTopics', { pid }, {})],
	['<ReviewList>', (runtime, pid) => runtime.fragmentHtml('ReviewList', { pid }, {})],
	['<ReviewMedia>', (runtime, pid) => runtime.fragmentHtml('ReviewMedia', { pid }, {})],
	['<ProductQuestions>', (runtime, pid) => runtime.fragmentHtml('ProductQuestions', { pid }, {})],
	['<ReviewSection>', (runtime, pid) => runtime.reviewSectionParts({ pid }, {}, ['after'])],
];

test('numbers are product ids wherever there are any', async () => {
	const { runtime, asked } = createSetup();
	await runtime.fragmentHtml('StarRating', { pid: 42 }, {});
	await runtime.getStarRating(42n);
	await runtime.reviewEntry(42);
	expect(asked).toEqual(['42', '42', '42']);
	const key = await runtime.reviewsCacheKey([1, '2']);
	expect(await runtime.reviewsCacheKey(['1', 2])).toBe(key);
	expect(() => runtime.forgetReviews([1, '2'])).not.toThrow();
	expect(() => runtime.forgetReviews([1.5])).toThrow('forgetReviews() needs a product id, but received 1.5.');
});

test('what is wrong with a component is a rejection, also before anything is asked for', async () => {
	const { runtime } = createSetup();
	const html = runtime.fragmentHtml('StarRating', { pid: '' }, {});
	expect(html).toBeInstanceOf(Promise);
	expect(await messageOf(async () => html)).toContain('TypeError: <StarRating> needs a product id');
});

test('components wait although a library has replaced the global `Promise`', async () => {
	const { runtime } = createSetup();
	vi.stubGlobal('Promise', class extends Promise<unknown> {});
	expect(await runtime.fragmentHtml('ProductReviews', { pid: 'p-1' }, {})).toContain('Ada');
});

describe.each(CALLS)('%s', (name, call) => {
	test.each<[unknown, string]>([
		[undefined, 'undefined'],
		[null, 'null'],
		['', 'an empty string'],
		[{}, 'a value of type object'],
		[true, 'true'],
	])('%j is no product id', async (pid, received) => {
		expect(await messageOf(() => call(createSetup().runtime, pid as never))).toBe(
			`TypeError: ${name} needs a product id, but received ${received}. Give the id by which the review service knows the product, such as pid={product.id}.\nChange the value on the page that gives it.`,
		);
	});

	test.each<[number, string]>([
		[Number.NaN, 'use a whole number.'],
		[Number.POSITIVE_INFINITY, 'use a whole number.'],
		[1.5, 'use a whole number.'],
		[1e21, 'JavaScript cannot represent a number of this size exactly. Read the id as a string.'],
		[2 ** 53, 'JavaScript cannot represent a number of this size exactly. Read the id as a string.'],
	])('the number %d is no product id', async (pid, advice) => {
		expect(await messageOf(() => call(createSetup().runtime, pid as never))).toBe(
			`TypeError: ${name} needs a product id, but received ${pid}. Give the id by which the review service knows the product: ${advice}\nChange the value on the page that gives it.`,
		);
	});

	test.each([
		[42, '42'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		[2n ** 64n, '18446744073709551616'],
	])('the number %d is read as its digits', async (pid, digits) => {
		const { runtime, asked } = createSetup();
		await call(runtime, pid as never);
		expect(asked).toEqual([digits]);
	});

	test('a product id is given on as it is', async () => {
		const { runtime, asked } = createSetup();
		await call(runtime, ' a/b"%00😀' as never);
		expect(asked).toEqual([' a/b"%00😀']);
	});
});

test('components write what they are given, in the language of the page', async () => {
	const { runtime } = createSetup();
	const props = { pid: 'p-1', class: 'mine' };
	expect(await runtime.fragmentHtml('ProductReviews', props, { currentLocale: 'de' })).toContain(
		'20. November 2026',
	);
	expect(
		await runtime.fragmentHtml('ProductReviews', { ...props, lang: 'en' }, { currentLocale: 'de' }),
	).toContain('November 20, 2026');
	expect(await runtime.fragmentHtml('ProductReviews', props, {})).toContain(
		'<section class="product-reviews mine" data-display="visible">',
	);
	expect(await runtime.fragmentHtml('StarRating', props, { currentLocale: 'de' })).toContain('4,5');
	expect(await runtime.fragmentHtml('ReviewSchema', { pid: 'p-1', limit: 0 }, {})).not.toContain('"review"');
	expect(await runtime.getStarRating('p-1')).toEqual({ average: 4.5, count: 2 });
	for (const html of [
		await runtime.fragmentHtml('ProductReviews', props, { currentLocale: 'de' }),
		await runtime.fragmentHtml('StarRating', props, { currentLocale: 'de' }),
	]) {
		expect(html).not.toContain('pid');
	}
});

test('outside a build nothing is shown, with one warning', async () => {
	const { labels } = parseOptions({});
	const runtime = createRuntime({ version: '0', account: 'another', display: 'hidden', labels });
	const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
	for (const [, call] of CALLS) expect((await call(runtime, 'p-1' as never)) || undefined).toBeUndefined();
	expect(warn.mock.calls).toHaveLength(1);
	expect(warn.mock.calls[0]?.[0]).toMatchInlineSnapshot(
		`"[astro-product-reviews] This page is rendered neither by \`astro build\` or \`astro dev\` nor by the built server, so it has no reviews. [PR_NO_REVIEW_SOURCE]"`,
	);
});

test('a cache key holds what else the page is made of', async () => {
	const { runtime } = createSetup();
	expect(await runtime.reviewsCacheKey(['a', 'b'], 'own')).toBe('own reviews:a+b');
	expect(await runtime.reviewsCacheKey([])).toBe(' reviews:');
});

describe('what is placed on a page', () => {
	test('each component tells what it wrote', async () => {
		const { runtime, placed } = createSetup();
		await runtime.fragmentHtml('StarRating', { pid: 'p-1' }, {});
		await runtime.fragmentHtml('ProductReviews', { pid: 'p-1' }, {});
		await runtime.fragmentHtml('ProductReviews', { pid: 'p-1', display: 'hidden', limit: 1 }, {});
		await runtime.fragmentHtml('ReviewSchema', { pid: 'p-1', id: 'https://shop.example/#product' }, {});
		expect(placed).toEqual([
			{ component: 'StarRating', pid: 'p-1', count: 2 },
			{
				component: 'ProductReviews',
				pid: 'p-1',
				display: 'visible',
				count: 2,
				shown: 1,
				isAll: true,
				sort: 'as-sent',
			},
			{
				component: 'ProductReviews',
				pid: 'p-1',
				display: 'hidden',
				count: 2,
				shown: 1,
				isAll: true,
				sort: 'as-sent',
			},
			{
				component: 'ReviewSchema',
				pid: 'p-1',
				id: 'https://shop.example/#product',
				count: 2,
				listed: 1,
				sort: 'as-sent',
			},
		]);
	});

	test('own markup tells that it asked', async () => {
		const { runtime, placed } = createSetup();
		await runtime.getProductReviews('p-1');
		await runtime.getStarRating('p-1');
		await runtime.getReviewData('p-1');
		const asked = { component: 'own-markup', pid: 'p-1' };
		expect(placed).toEqual([asked, { component: 'StarRating', pid: 'p-1', count: 2 }, asked]);
	});

	test('a component that writes nothing tells nothing', async () => {
		const { runtime, placed } = createSetup(record({ aggregate: undefined, reviews: [], schema: undefined }));
		await runtime.fragmentHtml('StarRating', { pid: 'p-1' }, {});
		await runtime.fragmentHtml('ProductReviews', { pid: 'p-1' }, {});
		await runtime.fragmentHtml('ReviewSchema', { pid: 'p-1', product: { name: 'Kettle' } }, {});
		expect(placed).toEqual([]);
	});
});

describe('components of review data', () => {
	const data = reviewData({
		aggregate: { average: 4, count: 3 },
		reviews: [
			fullReview({ title: 'a', date: '2026-01-01', pinned: true }),
			fullReview({ title: 'b', date: '2026-03-01' }),
			fullReview({ title: 'c', date: '2026-02-01' }),
		],
	});
	const rating = { component: 'RatingSummary', pid: 'p-1', count: 3 };
	const list = {
		...{ component: 'ReviewList', pid: 'p-1', display: 'visible', count: 3 },
		...{ shown: 2, isAll: true, sort: 'as-sent' },
	};

	test('write in the language of the page', async () => {
		const { runtime } = createSetup(record(), data);
		expect(await runtime.fragmentHtml('ReviewList', { pid: 'p-1' }, { currentLocale: 'de' })).toContain(
			'>Kundenbewertungen</h2>',
		);
		expect(
			await runtime.fragmentHtml('ReviewList', { pid: 'p-1', lang: 'fr' }, { currentLocale: 'de' }),
		).toContain('>Avis clients</h2>');
		expect(await runtime.fragmentHtml('ReviewTopics', { pid: 'p-1' }, { currentLocale: 'pt' })).toContain(
			'Qualidade',
		);
		expect(await runtime.fragmentHtml('RatingSummary', { pid: 'p-1' }, { currentLocale: 'de' })).toContain(
			'3 Bewertungen',
		);
		expect(await runtime.fragmentHtml('ReviewMedia', { pid: 'p-1' }, { currentLocale: 'de' })).toContain(
			'alt="Foto von Ada"',
		);
		expect(await runtime.fragmentHtml('ProductQuestions', { pid: 'p-1' }, { currentLocale: 'de' })).toContain(
			'>Antwort</span>',
		);
	});

	test('tell which reviews people see; of pinned ones, the order is not sure', async () => {
		const { runtime, placed } = createSetup(record(), data);
		await runtime.fragmentHtml('RatingSummary', { pid: 'p-1' }, {});
		await runtime.fragmentHtml('ReviewList', { pid: 'p-1' }, {});
		await runtime.fragmentHtml('ReviewList', { pid: 'p-1', sort: 'newest', limit: 2 }, {});
		const filter: ReviewTest = ({ title }) => title === 'b';
		await runtime.fragmentHtml('ReviewList', { pid: 'p-1', filter }, {});
		await runtime.fragmentHtml('ReviewList', { pid: 'p-1', filter: { tag: 'none' } }, {});
		expect(placed).toEqual([
			rating,
			list,
			{ ...list, shown: 1, isAll: false, sort: 'newest' },
			{ ...list, shown: 0, isAll: false },
		]);
	});

	test('a section tells of its rating and its list, or that the page writes the list itself', async () => {
		const { runtime, placed } = createSetup(record(), data);
		await runtime.reviewSectionParts({ pid: 'p-1', summary: false }, {}, ['after']);
		await runtime.reviewSectionParts({ pid: 'p-1' }, {}, ['reviews']);
		expect(placed).toEqual([list, rating, { component: 'own-markup', pid: 'p-1' }]);
	});

	test('a page writes each review as it wants', async () => {
		const { runtime } = createSetup(record(), data);
		const own = async ({ title }: { title: string | undefined }) => `<b>${title}</b>`;
		const html = await runtime.ownListHtml({ pid: 'p-1', sort: 'newest', limit: 2 }, {}, own);
		expect(html.match(/<b>\w<\/b>/g)).toEqual(['<b>a</b>', '<b>b</b>']);
	});

	test('write and tell nothing without data', async () => {
		const { runtime, placed } = createSetup();
		expect(await runtime.fragmentHtml('ReviewList', { pid: 'p-1' }, {})).toBe('');
		expect(await runtime.fragmentHtml('RatingSummary', { pid: 'p-1' }, {})).toBe('');
		expect(await runtime.fragmentHtml('ReviewSection', { pid: 'p-1' }, {})).toBe('');
		expect(await runtime.reviewSectionParts({ pid: 'p-1' }, {}, ['after'])).toBeUndefined();
		expect(placed).toEqual([]);
	});
});

test("names of authors are as the option has them, also for markup of one's own", async () => {
	const data = readReviewData(await dataOf(wireData()));
	reviewSources().set(ACCOUNT, {
		getProductReviews: async () => record({ reviews: [displayed({ author: 'Ada Lovelace' })] }),
		getStarRating: async () => RATING,
		getReviewData: async () => data,
		digestOf: async () => '',
		place: () => {},
	});
	const { labels } = parseOptions({});
	const runtime = createRuntime({
		version: '0',
		account: ACCOUNT,
		display: 'visible',
		labels,
		author: 'initials',
	});
	expect((await runtime.getProductReviews('p-1'))?.reviews[0]?.author).toBe('A. L.');
	expect(await runtime.fragmentHtml('ProductReviews', { pid: 'p-1' }, { currentLocale: 'en' })).toContain(
		'>A. L.<',
	);
	const shown = await runtime.getReviewData('p-1');
	expect(shown).toMatchObject({ reviews: [{ author: 'A. L.' }], questions: [{ author: 'G. H.' }] });
	expect(JSON.stringify(shown)).not.toMatch(/Lovelace|Hopper/);
	expect(data.reviews[0]?.author).toBe('Ada Lovelace');
});

test('stars are asked of whoever can bring them without the reviews', async () => {
	const placed: ProductFacts[] = [];
	reviewSources().set(ACCOUNT, {
		getProductReviews: () => expect.unreachable(),
		getStarRating: async () => ({ count: 3, average: 4 }),
		getReviewData: async () => undefined,
		digestOf: async () => '',
		place(facts) {
			placed.push(facts);
		},
	});
	const { labels } = parseOptions({});
	const runtime = createRuntime({ version: '0', account: ACCOUNT, display: 'visible', labels });
	expect(await runtime.getStarRating('p-1')).toEqual({ count: 3, average: 4 });
	expect(await runtime.fragmentHtml('StarRating', { pid: 'p-1' }, { currentLocale: 'en' })).toContain(
		'3 reviews',
	);
	const placement = { component: 'StarRating', pid: 'p-1', count: 3 };
	expect(placed).toEqual([placement, placement]);
});

describe('in the server of a site with pages on demand', () => {
	function startOnDemand(state: Freshness['state'] = 'fresh') {
		const forgotten: unknown[] = [];
		const source: ReviewSource = {
			getProductReviews: async (pid) => (state === 'missing' ? undefined : record({ pid })),
			getStarRating: async () => (state === 'missing' ? undefined : RATING),
			getReviewData: async () => undefined,
			digestOf: async () => 'none',
			place() {},
			freshness: () => ({ state, changedAt: 1_000 }),
			forget: async (pids) => forgotten.push(pids) > 0,
		};
		const create = vi.fn(() => source);
		const { labels } = parseOptions({});
		const settings = { version: '0', account: 'on-demand', display: 'visible', labels } as const;
		return { runtime: createRuntime(settings, { createLiveSource: create }), create, forgotten };
	}

	function createCache(maxAge?: number) {
		let options: Record<string, unknown> = maxAge === undefined ? {} : { maxAge };
		const tags: string[] = [];
		return {
			enabled: true,
			tags,
			get options() {
				return options;
			},
			set({ tags: given = [], ...others }: { tags?: string[]; maxAge?: number }) {
				tags.push(...given);
				options = { ...options, ...others };
			},
		};
	}

	test('pages have one source, made when the first asks', async () => {
		const { runtime, create } = startOnDemand();
		expect(create).not.toHaveBeenCalled();
		for (let count = 0; count < 3; count++) {
			expect(await runtime.fragmentHtml('ProductReviews', { pid: 'p-1' }, { currentLocale: 'en' })).toContain(
				'Boils fast.',
			);
		}
		expect(create).toHaveBeenCalledTimes(1);
	});

	test('the session of a build comes first', async () => {
		const { runtime, create } = startOnDemand();
		reviewSources().set('on-demand', {
			getProductReviews: async () => record(),
			getStarRating: async () => ({ average: 1, count: 1 }),
			getReviewData: async () => undefined,
			digestOf: async () => '',
			place() {},
		});
		const cache = createCache(3_600);
		try {
			expect(await runtime.getStarRating('p-1', cache)).toEqual({ average: 1, count: 1 });
		} finally {
			reviewSources().delete('on-demand');
		}
		expect(create).not.toHaveBeenCalled();
		expect(cache.tags).toEqual([]);
	});

	const KINDS: [string, (runtime: Runtime, cache: PageCache) => unknown][] = [
		['getProductReviews()', (runtime, cache) => runtime.getProductReviews('a,b', cache)],
		['getStarRating()', (runtime, cache) => runtime.getStarRating('a,b', cache)],
		['getReviewData()', (runtime, cache) => runtime.getReviewData('a,b', cache)],
		[
			'<ProductReviews>',
			(runtime, cache) =>
				runtime.fragmentHtml('ProductReviews', { pid: 'a,b' }, { currentLocale: 'en', cache }),
		],
		[
			'<StarRating>',
			(runtime, cache) => runtime.fragmentHtml('StarRating', { pid: 'a,b' }, { currentLocale: 'en', cache }),
		],
		['<ReviewSchema>', (runtime, cache) => runtime.fragmentHtml('ReviewSchema', { pid: 'a,b' }, { cache })],
	];

	test.each(KINDS)('%s marks the page with its product before it waits', async (_name, call) => {
		const cache = createCache();
		const called = call(startOnDemand().runtime, cache);
		expect(cache.tags).toEqual(['reviews', 'reviews:a%2Cb']);
		await called;
		expect(cache.options).toEqual({});
	});

	test.each([
		['fresh', 3_600, { maxAge: 3_600 }],
		['stale', 3_600, { maxAge: 10, swr: 0 }],
		['missing', 3_600, { maxAge: 10, swr: 0 }],
		['missing', 5, { maxAge: 5, swr: 0 }],
		['missing', undefined, {}],
	] as const)('a page with %s reviews that is kept for %s s', async (state, maxAge, kept) => {
		const cache = createCache(maxAge);
		await startOnDemand(state).runtime.fragmentHtml(
			'ProductReviews',
			{ pid: 'p-1' },
			{ currentLocale: 'en', cache },
		);
		expect(cache.options).toEqual(kept);
	});

	test('without a route cache nothing is marked', async () => {
		const cache = { ...createCache(), enabled: false };
		await startOnDemand().runtime.fragmentHtml(
			'ProductReviews',
			{ pid: 'p-1' },
			{ currentLocale: 'en', cache },
		);
		expect(cache.tags).toEqual([]);
	});

	test('products are forgotten, some or all', async () => {
		const { runtime, forgotten } = startOnDemand();
		// Before any page: other instances have to learn of it.
		expect(await runtime.forgetReviews(['p-1', 2 as never])).toBe(true);
		await runtime.forgetReviews();
		expect(forgotten).toEqual([['p-1', '2'], undefined]);
	});

	test('a live loader gives entries with hints for the route cache', async () => {
		const { loadEntry, loadCollection } = createReviewsLiveLoader(startOnDemand().runtime.reviewEntry);
		const entry = {
			id: 'p-1',
			data: record(),
			cacheHint: { tags: ['reviews', 'reviews:p-1'], lastModified: new Date(1_000) },
		};
		const collection = 'reviews';
		expect(await loadEntry({ filter: { id: 'p-1' }, collection })).toEqual(entry);
		expect(await loadCollection({ filter: { ids: ['p-1', 'p-1'] }, collection })).toEqual({
			entries: [entry],
			cacheHint: { tags: ['reviews', 'reviews:p-1'] },
		});
		expect(await loadCollection({ collection })).toMatchObject({
			error: { message: expect.stringContaining('needs product ids') },
		});
	});

	test('a live loader shortens names of authors as the pages do', async () => {
		const source: ReviewSource = {
			getProductReviews: async () => record({ reviews: [displayed({ author: 'Ada Lovelace' })] }),
			getStarRating: async () => RATING,
			getReviewData: async () => undefined,
			digestOf: async () => 'none',
			place() {},
		};
		const { labels } = parseOptions({});
		const settings = { version: '0', account: 'on-demand', display: 'visible', labels } as const;
		const { reviewEntry } = createRuntime(
			{ ...settings, author: 'initials' },
			{ createLiveSource: () => source },
		);
		const { loadEntry } = createReviewsLiveLoader(reviewEntry);
		expect(await loadEntry({ filter: { id: 'p-1' }, collection: 'reviews' })).toMatchObject({
			data: { reviews: [{ author: 'A. L.' }] },
		});
	});

	test('a live loader has no entry where the service fails', async () => {
		const { loadEntry, loadCollection } = createReviewsLiveLoader(
			startOnDemand('missing').runtime.reviewEntry,
		);
		const collection = 'reviews';
		expect(await loadEntry({ filter: { id: 'p-1' }, collection })).toBeUndefined();
		expect(await loadCollection({ filter: { ids: ['p-1'] }, collection })).toMatchObject({ entries: [] });
	});
});
