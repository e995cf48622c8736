import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test } from 'vitest';
import { startLive } from '../../support/unit/live.js';
import { createStorage } from '../../support/unit/storage.js';

const MINUTE = 60_000;
const LONG = { onDemand: { fresh: '1d' } };
const CONNECTION = { REVIEWS_BASE_URL: 'https://reviews.example', REVIEWS_WSID: 'W-1001' };

type Instance = ReturnType<typeof startLive>;

/** Instances of one server, that know nothing of each other but what they share. */
function startInstances(count = 2, options = {}, environment: Record<string, string> = CONNECTION) {
	const shared = createStorage();
	const start = () => startLive(options, environment, shared);
	const instances = Array.from({ length: count }, start) as [Instance, Instance, ...Instance[]];
	return {
		shared,
		instances,
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

/** The same, and each of them shows the reviews that the first one has asked for. */
async function startShowing(count = 2, options = {}) {
	const all = startInstances(count, options);
	await expectAnswer(all.instances[0]);
	for (const { shown } of all.instances) expect(await shown()).toBe(4.5);
	await all.pass(5_000);
	return all;
}

/** It asks the service for a product, and shows what that says. */
async function expectAnswer(instance: Instance, average = 4.5, pid = 'p-1'): Promise<void> {
	void instance.shown(pid);
	await (await instance.request()).answer({ average });
	expect(await instance.shown(pid)).toBe(average);
}

describe('what one instance has asked for', () => {
	test('the others show, with its age, so that all ask again at the same time', async () => {
		const { instances, pass, asked } = startInstances(3);
		const [one, other, third] = instances as [Instance, Instance, Instance];
		await expectAnswer(one);
		await pass(MINUTE - 1_000);
		expect(await other.shown()).toBe(4.5);
		expect(other.states(['p-1'])).toEqual(new Set(['fresh']));
		await pass(2_000);
		expect(other.states(['p-1'])).toEqual(new Set(['stale']));
		expect(asked()).toEqual(['p-1']);
		// What is stale is shown at once, also by an instance that has never asked.
		expect(await third.shown()).toBe(4.5);
		await (await third.request()).answer({ average: 3 });
		expect(await one.shown()).toBe(3);
		expect(asked()).toEqual(['p-1', 'p-1']);
	});

	test('each asks for once at most, where the driver cannot lock', async () => {
		const { instances, asked } = startInstances(4);
		const pages = instances.flatMap(({ source }) => [1, 2, 3].map(() => source.getProductReviews('p-1')));
		await settled();
		expect(asked()).toHaveLength(4);
		for (const { open } of instances) await open[0]?.answer();
		for (const page of pages) expect((await page)?.aggregate?.average).toBe(4.5);
	});
});

describe('an event', () => {
	test('that one instance receives is seen by all within two seconds, with one request', async () => {
		const { instances, pass, asked } = await startShowing(3, LONG);
		const [one, other] = instances;
		// Pages keep coming.
		for (const instance of instances) await instance.shown();
		const told = one.source.forget?.(['p-1']);
		await pass(1_000, 50);
		expect(await told).toBe(true);
		await other.shown();
		await expectAnswer(other, 3);
		await pass(1_000, 50);
		for (const { shown } of instances) {
			await shown();
			expect(await shown()).toBe(3);
		}
		expect(asked()).toEqual(['p-1', 'p-1']);
	});

	test.each([
		['about a product', ['p-1'], 600_000],
		['about all products', undefined, 3_000],
	])('%s is seen at the next view by an instance that nobody viewed', async (_what, pids, time) => {
		const { instances, pass } = await startShowing(2, LONG);
		const told = instances[0].source.forget?.(pids);
		await pass(time, 50 * (time / 3_000));
		await told;
		await expectAnswer(instances[1], 3);
	});

	test('that comes during a request makes its answer outdated, for all', async () => {
		const { instances, pass, start } = await startShowing(2, {});
		const [one, other] = instances;
		await pass(2 * MINUTE);
		await one.shown();
		const old = await one.request();
		const told = other.source.forget?.(['p-1']);
		await pass(1_000, 50);
		await told;
		const cold = start();
		await old.answer({ average: 4 });
		await expectAnswer(cold, 3);
		// And such an answer does not replace a newer one.
		expect(await start().shown()).toBe(3);
	});

	test('that comes at the same time as another is not lost, also where the storage fails meanwhile', async () => {
		const { shared, instances, pass, start } = await startShowing(3, LONG);
		const [one, other] = instances;
		await expectAnswer(one, 4.5, 'p-2');
		const told = [one.source.forget?.(['p-1']), other.source.forget?.(['p-2'])];
		await pass(1_000, 50);
		expect(await Promise.all(told)).toEqual([true, true]);
		for (const pid of ['p-1', 'p-2']) await expectAnswer(start(), 3, pid);
		shared.behaves = new Error('connect ECONNREFUSED');
		const late = one.source.forget?.(['p-1']);
		await pass(500, 50);
		expect(await late).toBe(false);
		shared.behaves = 'well';
		for (let seconds = 0; seconds < 3; seconds++) {
			await one.shown('p-3');
			await pass(1_000);
		}
		await expectAnswer(start(), 2);
	});

	test('that the storage forgot, as when a backup is restored, is told again by whoever saw it', async () => {
		const { shared, instances, pass, start } = await startShowing(2, LONG);
		const [one, other] = instances;
		const forget = async (pid: string) => {
			const told = one.source.forget?.([pid]);
			await pass(2_000, 50);
			await told;
			await other.shown('p-3');
		};
		await forget('p-9');
		const backup = new Map(shared.values);
		await forget('p-1');
		await pass(60_000, 1_000);
		shared.values.clear();
		for (const [key, value] of backup) shared.values.set(key, value);
		for (let seconds = 0; seconds < 4; seconds++) {
			await other.shown('p-3');
			await pass(1_000, 100);
		}
		await expectAnswer(start(), 2);
	});
});

describe('a storage that', () => {
	test('fails costs no page, and nothing that is remembered', async () => {
		const { shared, instances, pass } = startInstances();
		shared.behaves = new Error('connect ECONNREFUSED 127.0.0.1:6379');
		for (const instance of instances) await expectAnswer(instance);
		await pass(30_000, 1_000);
		expect(instances[0].warnings).toHaveLength(1);
	});

	test('hangs costs the first page 100 ms, the next ones nothing, and one line a minute', async () => {
		const { shared, instances } = startInstances();
		const [one] = instances;
		shared.behaves = 'hangs';
		void one.shown();
		await one.pass(99);
		expect(one.open).toEqual([]);
		await one.pass(1);
		await (await one.request()).answer();
		for (let seconds = 0; seconds < 62; seconds++) {
			await expectAnswer(one, 4.5, `p-${seconds + 2}`);
			await one.pass(1_000);
		}
		expect(one.warnings).toHaveLength(2);
		expect(shared.calls.length).toBeLessThan(70);
		shared.behaves = 'well';
		await expectAnswer(one, 4.5, 'well');
		await one.pass(1_100);
		await expectAnswer(one, 4.5, 'shared');
		expect([...shared.values.keys()].some((key) => key.includes('shared'))).toBe(true);
	});

	test('is asked for events once a second at most', async () => {
		const { shared, instances } = startInstances();
		const [one] = instances;
		await expectAnswer(one);
		shared.calls.length = 0;
		for (let views = 0; views < 100; views++) {
			await one.shown();
			await one.pass(20);
		}
		expect(shared.calls.filter((call) => call === 'getItems 2').length).toBeLessThanOrEqual(2);
	});

	test('lost everything is filled again by those who remember, without a request', async () => {
		const { shared, instances, pass, start } = startInstances(2, LONG);
		const [one] = instances;
		await expectAnswer(one);
		const told = one.source.forget?.(['p-9']);
		await pass(3_000, 50);
		await told;
		await one.shown();
		await pass(MINUTE);
		shared.values.clear();
		await pass(3_000, 1_000);
		expect(await one.shown()).toBe(4.5);
		const cold = start();
		expect(await cold.shown()).toBe(4.5);
		expect([...one.asked, ...cold.asked]).toEqual(['p-1']);
	});

	test('holds rubbish is as if it were empty', async () => {
		const { shared, instances } = startInstances();
		const [one, other] = instances;
		await expectAnswer(one);
		for (const key of shared.values.keys()) shared.values.set(key, '{"value":{"reviews":[null]}}');
		await expectAnswer(other, 3);
	});

	test('cannot expire values holds nothing of made-up ids', async () => {
		const { shared, instances } = startInstances();
		await instances[0].view(['made-up'], (request) => request.answerEmpty());
		expect([...shared.values.keys()].filter((key) => !key.endsWith(':clock'))).toEqual([]);
	});

	test('is not asked without the address of the service: pages are whole', async () => {
		const { shared, instances } = startInstances(1, {}, {});
		expect(await instances[0].shown()).toBeUndefined();
		expect(shared.calls).toEqual([]);
	});
});

test.each([-3_600_000, 3_600_000])('a clock that is off by %i ms keeps no old answer fresh', async (off) => {
	const { instances, pass } = startInstances();
	const [one, other] = instances;
	other.setClock(off);
	await expectAnswer(one);
	for (let minutes = 0; minutes < 5; minutes++) {
		await one.shown('p-2');
		await pass(MINUTE);
	}
	expect(await other.shown()).toBe(4.5);
	expect(other.states(['p-1'])).toEqual(new Set(['stale']));
});

describe('an answer without reviews', () => {
	const SIX = Array.from({ length: 6 }, (_, index) => `p-${index}`);

	async function startWithSix() {
		const all = startInstances();
		const [one, other] = all.instances;
		for (const pid of SIX) await expectAnswer(one, 4.5, pid);
		for (const pid of SIX) expect(await other.shown(pid)).toBe(4.5);
		await all.pass(2 * MINUTE);
		return { ...all, one, other };
	}

	test('does not replace reviews that another instance shows: it asks the service itself', async () => {
		const { one, other } = await startWithSix();
		await one.view(['p-0'], (request) => request.answerEmpty());
		expect(await other.shown('p-0')).toBe(4.5);
		await (await other.request()).answerEmpty();
		expect(await other.shown('p-0')).toBeUndefined();
	});

	test('is no longer believed anywhere when too many products have lost their reviews', async () => {
		const { one, other, pass } = await startWithSix();
		await one.view(SIX, (request) => request.answerEmpty());
		await pass(2_000);
		for (const pid of SIX) {
			expect(await one.shown(pid), pid).toBe(4.5);
			expect(await other.shown(pid), pid).toBe(4.5);
		}
	});
});
