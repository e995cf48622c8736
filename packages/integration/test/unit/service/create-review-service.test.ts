import { describe, expect, test } from 'vitest';
import { createReviewService } from '../../../src/service/create-review-service.js';
import { unpack } from '../../../src/store/pack.js';
import { errorOf } from '../../support/unit-error.js';
import { createFakeClient } from '../../support/unit-service.js';
import { settled } from '../../support/unit-settled.js';

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
