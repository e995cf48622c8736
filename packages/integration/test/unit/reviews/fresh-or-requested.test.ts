import { createClock, errorOf, settled } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import type { ProductReviewsUserOptions } from '../../../src/index.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { createHostedCalls } from '../../../src/providers/hosted-reviews.js';
import { createReviewFetcher } from '../../../src/providers/review-fetcher.js';
import { pack } from '../../../src/records/packed.js';
import { RESOURCES } from '../../../src/records/parts.js';
import type { Failure } from '../../../src/reviews/results.js';
import { createProductResults } from '../../../src/reviews/results.js';
import { createMemoryStore } from '../../support/unit/cache.js';
import { record } from '../../support/unit/record.js';
import { createFakeClient } from '../../support/unit/service.js';
import { createSession } from '../../support/unit/session.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Setup {
	readonly command?: 'build' | 'dev';
	readonly options?: ProductReviewsUserOptions;
	/** Products whose ratings were compared, so that they stay fresh for a week. */
	readonly listed?: readonly string[];
	/** Age of the reviews of "p-1" that are stored, in milliseconds. */
	readonly age?: number;
}

function start({ command = 'build', options = {}, listed, age }: Setup = {}) {
	const fake = createFakeClient();
	const clock = createClock();
	const store = createMemoryStore(clock.now);
	const stored = pack(record({ heading: 'stored' }));
	if (age !== undefined) store.put('p-1', 'reviews', stored, { fetchedAt: clock.now() - age, revision: 0 });
	const failures: Failure[] = [];
	const results = createProductResults();
	const session = createSession({
		service: createReviewFetcher(createHostedCalls(fake.client)),
		store,
		options: parseOptions({ maxAge: '1h', ...options }),
		...(listed && { listed: new Map(listed.map((pid, index) => [pid, index])) }),
		...(listed && { revalidation: { maxAge: 7 * DAY, checked: undefined } }),
		results,
		command,
		onFailure: (failure) => failures.push(failure),
	});
	/** What a page shows: `'stored'`, or what the service sends. */
	const page = async (pid = 'p-1') => {
		const reviews = await session.source.getProductReviews(pid);
		return reviews && (reviews.heading === 'stored' ? 'stored' : 'fetched');
	};
	/** A page whose request, if there is one, is answered or fails. */
	async function pageWith(end: 'answer' | 'fail') {
		const shown = page();
		await settled();
		for (const request of [...fake.open]) {
			if (end === 'fail') request.fail('503');
			else request.answer();
		}
		return shown;
	}
	return { ...fake, clock, store, failures, results, session, page, pageWith };
}

describe('what is fresh is not asked for', () => {
	test.each<[string, Setup, boolean]>([
		['nothing stored', {}, true],
		['younger than maxAge', { age: HOUR - 1 }, false],
		['as old as maxAge', { age: HOUR }, true],
		['another maxAge', { age: 2 * HOUR, options: { maxAge: '1d' } }, false],
		['with a rating that was compared', { age: 2 * HOUR, listed: ['p-1'] }, false],
		['with a rating that was not', { age: 2 * HOUR, listed: ['p-2'] }, true],
		['maxAge 0', { age: 1, options: { maxAge: 0 } }, true],
		['in dev', { age: HOUR - 1, command: 'dev' }, false],
		['in dev, older', { age: HOUR, command: 'dev' }, true],
		['a little from the future, as another machine’s clock', { age: -60_000 }, false],
		['far from the future', { age: -30 * DAY }, true],
	])('%s', async (_what, setup, expected) => {
		const { pageWith, asked } = start(setup);
		expect(await pageWith('answer')).toBe(expected ? 'fetched' : 'stored');
		expect(asked).toHaveLength(expected ? 1 : 0);
		const list = start(setup);
		void list.session.refresh('p-1');
		await settled();
		expect(list.asked).toHaveLength(expected ? 1 : 0);
	});

	test('in a build, what it fetched stays fresh whatever maxAge or clocks say; in dev, maxAge 0 asks each time', async () => {
		const { pageWith, page, asked, clock } = start({ options: { maxAge: 0 } });
		await pageWith('answer');
		for (const time of [-2_000, 5 * DAY]) {
			clock.pass(time);
			expect(await page()).toBe('fetched');
		}
		expect(asked).toHaveLength(1);
		const dev = start({ command: 'dev', options: { maxAge: 0 } });
		for (let count = 0; count < 2; count++) expect(await dev.pageWith('answer')).toBe('fetched');
		expect(dev.asked).toHaveLength(2);
	});
});

describe('an answer that has the other part, too', () => {
	const old = pack('old', { count: 3 });
	const answerWith = (count: number) => {
		const store = createMemoryStore();
		const fetched = {
			content: pack('new', { count }),
			isEmpty: count === 0,
			dropped: {},
			validators: undefined,
		};
		const asked: string[] = [];
		const session = createSession({
			service: {
				async fetch(part, pid) {
					asked.push(`${part} ${pid}`);
					const other = part === 'reviews' ? 'review-data' : 'reviews';
					return { ...fetched, also: { ...fetched, part: other } };
				},
				fetchRatings: async () => new Map(),
				prioritize() {},
				async close() {},
			},
			store,
			options: parseOptions({ maxAge: '1h' }),
			results: createProductResults(),
			command: 'build',
			onFailure() {},
		});
		const keep = (pid: string, age = 2 * HOUR) => {
			for (const part of RESOURCES) store.put(pid, part, old, { fetchedAt: Date.now() - age, revision: 0 });
		};
		return { store, session, asked, keep };
	};

	test('settles both, whichever is asked for first, also where there is nothing', async () => {
		for (const count of [0, 4]) {
			const { store, session, asked, keep } = answerWith(count);
			if (count > 0) keep('p-1');
			await session.reviews.settle('p-1');
			await session.reviewData.settle('p-1');
			await session.reviewData.settle('p-2');
			await session.reviews.settle('p-2');
			expect(asked).toEqual(['reviews p-1', 'review-data p-2']);
			expect(RESOURCES.map((part) => store.read('p-1', part)?.record)).toEqual(['new', 'new']);
		}
	});

	test('changes nothing that is fresh', async () => {
		const { store, session, keep } = answerWith(4);
		keep('p-1', 0);
		store.put('p-1', 'reviews', old, { fetchedAt: 0, revision: 0 });
		await session.reviews.settle('p-1');
		expect(RESOURCES.map((part) => store.read('p-1', part)?.record)).toEqual(['new', 'old']);
	});

	test('takes no reviews away from the other part before that is asked for', async () => {
		const { store, session, asked, keep } = answerWith(0);
		keep('p-1');
		await session.reviews.settle('p-1');
		expect(store.read('p-1', 'review-data')?.record).toBe('old');
		await session.reviewData.settle('p-1');
		expect(asked).toEqual(['reviews p-1', 'review-data p-1']);
	});
});

describe('when the service fails', () => {
	test.each<[string, Setup, string | undefined]>([
		['stale: what is stored is used', { age: 2 * HOUR }, 'stored'],
		['stale: as old as staleIfError', { age: 30 * DAY }, 'stored'],
		['stale: older than staleIfError', { age: 30 * DAY + 1 }, undefined],
		['stale: staleIfError 0', { age: 2 * HOUR, options: { staleIfError: 0 } }, undefined],
		['stale: nothing stored', {}, undefined],
		['omit: what is stored is used', { age: 2 * HOUR, options: { onError: 'omit' } }, 'stored'],
		['omit: nothing stored', { options: { onError: 'omit' } }, undefined],
	])('%s', async (_what, setup, expected) => {
		const { pageWith, page, failures, results, session, store, clock, asked } = start(setup);
		expect(await pageWith('fail')).toBe(expected);
		expect(failures).toMatchObject([{ pid: 'p-1', reason: '503', stale: expected !== undefined }]);
		expect(results.reviews).toMatchObject({ answers: 0, failures });
		expect(results.reviews.get('p-1')?.status).toBe(expected ? 'stale' : 'failed');
		expect(await page()).toBe(expected);
		await session.refresh('p-1');
		expect(asked).toHaveLength(1);
		// A bad answer never replaces a good value.
		if (setup.age) expect(store.entry('p-1', 'reviews')?.fetchedAt).toBe(clock.now() - setup.age);
	});

	test('fail: the failure is an error that names the product, printable, for each page that asks', async () => {
		const { session, page, open, asked } = start({ age: 2 * HOUR, options: { onError: 'fail' } });
		const pid = 'p\u001b[31m\n1';
		const failure = errorOf(() => session.refresh(pid));
		await settled();
		open[0]?.fail('503');
		for (const error of [await failure, await errorOf(() => page(pid))]) {
			expect(error.message).toBe('The service failed for the product "p[31m 1": 503');
			expect(error).toMatchObject({ code: 'PR_REVIEWS_UNAVAILABLE' });
			expect(error.hint).toContain('"onError" is "fail"');
		}
		expect(asked).toHaveLength(1);
	});

	test('in dev it is asked again after ten seconds, and a value ends the failure', async () => {
		const { pageWith, page, asked, clock, failures } = start({ command: 'dev', age: 2 * HOUR });
		expect(await pageWith('fail')).toBe('stored');
		clock.pass(9_999);
		expect(await page()).toBe('stored');
		expect(asked).toHaveLength(1);
		clock.pass(1);
		expect(await pageWith('answer')).toBe('fetched');
		expect(failures).toHaveLength(1);
	});
});

test('a product that a developer wants requested again is, whole, however fresh it is, also after a failure', async () => {
	const { session, page, pageWith, open, asked, clock } = start({ command: 'dev', age: 1_000 });
	expect(await page()).toBe('stored');
	session.reviews.renew('p-1');
	void page();
	await settled();
	expect(open[0]?.known).toBeUndefined();
	expect(await pageWith('answer')).toBe('fetched');
	expect(await page()).toBe('fetched');
	expect(asked).toHaveLength(1);
	clock.pass(2 * HOUR);
	expect(await pageWith('fail')).toBe('fetched');
	expect(session.reviews.lastAnswer('p-1').failure).toMatchObject({ reason: '503', stale: true });
	session.reviews.renew('p-1');
	expect(await pageWith('answer')).toBe('fetched');
	expect(session.reviews.lastAnswer('p-1').failure).toBeUndefined();
	expect(asked).toHaveLength(3);
});

test.each(['build', 'dev'] as const)('in %s, unreadable parts are known by product', async (command) => {
	const { page, open, results, session } = start({ command });
	const shown = page();
	await settled();
	open[0]?.answer({ aggregate: { count: 3, average: 4 } });
	expect(await shown).toBe('fetched');
	const parts = { 'rating-differs': 1 };
	const isBuild = command === 'build';
	expect(results.reviews.dropped).toEqual(isBuild ? [{ pid: 'p-1', parts }] : []);
	expect(session.reviews.lastAnswer('p-1').dropped).toEqual(isBuild ? undefined : parts);
});
