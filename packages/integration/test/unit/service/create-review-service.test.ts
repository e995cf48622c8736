import { type CrawlerReviews, createReviewsClient, ReviewsHttpError } from 'product-reviews-client';
import { errorOf } from 'product-reviews-test-support/error-of';
import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test } from 'vitest';
import { createReviewService } from '../../../src/service/create-review-service.js';
import { readAttachments } from '../../../src/store/attachments.js';
import { unpack } from '../../../src/store/pack.js';
import { createFakeClient } from '../../support/unit/service.js';

function start() {
	const fake = createFakeClient();
	return { ...fake, service: createReviewService(fake.client) };
}

test('a value comes checked and packed', async () => {
	const { service, open } = start();
	const fetched = service.fetch('reviews', 'p-1');
	await settled();
	open[0]?.answer();
	const { packed, dropped } = await fetched;
	expect(packed && unpack(packed)).toMatchObject({ pid: 'p-1', reviews: [{ author: 'Ada' }] });
	expect(dropped).toEqual({});
});

test('what could not be read of it is counted', async () => {
	const { service, open } = start();
	const fetched = service.fetch('reviews', 'p-1');
	await settled();
	open[0]?.answer({ aggregate: { count: 3, average: 4 } });
	expect((await fetched).dropped).toEqual({ 'rating-differs': 1 });
});

describe('an answer that the service need not send again', () => {
	const VALIDATORS = { etag: 'W/"a1"', lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT' };

	/** What a fetch with a text from the store asks with, and what it comes to when that is current. */
	async function fetchKnown(stored: string | undefined) {
		const { service, open } = start();
		const fetched = service.fetch('reviews', 'p-1', stored);
		await settled();
		const known = open[0]?.known;
		open[0]?.answerUnchanged();
		return { known, fetched: await fetched };
	}

	/** The text that the store is given for an answer. */
	async function storedOf(parts: Partial<CrawlerReviews>) {
		const { service, open } = start();
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
		const { service, open } = start();
		void service.fetch('review-data', 'p-1', await storedOf({ validators: VALIDATORS }));
		await settled();
		expect(open[0]?.known).toBeUndefined();
	});
});

test('what is made of an answer is packed with it', async () => {
	const fake = createFakeClient();
	const service = createReviewService(fake.client, (resource) => ({
		set: 'set',
		items: { [resource]: { text: 'About it.', about: {} } },
	}));
	const fetched = service.fetch('reviews', 'p-1');
	await settled();
	fake.open[0]?.answer();
	const { packed } = await fetched;
	const attachments = readAttachments(Buffer.from(packed?.attachments ?? expect.fail()));
	const items = { reviews: { text: 'About it.', about: {} } };
	expect(attachments).toEqual({ digest: packed?.digest, set: 'set', items });
});

test.each([
	['reviews', 'crawlerReviews'],
	['review-data', 'productReviewData'],
] as const)('a product whose %s a page waits for is asked for next', (resource, operation) => {
	const { service, prioritized } = start();
	service.prioritize(resource, 'p-1');
	expect(prioritized).toEqual([[operation, 'p-1']]);
});

test('an answer that cannot be read is a failure of its product', async () => {
	const { service, open } = start();
	const failed = errorOf(() => service.fetch('reviews', 'a'));
	await settled();
	open[0]?.answer({ jsonld: '<p>Sorry</p>' });
	expect((await failed).name).toBe('ReviewPayloadError');
});

test('what is under way when it ends fails, and so does what still waits', async () => {
	const { service } = start();
	const failures = ['a', 'b'].map((pid) => errorOf(() => service.fetch('reviews', pid)));
	await settled();
	await service.close();
	expect((await failures[0])?.message).toContain('The build ended.');
});

test.each(['reviews', 'review-data'] as const)(
	'a product for which the service failed is asked for %s once more',
	async (resource) => {
		const asked: string[] = [];
		const client = createReviewsClient({
			baseUrl: 'https://reviews.example',
			wsid: 'W-1',
			token: 'token',
			concurrency: 1,
			retries: 1,
			random: () => 0,
			fetch: async (input, init) => {
				const pid =
					new URL(String(input)).searchParams.get('pid') ?? JSON.parse(String(init?.body)).productId;
				asked.push(pid);
				return new Response('{}', { status: pid === 'p-0' ? 503 : 404 });
			},
		});
		const service = createReviewService(client);
		const failed = errorOf(() => service.fetch(resource, 'p-0'));
		const { isEmpty } = await service.fetch(resource, 'p-1');
		expect(isEmpty).toBe(true);
		expect(await failed).toBeInstanceOf(ReviewsHttpError);
		expect(asked).toEqual(['p-0', 'p-0', 'p-1', 'p-0', 'p-0']);
	},
);
