import { createClock } from 'product-reviews-test-support/clock';
import { errorOf } from 'product-reviews-test-support/error-of';
import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test } from 'vitest';
import type { FinishedPieces } from '../../../src/build/finished-pieces.js';
import type { ProductReviewsUserOptions } from '../../../src/index.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { createProductOutcomes } from '../../../src/outcomes/product-outcomes.js';
import type { Dependency } from '../../../src/pages/dependency.js';
import { readReviewData } from '../../../src/parse/read-review-data.js';
import type { ReviewData } from '../../../src/parse/review-data.js';
import { createReviewService } from '../../../src/service/create-review-service.js';
import { createMemoryStore } from '../../../src/store/memory-store.js';
import { pack } from '../../../src/store/pack.js';
import { dataOf, wireData } from '../../support/service/wire-data.js';
import { messageOf } from '../../support/unit/error.js';
import { record } from '../../support/unit/record.js';
import { createFakeClient } from '../../support/unit/service.js';
import { createSession, type SessionContext } from '../../support/unit/session.js';

/** Whether a page with this dependency is another one now. */
const isOther = async ({ source }: ReturnType<typeof createSession>, dependency: Dependency | undefined) =>
	!(await source.isCurrent(dependency as Dependency));

function createSetup(
	options: ProductReviewsUserOptions = {},
	command: 'build' | 'dev' = 'build',
	more: Partial<SessionContext> = {},
) {
	const fake = createFakeClient();
	const clock = createClock();
	const store = createMemoryStore();
	const outcomes = createProductOutcomes();
	const parsed = parseOptions(options);
	const session = createSession({
		service: createReviewService(fake.client),
		store,
		options: parsed,
		outcomes,
		now: clock.now,
		command,
		onFailure: () => {},
		...more,
	});
	/** Lets the service fail for products that are refreshed. */
	const failFor = async (...pids: string[]) => {
		const ended = Promise.allSettled(pids.map((pid) => session.refresh(pid)));
		for (await settled(); fake.open.length > 0; await settled())
			fake.open[0]?.fail('503 Service Unavailable');
		await ended;
	};
	return { ...fake, clock, store, outcomes, session, failFor };
}

test('a page gets the checked record of what the service sends', async () => {
	const { session, open } = createSetup();
	const asked = session.source.getProductReviews('p-1');
	await settled();
	open[0]?.answer();
	expect(await asked).toMatchObject({ pid: 'p-1', aggregate: { count: 2 }, reviews: [{ author: 'Ada' }] });
	expect([...session.source.unlisted]).toEqual(['p-1']);
});

describe('finished html', () => {
	const FINISHED = { html: '<p>Boils fast.</p>', facts: [] };
	const finished: FinishedPieces = { find: () => FINISHED, write: () => FINISHED };
	const request = { component: 'ProductReviews', props: {} };

	test('a page gets it without waiting, as soon as it is known to be current', async () => {
		const { session, store, clock } = createSetup({ maxAge: '1d' }, 'build', { finished });
		store.table('reviews').put('p-1', pack(record()), clock.now());
		const first = session.source.getFragment('p-1', request);
		expect(first).toBeInstanceOf(Promise);
		expect(await first).toBe(FINISHED);
		expect(session.source.getFragment('p-1', request)).toBe(FINISHED);
		session.source.fail(new Error('The list cannot be read.'));
		expect(() => session.source.getFragment('p-1', request)).toThrow('The list cannot be read.');
	});

	test('of a product that is requested again, a page waits for the answer', async () => {
		const { session, store, clock, open } = createSetup({ maxAge: '1d' }, 'build', { finished });
		store.table('reviews').put('p-1', pack(record()), clock.now());
		await session.refresh('p-1');
		session.reviews.renew('p-1');
		const asked = [session.source.getFragment('p-1', request)];
		await settled();
		// Now its request is in flight.
		asked.push(session.source.getFragment('p-1', request));
		for (const fragment of asked) {
			expect(await Promise.race([fragment, settled()])).toBeUndefined();
		}
		open[0]?.answer();
		expect(await Promise.all(asked)).toEqual([FINISHED, FINISHED]);
	});
});

test('reviews and review data of a product are two requests, each made once', async () => {
	const { session, asked, open } = createSetup();
	const all = [
		session.source.getProductReviews('p'),
		session.source.getReviewData('p'),
		session.source.getProductReviews('p'),
		session.source.getReviewData('p'),
	];
	await settled();
	expect(asked).toEqual(['p', 'p']);
	for (const request of [...open]) request.answer();
	await Promise.all(all);
});

test('what a page waits for comes before the rest of the prefetch', async () => {
	const { session, open, prioritized } = createSetup();
	const all = ['a', 'b', 'c', 'd'].map((pid) => session.refresh(pid));
	await settled();
	const page = session.source.getProductReviews('d');
	await settled();
	expect(prioritized).toEqual([['crawlerReviews', 'd']]);
	for (const { answer } of [...open]) answer();
	await Promise.all([page, ...all]);
});

describe('a build is whole', () => {
	test.each<[string, ProductReviewsUserOptions]>([
		['stale', {}],
		['omit', { onError: 'omit' }],
		['fail', { onError: 'fail' }],
	])('%s: where nothing failed', async (_what, options) => {
		expect(() => createSetup(options).session.assertWhole()).not.toThrow();
	});

	test('stale: where what failed was stored', async () => {
		const { session, store, clock, failFor } = createSetup({ maxAge: 0 });
		store.table('reviews').put('p-1', pack(record()), clock.now() - 1_000);
		await failFor('p-1');
		expect(() => session.assertWhole()).not.toThrow();
	});

	test('omit: whatever failed', async () => {
		const { session, failFor } = createSetup({ onError: 'omit' });
		await failFor('p-1');
		expect(() => session.assertWhole()).not.toThrow();
		expect(await session.source.getProductReviews('p-1')).toBeUndefined();
	});
});

describe('a build that is not whole says so', () => {
	test('one product', async () => {
		const { session, failFor } = createSetup();
		await failFor('p-1');
		expect(await messageOf(() => session.assertWhole())).toMatchInlineSnapshot(`
			"ReviewsUnavailableError: The service failed for 1 product, and the store has no reviews to use instead: "p-1".
			First reason: 503 Service Unavailable [PR_SERVICE_FAILED]
			Build again when the service works. To build without these reviews, set the option "onError" of productReviews() to "omit"."
		`);
	});

	test('several products', async () => {
		const { session, failFor } = createSetup();
		await failFor('a', 'b\u001b', 'c'.repeat(100));
		expect(await messageOf(() => session.assertWhole())).toMatchInlineSnapshot(`
			"ReviewsUnavailableError: The service failed for 3 products, and the store has no reviews to use instead: "a", "b", "ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc…".
			First reason: 503 Service Unavailable [PR_SERVICE_FAILED]
			Build again when the service works. To build without these reviews, set the option "onError" of productReviews() to "omit"."
		`);
		expect(await errorOf(() => session.assertWhole())).toMatchObject({
			pids: ['a', 'b\u001b', 'c'.repeat(100)],
		});
	});

	test('a catalogue', async () => {
		const { session, failFor } = createSetup({ concurrency: 256 });
		await failFor(...Array.from({ length: 1_234 }, (_, index) => `p-${index}`));
		const message = await messageOf(() => session.assertWhole());
		expect(message).toContain('The service failed for 1,234 products');
		expect(message).toContain('"p-999" and 234 more');
	});

	test('a product whose reviews and data both failed is one product', async () => {
		const { session, failFor, open } = createSetup();
		await failFor('p-1');
		const data = session.source.getReviewData('p-1');
		await settled();
		open[0]?.fail('503');
		await data;
		expect((await errorOf(() => session.assertWhole())).message).toContain('for 1 product');
	});

	test('fail: what failed ends every page from then on', async () => {
		const { session, failFor } = createSetup({ onError: 'fail' });
		await failFor('p-1');
		expect((await errorOf(() => session.source.getProductReviews('p-1'))).name).toBe(
			'ReviewsUnavailableError',
		);
		expect((await errorOf(() => session.assertWhole())).name).toBe('ReviewsUnavailableError');
	});

	test('a list that is wrong ends every page, and the first error stays', async () => {
		const { session } = createSetup();
		const error = new Error('The product list is empty.');
		session.source.fail(error);
		session.source.fail(new Error('another'));
		for (const ask of [
			() => session.source.getProductReviews('p'),
			() => session.source.getReviewData('p'),
			() => session.assertWhole(),
		]) {
			expect(await errorOf(ask)).toBe(error);
		}
	});
});

test('a dev server goes on with what is stored, whatever onError says', async () => {
	const { session, store, clock, open } = createSetup({ onError: 'fail', maxAge: 0 }, 'dev');
	store.table('reviews').put('p-1', pack(record({ heading: 'stored' })), clock.now() - 1_000);
	const pages = ['p-1', 'p-2'].map((pid) => session.source.getProductReviews(pid));
	await settled();
	for (const request of [...open]) request.fail('503');
	const [stored, missing] = await Promise.all(pages);
	expect(stored?.heading).toBe('stored');
	expect(missing).toBeUndefined();
});

describe('review data', () => {
	/** A page with this component, or with markup of its own: whether it is another when the data changes so. */
	async function isChanged(component: string | undefined, changes: Partial<ReviewData>) {
		const shown: Dependency[] = [];
		const { session, store, clock } = createSetup({ maxAge: '1d' }, 'build', {
			depend: (it) => shown.push(it),
		});
		const data = readReviewData(await dataOf(wireData()));
		store.table('review-data').put('p-1', pack(data), clock.now());
		if (component) await session.source.getFragment('p-1', { component, props: {} });
		else await session.source.getReviewData('p-1');
		const later = createSetup({ maxAge: '1d' });
		later.store.table('review-data').put('p-1', pack({ ...data, ...changes }), clock.now());
		return isOther(later.session, shown[0]);
	}

	test('a page that shows all of it is another when any of it is', async () => {
		expect(await isChanged(undefined, {})).toBe(false);
		expect(await isChanged(undefined, { questions: [] })).toBe(true);
	});

	test('a page that shows a part of it is another when that part is', async () => {
		const summary = 'RatingSummary';
		expect(await isChanged(summary, { questions: [], questionCount: 9, reviews: [] })).toBe(false);
		expect(await isChanged(summary, { recommendCount: 3 })).toBe(true);
	});

	test('where a page shows it, it counts for the key of an adapter', async () => {
		const { session, store, clock } = createSetup({ maxAge: '1d' });
		store.table('reviews').put('p-1', pack(record()), clock.now());
		const without = await session.source.digestOf(['p-1']);
		store.table('review-data').put('p-1', pack({ questions: [] }), clock.now());
		const first = await session.source.digestOf(['p-1']);
		expect(first).not.toBe(without);
		expect(await session.source.digestOf(['p-1'])).toBe(first);
	});
});

describe('stars', () => {
	const RATING = { pid: 'p-1', average: 4.456, count: 3, questionCount: 0, source: {} };

	function createStars(ratings: Record<string, object> | Error, more: Partial<SessionContext> = {}) {
		const lists: (readonly string[])[] = [];
		const setup = createSetup({ maxAge: '1d' }, 'build', {
			hasToken: true,
			...more,
			service: {
				...createReviewService(createFakeClient().client),
				async fetchRatings(pids) {
					lists.push(pids);
					if (ratings instanceof Error) throw ratings;
					return new Map(Object.entries(ratings)) as never;
				},
			},
		});
		return { ...setup, lists };
	}

	test('of products that nobody fetches come from one request, and are stored', async () => {
		const { session, lists, store } = createStars({ a: RATING, b: { ...RATING, count: 0 } });
		const asked = ['a', 'b', 'c', 'a'].map((pid) => session.source.getStarRating(pid));
		expect(await Promise.all(asked)).toEqual([
			{ average: 4.46, count: 3 },
			undefined,
			undefined,
			{ average: 4.46, count: 3 },
		]);
		await session.source.getStarRating('a');
		expect(lists).toEqual([['a', 'b', 'c']]);
		expect(store.table('rating').entry('a')).toBeDefined();
	});

	test.each([
		{ average: 7, count: 3 },
		{ average: Number.NaN, count: 3 },
		{ average: 4, count: 1.5 },
		{ average: 4, count: -1 },
	])('%j is no rating', async (rating) => {
		expect(await createStars({ a: rating }).session.source.getStarRating('a')).toBeUndefined();
	});

	test('of products with stored reviews are theirs, without reading these', async () => {
		const { session, store, clock, lists } = createStars({});
		const aggregate = { count: 2, average: 4.5 };
		store
			.table('reviews')
			.put('a', { ...pack(record(), aggregate), bytes: Buffer.from('damaged') }, clock.now());
		expect(await session.source.getStarRating('a')).toEqual(aggregate);
		expect(lists).toEqual([]);
	});

	test('of products whose reviews the same page shows come with these', async () => {
		const { session, lists } = createStars({ a: RATING });
		void session.source.getStarRating('a');
		void session.source.getProductReviews('a');
		await settled();
		expect(lists).toEqual([]);
	});

	test('of products whose review data is stored are those of it, and a page is another when they are', async () => {
		const shown: Dependency[] = [];
		const { session, store, clock, lists } = createStars({}, { depend: (it) => shown.push(it) });
		const data = readReviewData(await dataOf(wireData()));
		const packed = (changes: Partial<ReviewData>) => {
			const changed = { ...data, ...changes };
			return pack(changed, { ...changed.aggregate, questionCount: changed.questionCount });
		};
		store.table('review-data').put('a', packed({}), clock.now());
		expect(await session.source.getStarRating('a')).toEqual(data.aggregate);
		expect(lists).toEqual([]);
		const isChanged = (changes: Partial<ReviewData>) => {
			const later = createStars({});
			later.store.table('review-data').put('a', packed(changes), clock.now());
			return isOther(later.session, shown[0]);
		};
		expect(await isChanged({ questions: [] })).toBe(false);
		expect(await isChanged({ aggregate: { count: 13, average: 4.5 } })).toBe(true);
		expect(await isChanged({ aggregate: undefined })).toBe(true);
	});

	test('that a product has not got leave a page as it is, whatever else of it changes', async () => {
		const shown: Dependency[] = [];
		const open = (heading: string, more: Partial<SessionContext> = {}) => {
			const setup = createStars({}, more);
			setup.store
				.table('reviews')
				.put('a', pack(record({ aggregate: undefined, heading })), setup.clock.now());
			return setup.session;
		};
		const session = open('Reviews', { depend: (it) => shown.push(it) });
		expect(await session.source.getStarRating('a')).toBeUndefined();
		expect(await isOther(open('Opinions'), shown[0])).toBe(false);
	});

	test('of listed products are those of their reviews; without a token, so are all', async () => {
		for (const more of [{ listed: new Set(['a']) }, { hasToken: false }]) {
			const { session, lists } = createStars({ a: RATING }, more);
			const stars = session.source.getStarRating('a');
			await settled();
			expect(lists).toEqual([]);
			void stars;
		}
	});

	test('that the service fails for are left out, and the build is whole', async () => {
		const { session, outcomes } = createStars(new Error('503'));
		expect(await session.source.getStarRating('a')).toBeUndefined();
		expect(outcomes.rating.failures).toMatchObject([{ pid: 'a', reason: '503', stale: false }]);
		expect(() => session.assertWhole()).not.toThrow();
	});

	test('that moved make a page another one', async () => {
		const shown: Dependency[] = [];
		const { session } = createStars({ a: RATING }, { depend: (it) => shown.push(it) });
		await session.source.getStarRating('a');
		expect(await isOther(createStars({ a: RATING }).session, shown[0])).toBe(false);
		expect(await isOther(createStars({ a: { ...RATING, count: 4 } }).session, shown[0])).toBe(true);
	});
});
