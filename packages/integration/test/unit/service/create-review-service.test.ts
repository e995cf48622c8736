import { type CrawlerReviews, type ReviewsClient, ReviewsNetworkError } from 'product-reviews-client';
import { errorOf } from 'product-reviews-test-support/error-of';
import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test } from 'vitest';
import { createReviewService } from '../../../src/service/create-review-service.js';
import { unpack, unpackAttachments } from '../../../src/store/pack.js';
import { answer } from '../../support/service/payload.js';
import { createFakeClient } from '../../support/unit/service.js';

const pids = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

function start(concurrency: number) {
	const fake = createFakeClient();
	return { ...fake, service: createReviewService(fake.client, concurrency) };
}

test('as many requests as allowed are in flight, never more', async () => {
	const { service, open, asked, most } = start(6);
	const all = pids(50).map((pid) => service.fetch('reviews', pid));
	for (let answered = 0; answered < 50; answered++) {
		await settled();
		expect(open.length).toBe(Math.min(6, 50 - answered));
		open[answered % Math.min(3, open.length)]?.answer();
	}
	await Promise.all(all);
	expect(most()).toBe(6);
	expect(asked).toEqual(pids(50));
});

test('answers that wait to be read hold back further requests: they do not pile up', async () => {
	const { service, open, asked } = start(4);
	let read = 0;
	const all = pids(40).map((pid) => service.fetch('reviews', pid).then(() => read++));
	await settled();
	for (const { answer } of [...open]) answer();
	let ahead = 0;
	while (read < 40) {
		await new Promise((resolve) => setImmediate(resolve));
		ahead = Math.max(ahead, asked.length - read);
		for (const { answer } of [...open]) answer();
	}
	await Promise.all(all);
	expect(ahead).toBe(4);
});

test('a value comes checked and packed', async () => {
	const { service, open } = start(1);
	const fetched = service.fetch('reviews', 'p-1');
	await settled();
	open[0]?.answer();
	const { packed, dropped } = await fetched;
	expect(packed && unpack(packed)).toMatchObject({ pid: 'p-1', reviews: [{ author: 'Ada' }] });
	expect(dropped).toEqual({});
});

test('what could not be read of it is counted', async () => {
	const { service, open } = start(1);
	const fetched = service.fetch('reviews', 'p-1');
	await settled();
	open[0]?.answer({ aggregate: { count: 3, average: 4 } });
	expect((await fetched).dropped).toEqual({ 'rating-differs': 1 });
});

describe('an answer that the service need not send again', () => {
	const VALIDATORS = { etag: 'W/"a1"', lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT' };

	/** What a fetch with a text from the store asks with, and what it comes to when that is current. */
	async function fetchKnown(stored: string | undefined) {
		const { service, open } = start(1);
		const fetched = service.fetch('reviews', 'p-1', stored);
		await settled();
		const known = open[0]?.known;
		open[0]?.answerUnchanged();
		return { known, fetched: await fetched };
	}

	/** The text that the store is given for an answer. */
	async function storedOf(parts: Partial<CrawlerReviews>) {
		const { service, open } = start(1);
		const fetched = service.fetch('reviews', 'p-1');
		await settled();
		expect(open[0]?.known).toBeUndefined();
		open[0]?.answer(parts);
		return (await fetched).validators;
	}

	test('comes with a text to ask with next time', async () => {
		const stored = await storedOf({ validators: VALIDATORS });
		const { known, fetched } = await fetchKnown(stored);
		expect(known).toEqual(VALIDATORS);
		expect(fetched).toEqual({ packed: undefined, isEmpty: false, dropped: {}, validators: stored });
	});

	test('comes with none where the service sends none', async () => {
		expect(await storedOf({})).toBeUndefined();
	});

	test.each([
		undefined,
		'',
		'null',
		'7',
		'"a1"',
		'{"etag":"a1"}',
		'{"version":"0.0.1","etag":"a1"}',
		'{"version":"0.1.0","etag":"a1',
	])('is asked for whole where the text is of another version, or unreadable: %j', async (stored) => {
		expect((await fetchKnown(stored)).known).toBeUndefined();
	});

	test('review data is always asked for whole', async () => {
		const { service, open } = start(1);
		void service.fetch('review-data', 'p-1', await storedOf({ validators: VALIDATORS }));
		await settled();
		expect(open[0]?.known).toBeUndefined();
	});
});

test('what is made of an answer is packed with it', async () => {
	const fake = createFakeClient();
	const service = createReviewService(fake.client, 2, undefined, undefined, (resource) => ({
		set: 'set',
		items: { [resource]: { text: 'About it.', about: {} } },
	}));
	const fetched = service.fetch('reviews', 'p-1');
	await settled();
	fake.open[0]?.answer();
	const { packed } = await fetched;
	expect(unpackAttachments(packed ?? expect.fail())?.items).toEqual({
		reviews: { text: 'About it.', about: {} },
	});
});

test('fewer are asked for at once while fewer are allowed', async () => {
	const fake = createFakeClient();
	let allowed = 6;
	const service = createReviewService(fake.client, 6, () => allowed);
	const all = pids(30).map((pid) => service.fetch('reviews', pid));
	const answer = async () => {
		fake.open[0]?.answer();
		await settled();
		return fake.open.length;
	};
	await settled();
	allowed = 4;
	expect([await answer(), await answer(), await answer()]).toEqual([5, 4, 4]);
	allowed = 6;
	expect(await answer()).toBe(6);
	while (fake.open.length > 0) await answer();
	await Promise.all(all);
});

describe('order', () => {
	test('a product that a page waits for comes next, the last one first of all', async () => {
		const { service, open, asked } = start(2);
		const all = pids(8).map((pid) => service.fetch('reviews', pid));
		await settled();
		service.hurry('reviews', 'p-5');
		service.hurry('reviews', 'p-7');
		service.hurry('reviews', 'p-0');
		service.hurry('reviews', 'unknown');
		service.hurry('review-data', 'p-6');
		while (open.length > 0) {
			open[0]?.answer();
			await settled();
		}
		await Promise.all(all);
		expect(asked).toEqual(['p-0', 'p-1', 'p-7', 'p-5', 'p-2', 'p-3', 'p-4', 'p-6']);
	});
});

test('one that fails leaves its place to the next', async () => {
	const { service, open } = start(1);
	const [first, second] = [service.fetch('reviews', 'a'), service.fetch('reviews', 'b')];
	const failed = errorOf(() => first);
	await settled();
	open[0]?.fail('503');
	expect((await failed).message).toBe('503');
	await settled();
	open[0]?.answer();
	await expect(second).resolves.toBeDefined();
});

test('an answer that cannot be read is a failure of its product', async () => {
	const { service, open } = start(1);
	const failed = errorOf(() => service.fetch('reviews', 'a'));
	await settled();
	open[0]?.answer({ jsonld: '<p>Sorry</p>' });
	expect((await failed).name).toBe('ReviewPayloadError');
});

test('what is under way when it ends fails, and so does what still waits', async () => {
	const { service } = start(1);
	const failures = ['a', 'b'].map((pid) => errorOf(() => service.fetch('reviews', pid)));
	await settled();
	await service.close();
	expect((await failures[0])?.message).toContain('The build ended.');
});

describe('a product for which the service failed', () => {
	const outage = (pid: string) =>
		new ReviewsNetworkError('the connection was reset', {
			operation: 'crawlerReviews',
			pids: [pid],
			url: 'http://localhost/',
			attempts: 5,
			status: undefined,
		});

	/** A service that fails for the products of this list, each as often as it is in it. */
	function startFailing(failing: string[], hasSecondRound = true) {
		const asked: string[] = [];
		const fake = createFakeClient();
		const client = {
			...fake.client,
			async getCrawlerReviews(pid: string) {
				asked.push(pid);
				const index = failing.indexOf(pid);
				if (index < 0) return answer({ pid });
				failing.splice(index, 1);
				throw outage(pid);
			},
		} as ReviewsClient;
		return { asked, service: createReviewService(client, 1, () => 1, hasSecondRound) };
	}

	test('is asked for once more, behind all others', async () => {
		const { asked, service } = startFailing(['p-0']);
		const all = pids(3).map((pid) => service.fetch('reviews', pid));
		expect(await Promise.all(all)).toHaveLength(3);
		expect(asked).toEqual(['p-0', 'p-1', 'p-2', 'p-0']);
	});

	test('is asked for at once when a page waits for it', async () => {
		const { asked, service } = startFailing(['p-1']);
		const all = pids(4).map((pid) => service.fetch('reviews', pid));
		service.hurry('reviews', 'p-1');
		await Promise.all(all);
		expect(asked.filter((pid) => pid === 'p-1')).toHaveLength(2);
		expect(asked.lastIndexOf('p-1') - asked.indexOf('p-1')).toBe(1);
	});

	test('has failed when it fails again, with the first reason', async () => {
		const { asked, service } = startFailing(['p-0', 'p-0']);
		const error = await errorOf(() => service.fetch('reviews', 'p-0'));
		expect(error).toBeInstanceOf(ReviewsNetworkError);
		expect(asked).toEqual(['p-0', 'p-0']);
	});

	test('has failed at once where no request is tried again', async () => {
		const { asked, service } = startFailing(['p-0'], false);
		await errorOf(() => service.fetch('reviews', 'p-0'));
		expect(asked).toEqual(['p-0']);
	});
});
