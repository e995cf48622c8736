import { createClock, settled } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import type { ProductReviewsUserOptions } from '../../../src/index.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { PageRecorder } from '../../../src/pages/build-pages.js';
import { createHostedCalls } from '../../../src/providers/hosted-reviews.js';
import { createReviewFetcher } from '../../../src/providers/review-fetcher.js';
import { pack } from '../../../src/records/packed.js';
import type { Packed, Resource } from '../../../src/records/parts.js';
import { SHOP, type ShopProduct } from '../../../src/render/fragment.js';
import { createProductResults } from '../../../src/reviews/results.js';
import { createMemoryStore } from '../../support/unit/cache.js';
import { displayed, record } from '../../support/unit/record.js';
import { reviewData } from '../../support/unit/review-data.js';
import { createFakeClient } from '../../support/unit/service.js';
import { createSession, type SessionContext } from '../../support/unit/session.js';

function createSetup(options: ProductReviewsUserOptions = {}, more: Partial<SessionContext> = {}) {
	const fake = createFakeClient();
	const clock = createClock();
	const store = createMemoryStore(clock.now);
	const put = (part: Resource, packed: Packed, fetchedAt = clock.now()) =>
		store.put('p-1', part, packed, { fetchedAt, revision: 0 });
	const session = createSession({
		service: createReviewFetcher(createHostedCalls(fake.client)),
		store,
		options: parseOptions(options),
		results: createProductResults(),
		command: 'build',
		onFailure: () => {},
		...more,
	});
	return { ...fake, clock, put, session, source: session.source };
}

test('what a page waits for comes before the rest of the prefetch', async () => {
	const { session, source, open, prioritized } = createSetup();
	const all: Promise<unknown>[] = ['a', 'b', 'c', 'd'].map((pid) => session.refresh(pid));
	await settled();
	all.push(source.getProductReviews('d'));
	await settled();
	expect(prioritized).toEqual([['crawlerReviews', 'd']]);
	for (const { answer } of [...open]) answer();
	await Promise.all(all);
});

test('the latest reviews are written once for all pages that show the same', async () => {
	const newest = '2026-03-05';
	const reads: string[] = [];
	const productsOf = (pid: string): readonly ShopProduct[] => {
		const reviews = [displayed({ date: newest, title: `Of ${pid}` })];
		const read = () => {
			reads.push(pid);
			return record({ pid, reviews });
		};
		return [{ pid, newest, read }];
	};
	let products = productsOf('p-1');
	const { source } = createSetup({}, { shop: async () => products });
	const show = async (page: string, props: Record<string, number> = {}) =>
		(await source.getFragment(SHOP, { component: 'LatestReviews', props, language: 'en' }, page)).html;

	const shown = await Promise.all(['/a', '/b'].map((page) => show(page)));
	shown.push(await show('/c'));
	expect(new Set(shown).size).toBe(1);
	expect(shown[0]).toContain('Of p-1');
	expect(reads).toEqual(['p-1']);
	expect(await show('/d', { limit: 0 })).toBe('');
	products = productsOf('p-2');
	expect(await show('/e')).toContain('Of p-2');
});

test('a product that is named several times is shown once, with what any of them says of it', async () => {
	const { source, put } = createSetup();
	const newest = '2026-03-05';
	put('reviews', pack(record({ reviews: [displayed({ date: newest })] }), { newest }));
	// More than are looked up at once.
	const products = [...Array.from({ length: 1_000 }, () => 'p-1'), { pid: 'p-1', name: 'Pan' }];
	const request = { component: 'LatestReviews', props: { products }, language: 'en' };
	const { html } = await source.getFragment(SHOP, request, '/a');
	expect(html.match(/class="pr-review"/g)).toHaveLength(1);
	expect(html).toContain('<bdi>Pan</bdi>');
});

test('a dev server goes on with what is stored, whatever onError says', async () => {
	const { source, put, clock, open } = createSetup({ onError: 'fail', maxAge: 0 }, { command: 'dev' });
	put('reviews', pack(record({ heading: 'stored' })), clock.now() - 1_000);
	const pages = ['p-1', 'p-2'].map((pid) => source.getProductReviews(pid));
	await settled();
	for (const request of [...open]) request.fail('503');
	expect((await Promise.all(pages)).map((shown) => shown?.heading)).toEqual(['stored', undefined]);
});

describe('a page is another one exactly if what it shows is', () => {
	const DATA = { 'review-data': reviewData(), reviews: record() };
	type Kind = keyof typeof DATA;
	type Source = ReturnType<typeof createStored>;

	/** A build in which everything is stored. @param changes what is stored of this kind */
	function createStored(kind: Kind, changes: object, pages = new PageRecorder()) {
		const { source, put } = createSetup({ maxAge: '1d' }, { hasRatings: true, pages });
		const data = { questionCount: 0, ...DATA[kind], ...changes };
		put(kind, pack(data, { ...data.aggregate, questionCount: 0 }));
		return source;
	}

	const own = (source: Source) => source.getReviewData('p-1');
	const stars = (source: Source) => source.getStarRating('p-1');
	const key = (source: Source) => source.digestOf(['p-1']);
	const summary = (source: Source) => source.getFragment('p-1', { component: 'RatingSummary', props: {} });
	const NONE = { aggregate: undefined };
	const OTHER = { aggregate: { count: 13, average: 4.5 } };

	test.each<[string, (source: Source) => unknown, Kind, object, object, boolean]>([
		['own markup, all is the same', own, 'review-data', {}, {}, false],
		['a cache key, all is the same', key, 'reviews', {}, {}, false],
		['a cache key, a review is another', key, 'reviews', {}, { heading: 'Other' }, true],
		['own markup, a part is not', own, 'review-data', {}, { questions: [] }, true],
		['a summary, reviews are others', summary, 'review-data', {}, { questions: [], reviews: [] }, false],
		['a summary, its numbers are', summary, 'review-data', {}, { recommendCount: 3 }, true],
		['stars, reviews are others', stars, 'review-data', {}, { reviews: [] }, false],
		['stars, the rating moved', stars, 'review-data', {}, OTHER, true],
		['stars that are gone', stars, 'review-data', {}, NONE, true],
		['stars that are missing', stars, 'reviews', { ...NONE, heading: 'a' }, { ...NONE, heading: 'b' }, false],
		['stars that are new', stars, 'reviews', NONE, OTHER, true],
	])('%s', async (_what, show, kind, before, after, isOther) => {
		const pages = new PageRecorder();
		const source = createStored(kind, before, pages);
		const shown = await show(source);
		// A key is made before a page is rendered, and depends on nothing later.
		if (show === key) {
			expect(pages.takeAll()).toEqual([]);
			expect((await show(createStored(kind, after))) === shown).toBe(!isOther);
			return;
		}
		const [dependency = expect.unreachable('The page depends on nothing.')] =
			pages.takeAll()[0]?.dependencies ?? [];
		expect(await createStored(kind, after).isCurrent(dependency)).toBe(!isOther);
	});

	test('by the key of an adapter, of which all that is stored is a part', async () => {
		const { source, put } = createSetup({ maxAge: '1d' });
		const keys: string[] = [];
		for (const [kind, data] of [
			['reviews', DATA.reviews],
			['reviews', DATA.reviews],
			['review-data', DATA['review-data']],
			['review-data', { ...DATA['review-data'], ...NONE }],
		] as const) {
			put(kind, pack(data));
			keys.push(await source.digestOf(['p-1']));
		}
		expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 2, 3]);
	});
});

test.each([
	[
		{ average: 4.456, count: 3 },
		{ average: 4.46, count: 3 },
	],
	[{ average: 4.456, count: 0 }, undefined],
	[{ average: 7, count: 3 }, undefined],
	[{ average: Number.NaN, count: 3 }, undefined],
	[{ average: 4, count: 1.5 }, undefined],
	[{ average: 4, count: -1 }, undefined],
])('the service says %j: stars are %j, from one request, or from shown reviews', async (rating, expected) => {
	const lists: (readonly string[])[] = [];
	const service = {
		...createReviewFetcher(createHostedCalls(createFakeClient().client)),
		async fetchRatings(pids: readonly string[]) {
			lists.push(pids);
			return new Map([['a', { pid: 'a', questionCount: 0, source: {}, ...rating }]]) as never;
		},
	};
	const { source } = createSetup({ maxAge: '1d' }, { hasRatings: true, service });
	void source.getProductReviews('shown');
	const asked = ['a', 'b', 'a'].map((pid) => source.getStarRating(pid));
	void source.getStarRating('shown');
	expect(await Promise.all(asked)).toEqual([expected, undefined, expected]);
	expect(lists).toEqual([['a', 'b']]);
});
