import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test } from 'vitest';
import { startLive } from '../../support/unit/live.js';
import { createStorage, type TestStorage } from '../../support/unit/storage.js';

const MINUTE = 60_000;
const CONNECTION = { REVIEWS_BASE_URL: 'https://reviews.example', REVIEWS_WSID: 'W-1001' };

type Instance = ReturnType<typeof startLive>;

/** Instances of one server, that know nothing of each other but what they share. */
function startInstances(count = 2, options = {}, environment: Record<string, string> = CONNECTION) {
	const shared = createStorage();
	const start = () => startLive(options, environment, shared);
	const instances = Array.from({ length: count }, start);
	return {
		shared,
		instances: instances as [Instance, Instance, Instance, ...Instance[]],
		start,
		/** Time that passes for all. */
		async pass(milliseconds: number, step = milliseconds) {
			for (let passed = 0; passed < milliseconds; passed += step) {
				for (const instance of instances) await instance.pass(step);
			}
		},
		asked: () => instances.flatMap(({ asked }) => asked),
	};
}

/** It asks the service, which has another answer by now, and shows that. */
async function expectNewAnswer(instance: Instance): Promise<void> {
	void instance.shown();
	await (await instance.request()).answer({ average: 3 });
	expect(await instance.shown()).toBe(3);
}

/** Gives Redis's own command to a storage. */
function withLocks({ driver, values }: TestStorage): void {
	const set = async (key: string) => (values.has(key) ? null : values.set(key, '1') && 'OK');
	Object.assign(driver, { name: 'redis', options: {}, getInstance: () => ({ set }) });
}

test('what one instance has asked for, the others show', async () => {
	const { instances, asked } = startInstances(3);
	const [one, ...others] = instances;
	void one.shown();
	await (await one.request()).answer();
	for (const other of others) expect(await other.shown()).toBe(4.5);
	expect(asked()).toEqual(['p-1']);
});

test('an answer keeps its age, so that all instances ask again at the same time', async () => {
	const { instances, pass } = startInstances();
	const [one, other] = instances;
	void one.shown();
	await (await one.request()).answer();
	await pass(MINUTE - 1_000);
	expect(await other.shown()).toBe(4.5);
	expect(other.source.freshness?.('reviews', 'p-1').state).toBe('fresh');
	await pass(2_000);
	expect(other.source.freshness?.('reviews', 'p-1').state).toBe('stale');
});

test('what is stale is shown at once by an instance that has never asked', async () => {
	const { instances, pass } = startInstances();
	const [one, other] = instances;
	void one.shown();
	await (await one.request()).answer();
	await pass(2 * MINUTE);
	expect(await other.shown()).toBe(4.5);
	await (await other.request()).answer({ average: 3 });
	expect(await one.shown()).toBe(3);
	expect(one.asked).toHaveLength(1);
});

describe('where the driver can lock', () => {
	test('one instance refreshes, and the others show what is there', async () => {
		const { shared, instances, pass, asked } = startInstances(4);
		withLocks(shared);
		const [one] = instances;
		void one.shown();
		await (await one.request()).answer();
		await pass(2 * MINUTE);
		for (const instance of instances) expect(await instance.shown()).toBe(4.5);
		expect(asked()).toHaveLength(2);
		const [open] = instances.flatMap(({ open }) => open);
		await open?.answer({ average: 3 });
		await pass(50);
		for (const instance of instances) expect(await instance.shown()).toBe(3);
		expect(asked()).toHaveLength(2);
		expect([...shared.values.keys()].filter((key) => key.includes(':lock:'))).toEqual([]);
	});

	test('pages of instances that have nothing wait for the one that asks', async () => {
		const { shared, instances, pass, asked } = startInstances(4);
		withLocks(shared);
		const pages = instances.map(({ source }) => source.getProductReviews('p-1'));
		await pass(100, 10);
		expect(asked()).toEqual(['p-1']);
		await instances.flatMap(({ open }) => open)[0]?.answer();
		await pass(100, 10);
		for (const page of pages) expect((await page)?.aggregate?.average).toBe(4.5);
	});

	test('an instance that has just looked asks nobody for what another one has refreshed since', async () => {
		const { shared, instances, pass, asked } = startInstances(2);
		withLocks(shared);
		const [one, other] = instances;
		void one.shown();
		await (await one.request()).answer();
		await pass(MINUTE - 500);
		expect(await other.shown()).toBe(4.5);
		await pass(600);
		void one.shown();
		await (await one.request()).answer({ average: 3 });
		await other.shown();
		await settled();
		expect(await other.shown()).toBe(3);
		expect(asked()).toHaveLength(2);
	});

	test('if the one that asks dies, another one asks after three seconds', async () => {
		const { shared, instances, pass } = startInstances();
		withLocks(shared);
		const [one, other] = instances;
		void one.shown();
		await one.request();
		void other.shown();
		await pass(2_900, 50);
		expect(other.asked).toEqual([]);
		await pass(200, 50);
		expect(other.asked).toEqual(['p-1']);
	});
});

test('without a lock each instance asks at most once', async () => {
	const { instances, asked } = startInstances(4);
	const pages = instances.flatMap(({ source }) => [1, 2, 3].map(() => source.getProductReviews('p-1')));
	await settled();
	expect(asked()).toHaveLength(4);
	for (const { open } of instances) await open[0]?.answer();
	for (const page of pages) expect((await page)?.aggregate?.average).toBe(4.5);
});

describe('an event', () => {
	async function startWithReviews(options = { onDemand: { fresh: '1d' } }) {
		const all = startInstances(3, options);
		const [one] = all.instances;
		void one.shown();
		await (await one.request()).answer();
		for (const instance of all.instances) expect(await instance.shown()).toBe(4.5);
		await all.pass(5_000);
		return all;
	}

	test('that one instance receives is seen by all within two seconds, with one request', async () => {
		const { instances, pass, asked } = await startWithReviews();
		const [one, other, third] = instances;
		// Pages keep coming.
		for (const instance of instances) await instance.shown();
		const told = third.source.forget?.(['p-1']);
		await pass(1_000, 50);
		expect(await told).toBe(true);
		await other.shown();
		void other.shown();
		await (await other.request()).answer({ average: 3 });
		await pass(1_000, 50);
		for (const instance of [one, other, third]) {
			await instance.shown();
			expect(await instance.shown()).toBe(3);
		}
		expect(asked()).toEqual(['p-1', 'p-1']);
	});

	test('is seen at the next view by an instance that was stopped', async () => {
		const { instances, pass } = await startWithReviews();
		const [one, other] = instances;
		const told = one.source.forget?.(['p-1']);
		await pass(600_000, 60_000);
		await told;
		await expectNewAnswer(other);
	});

	test('that comes during a request makes its answer outdated, for all', async () => {
		const { instances, pass, start } = await startWithReviews({ onDemand: { fresh: '1m' } });
		const [one, other] = instances;
		await pass(2 * MINUTE);
		await one.shown();
		const old = await one.request();
		const told = other.source.forget?.(['p-1']);
		await pass(200, 50);
		await told;
		await old.answer({ average: 4 });
		const cold = start();
		await expectNewAnswer(cold);
	});

	test('that comes during a request makes its answer outdated, even if the product is looked up in between', async () => {
		const { instances, pass, start } = await startWithReviews({ onDemand: { fresh: '1m' } });
		const [one, other] = instances;
		await pass(2 * MINUTE);
		await one.shown();
		const old = await one.request();
		const told = other.source.forget?.(['p-1']);
		await pass(1_500, 50);
		await told;
		// It learns of the event, looks the product up, and asks again.
		await one.shown();
		void one.shown();
		await settled();
		expect(one.open).toHaveLength(2);
		await old.answer({ average: 4 });
		const cold = start();
		await expectNewAnswer(cold);
	});

	test('that comes while a product is looked up is not lost', async () => {
		const { shared, start } = await startWithReviews();
		const cold = start();
		const { getItems } = shared.driver;
		const late = Promise.withResolvers<void>();
		shared.driver.getItems = async (items, options) => {
			const found = await getItems?.(items, options);
			// The events are read at once, the product takes a while.
			if (items.length > 2) await late.promise;
			return found ?? [];
		};
		void cold.shown();
		await settled();
		const told = cold.source.forget?.(['p-1']);
		for (let steps = 0; steps < 10; steps++) await cold.pass(9);
		late.resolve();
		await settled();
		await cold.pass(100);
		await told;
		await expectNewAnswer(cold);
	});

	test('of all products is seen by all', async () => {
		const { instances, pass } = await startWithReviews();
		const [one, other] = instances;
		const told = one.source.forget?.(undefined);
		await pass(3_000, 50);
		await told;
		await expectNewAnswer(other);
	});
});

describe('a storage that', () => {
	test('fails costs no page, and nothing that is remembered', async () => {
		const { shared, instances, pass } = startInstances();
		const [one, other] = instances;
		shared.behaves = new Error('connect ECONNREFUSED 127.0.0.1:6379');
		void one.shown();
		await (await one.request()).answer();
		expect(await one.shown()).toBe(4.5);
		void other.shown();
		await (await other.request()).answer();
		expect(await other.shown()).toBe(4.5);
		await pass(30_000, 1_000);
		expect(one.warnings).toHaveLength(1);
	});

	test('hangs costs the first page 100 ms, and the next ones nothing', async () => {
		const { shared, instances } = startInstances();
		const [one] = instances;
		shared.behaves = 'hangs';
		const page = one.source.getProductReviews('p-1');
		await one.pass(99);
		expect(one.open).toEqual([]);
		await one.pass(1);
		await (await one.request()).answer();
		expect((await page)?.aggregate?.average).toBe(4.5);
		for (const pid of ['p-2', 'p-3', 'p-4']) {
			void one.shown(pid);
			await (await one.request()).answer();
			expect(await one.shown(pid)).toBe(4.5);
		}
	});

	test('lost everything is filled again by those who remember, without a request', async () => {
		const { shared, instances, pass, start } = startInstances(2, { onDemand: { fresh: '1d' } });
		const [one] = instances;
		void one.shown();
		await (await one.request()).answer();
		const told = one.source.forget?.(['p-9']);
		await pass(3_000, 50);
		await told;
		await one.shown();
		await pass(MINUTE);
		shared.values.clear();
		await pass(3_000, 1_000);
		expect(await one.shown()).toBe(4.5);
		expect(one.asked).toHaveLength(1);
		const cold = start();
		expect(await cold.shown()).toBe(4.5);
		expect(cold.asked).toEqual([]);
	});

	test('holds rubbish is as if it were empty', async () => {
		const { shared, instances } = startInstances();
		const [one, other] = instances;
		void one.shown();
		await (await one.request()).answer();
		for (const key of shared.values.keys()) shared.values.set(key, '{"value":{"reviews":[null]}}');
		await expectNewAnswer(other);
	});
});

test.each([-3_600_000, 3_600_000])('a clock that is off by %i ms keeps no old answer fresh', async (off) => {
	const { instances, pass } = startInstances();
	const [one, other] = instances;
	other.setClock(off);
	void one.shown();
	await (await one.request()).answer();
	for (let minutes = 0; minutes < 5; minutes++) {
		await one.shown('p-2');
		await pass(MINUTE);
	}
	expect(await other.shown()).toBe(4.5);
	expect(other.source.freshness?.('reviews', 'p-1').state).toBe('stale');
});

describe('an answer without reviews', () => {
	const SIX = Array.from({ length: 6 }, (_, index) => `p-${index}`);

	async function startWithSix() {
		const all = startInstances();
		const [one, other] = all.instances;
		for (const pid of SIX) {
			void one.shown(pid);
			await (await one.request()).answer();
			expect(await other.shown(pid)).toBe(4.5);
		}
		await all.pass(2 * MINUTE);
		return { ...all, one, other };
	}

	test('does not replace reviews that another instance shows: it asks the service itself', async () => {
		const { one, other } = await startWithSix();
		void one.shown('p-0');
		await (await one.request()).answerEmpty();
		expect(await other.shown('p-0')).toBe(4.5);
		await (await other.request()).answerEmpty();
		expect(await other.shown('p-0')).toBeUndefined();
	});

	test('is asked for by an instance that missed the event', async () => {
		const { shared, instances, pass } = startInstances(2, { onDemand: { fresh: '1d' } });
		const [one, other] = instances;
		const tell = async (pid: string) => {
			const told = one.source.forget?.([pid]);
			for (let steps = 0; steps < 20; steps++) await one.pass(50);
			await told;
		};
		void one.shown();
		await (await one.request()).answer();
		await tell('p-9');
		expect(await other.shown()).toBe(4.5);
		await pass(5_000);
		await tell('p-1');
		void one.shown();
		await (await one.request()).answerEmpty();
		for (const key of shared.values.keys()) if (key.endsWith(':changes')) shared.values.delete(key);
		await other.pass(5_000);
		void other.shown();
		await (await other.request()).answerEmpty();
		expect(await other.shown()).toBeUndefined();
	});

	test('is no longer believed anywhere when too many products have lost their reviews', async () => {
		const { one, other, pass } = await startWithSix();
		for (const pid of SIX) {
			void one.shown(pid);
			await (await one.request()).answerEmpty();
		}
		await pass(2_000);
		for (const pid of SIX) {
			expect(await one.shown(pid), pid).toBe(4.5);
			expect(await other.shown(pid), pid).toBe(4.5);
		}
	});
});

test('an answer that an event made outdated meanwhile does not replace a newer one', async () => {
	const { instances, pass, start } = startInstances(2, { onDemand: { fresh: '1m' } });
	const [one, other] = instances;
	void one.shown();
	await (await one.request()).answer();
	await pass(2 * MINUTE);
	await one.shown();
	const old = await one.request();
	const told = one.source.forget?.(['p-1']);
	await pass(1_000, 50);
	await told;
	void other.shown();
	await (await other.request()).answer({ average: 3 });
	await old.answer({ average: 4 });
	const cold = start();
	expect(await cold.shown()).toBe(3);
	expect(cold.asked).toEqual([]);
});

test('made-up ids leave nothing behind where values cannot expire', async () => {
	const { shared, instances } = startInstances();
	const [one] = instances;
	void one.shown('made-up');
	await (await one.request()).answerEmpty();
	await settled();
	expect([...shared.values.keys()].filter((key) => !key.endsWith(':clock'))).toEqual([]);
});

test('with a token, the stars of a product page come from its reviews, also those of another instance', async () => {
	const { instances, asked } = startInstances(2, {}, { ...CONNECTION, REVIEWS_TOKEN: 'canary-token' });
	const [one, other] = instances;
	const page = ({ source }: Instance) =>
		Promise.all([source.getStarRating('p-1'), source.getProductReviews('p-1')]);
	const first = page(one);
	await (await one.request()).answer();
	await first;
	const [stars] = await page(other);
	expect(stars?.average).toBe(4.5);
	expect(asked()).toEqual(['p-1']);
});

test('without the address of the service nothing is shared, and pages are whole', async () => {
	const { shared, instances } = startInstances(1, {}, {});
	expect(await instances[0].shown()).toBeUndefined();
	expect(shared.calls).toEqual([]);
});
