import { describe, expect, test } from 'vitest';
import type { ProductReviewsUserOptions } from '../../src/index.js';
import { parseOptions } from '../../src/options/parse-options.js';
import { createTally } from '../../src/prefetch/tally.js';
import { createReviewService } from '../../src/service/create-review-service.js';
import { createSession } from '../../src/session.js';
import { createMemoryStore } from '../../src/store/memory-store.js';
import { pack } from '../../src/store/pack.js';
import { createClock } from '../support/unit-clock.js';
import { errorOf, messageOf } from '../support/unit-error.js';
import { record } from '../support/unit-record.js';
import { createFakeClient } from '../support/unit-service.js';
import { settled } from '../support/unit-settled.js';

function createSetup(options: ProductReviewsUserOptions = {}, command: 'build' | 'dev' = 'build') {
	const fake = createFakeClient();
	const clock = createClock();
	const store = createMemoryStore();
	const tally = createTally();
	const parsed = parseOptions(options);
	const session = createSession({
		service: createReviewService(fake.client, parsed.concurrency),
		store,
		options: parsed,
		tally,
		now: clock.now,
		command,
		onFailure: () => {},
	});
	/** Lets the service fail for products that are refreshed. */
	const failFor = async (...pids: string[]) => {
		const ended = Promise.allSettled(pids.map((pid) => session.refresh(pid)));
		for (await settled(); fake.open.length > 0; await settled())
			fake.open[0]?.fail('503 Service Unavailable');
		await ended;
	};
	return { ...fake, clock, store, tally, session, failFor };
}

test('a page gets the checked record of what the service sends', async () => {
	const { session, open } = createSetup();
	const asked = session.getProductReviews('p-1');
	await settled();
	open[0]?.answer();
	expect(await asked).toMatchObject({ pid: 'p-1', aggregate: { count: 2 }, reviews: [{ author: 'Ada' }] });
	expect([...session.asked]).toEqual(['p-1']);
});

test('reviews and review data of a product are two requests, each made once', async () => {
	const { session, asked, open } = createSetup();
	const all = [
		session.getProductReviews('p'),
		session.getReviewData('p'),
		session.getProductReviews('p'),
		session.getReviewData('p'),
	];
	await settled();
	expect(asked).toEqual(['p', 'p']);
	for (const request of [...open]) request.answer();
	await Promise.all(all);
});

test('what a page waits for comes before the rest of the prefetch', async () => {
	const { session, asked, open } = createSetup({ concurrency: 1 });
	for (const pid of ['a', 'b', 'c', 'd']) void session.refresh(pid);
	await settled();
	const page = session.getProductReviews('d');
	await settled();
	open[0]?.answer();
	await settled();
	open[0]?.answer();
	await page;
	expect(asked.slice(0, 2)).toEqual(['a', 'd']);
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
		expect(await session.getProductReviews('p-1')).toBeUndefined();
	});
});

describe('a build that is not whole says so', () => {
	test('one product', async () => {
		const { session, failFor } = createSetup();
		await failFor('p-1');
		expect(await messageOf(() => session.assertWhole())).toMatchInlineSnapshot(`
			"ReviewsUnavailableError: The service failed for one product, and the store has no reviews of it: "p-1".
			First reason: 503 Service Unavailable
			Build again when the service answers. To build without the reviews of such products, set the option "onError" of productReviews() to "omit"."
		`);
	});

	test('several products', async () => {
		const { session, failFor } = createSetup();
		await failFor('a', 'b\u001b', 'c'.repeat(100));
		expect(await messageOf(() => session.assertWhole())).toMatchInlineSnapshot(`
			"ReviewsUnavailableError: The service failed for 3 products, and the store has no reviews of them: "a", "b", "ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc…".
			First reason: 503 Service Unavailable
			Build again when the service answers. To build without the reviews of such products, set the option "onError" of productReviews() to "omit"."
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
		const data = session.getReviewData('p-1');
		await settled();
		open[0]?.fail('503');
		await data;
		expect((await errorOf(() => session.assertWhole())).message).toContain('for one product');
	});

	test('fail: what failed ends every page from then on', async () => {
		const { session, failFor } = createSetup({ onError: 'fail' });
		await failFor('p-1');
		expect((await errorOf(() => session.getProductReviews('p-1'))).name).toBe('ReviewsUnavailableError');
		expect((await errorOf(() => session.assertWhole())).name).toBe('ReviewsUnavailableError');
	});

	test('a list that is wrong ends every page, and the first error stays', async () => {
		const { session } = createSetup();
		const error = new Error('The product list is empty.');
		session.fail(error);
		session.fail(new Error('another'));
		for (const ask of [
			() => session.getProductReviews('p'),
			() => session.getReviewData('p'),
			() => session.assertWhole(),
		]) {
			expect(await errorOf(ask)).toBe(error);
		}
	});
});

test('a dev server goes on with what is stored, whatever onError says', async () => {
	const { session, store, clock, open } = createSetup({ onError: 'fail', maxAge: 0 }, 'dev');
	store.table('reviews').put('p-1', pack(record({ heading: 'stored' })), clock.now() - 1_000);
	const pages = ['p-1', 'p-2'].map((pid) => session.getProductReviews(pid));
	await settled();
	for (const request of [...open]) request.fail('503');
	const [stored, missing] = await Promise.all(pages);
	expect(stored?.heading).toBe('stored');
	expect(missing).toBeUndefined();
});
