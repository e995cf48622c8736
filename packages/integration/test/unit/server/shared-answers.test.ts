import { describe, expect, test, vi } from 'vitest';
import { MINUTE, NO_TOKEN, pass, pidsOf, settled, startLive } from '../../support/unit/live.js';
import { createStorage } from '../../support/unit/storage.js';

const LONG = { onDemand: { maxAge: '1d' } };

type Instance = ReturnType<typeof startLive>;

/** Instances of one server, that know nothing of each other but what they share. */
function startInstances(count = 2, options = {}, environment = NO_TOKEN) {
	const shared = createStorage();
	const start = () => startLive(options, environment, shared.driver);
	const instances = Array.from({ length: count }, start) as [Instance, Instance, ...Instance[]];
	return { shared, instances, start, asked: () => instances.flatMap(({ asked }) => asked) };
}

/** The same, and each of them shows the reviews that the first one has asked for. */
async function startShowing(count = 2) {
	const all = startInstances(count, LONG);
	await expectAnswer(all.instances[0]);
	for (const { shown } of all.instances) expect(await shown()).toBe(4.5);
	await pass(5_000);
	return all;
}

async function expectAnswer(instance: Instance, average = 4.5, pid = 'p-1'): Promise<void> {
	void instance.shown(pid);
	await (await instance.request()).answer({ average });
	expect(await instance.shown(pid)).toBe(average);
}

describe('what one instance has asked for', () => {
	test('the others show, with its age, so that all ask again at the same time', async () => {
		const { instances, asked } = startInstances(3);
		const [one, other, third] = instances as [Instance, Instance, Instance];
		await expectAnswer(one);
		await pass(MINUTE - 1_000);
		expect(await other.shown()).toBe(4.5);
		expect(other.states(['p-1'])).toEqual(new Set(['fresh']));
		await pass(2_000);
		expect(other.states(['p-1'])).toEqual(new Set(['stale']));
		expect(asked()).toEqual(['p-1']);
		await third.shown();
		await (await third.request()).answer({ average: 3 });
		// What is stale is shown while the storage is looked at.
		expect([await one.shown(), await one.shown()]).toEqual([4.5, 3]);
		expect(asked()).toEqual(['p-1', 'p-1']);
	});

	test('each asks for once at most, where they ask at the same time', async () => {
		const { instances, asked } = startInstances(4);
		const pages = instances.flatMap(({ source }) => [1, 2, 3].map(() => source.getProductReviews('p-1')));
		await settled();
		expect(asked()).toHaveLength(4);
		for (const { open } of instances) await open[0]?.answer();
		for (const page of pages) expect((await page)?.aggregate?.average).toBe(4.5);
	});

	test('is not shared if there is nothing to show: anybody can make up an id', async () => {
		const { shared, instances } = startInstances();
		await instances[0].view(['made-up'], (request) => request.answerEmpty());
		expect([...shared.values.keys()]).toEqual([]);
	});
});

describe('an event', () => {
	test('that one instance receives is seen by all within two seconds, with one request', async () => {
		const { instances, asked } = await startShowing(3);
		const [one, other] = instances;
		for (const instance of instances) await instance.shown();
		const told = one.source.forget?.(['p-1']);
		await pass(1_000);
		expect(await told).toBe(true);
		await other.shown();
		await expectAnswer(other, 3);
		await pass(1_000);
		for (const { shown } of instances) {
			await shown();
			expect(await shown()).toBe(3);
		}
		expect(asked()).toEqual(['p-1', 'p-1']);
	});

	test.each([
		['about a product', ['p-1']],
		['about all products', undefined],
		['about more products than are listed one by one', pidsOf(600)],
	])('%s is seen at the next view by an instance that nobody viewed', async (_what, pids) => {
		const { instances } = await startShowing();
		const told = instances[0].source.forget?.(pids);
		await pass(600_000);
		expect(await told).toBe(true);
		await expectAnswer(instances[1], 3);
	});

	test('that comes during a request makes its answer outdated, for all', async () => {
		const { instances, start } = startInstances();
		const [one, other] = instances;
		await expectAnswer(one);
		await pass(2 * MINUTE);
		await one.shown();
		const old = await one.request();
		const told = other.source.forget?.(['p-1']);
		await pass(1_000);
		await told;
		const cold = start();
		await old.answer({ average: 4 });
		await expectAnswer(cold, 3);
		// And such an answer does not replace a newer one.
		expect(await start().shown()).toBe(3);
	});

	test('that comes at the same time as another is not lost, also where the storage fails meanwhile', async () => {
		const { shared, instances, start } = await startShowing(3);
		const [one, other] = instances;
		await expectAnswer(one, 4.5, 'p-2');
		const told = [one.source.forget?.(['p-1']), other.source.forget?.(['p-2'])];
		await pass(1_000);
		expect(await Promise.all(told)).toEqual([true, true]);
		for (const pid of ['p-1', 'p-2']) await expectAnswer(start(), 3, pid);
		shared.behaves = new Error('connect ECONNREFUSED');
		expect(await one.source.forget?.(['p-1'])).toBe(false);
		shared.behaves = 'well';
		for (let seconds = 0; seconds < 10; seconds++) {
			await one.shown('p-3');
			await pass(1_000);
		}
		await expectAnswer(start(), 2);
	});
});

describe('a storage that', () => {
	test('fails costs no page, and nothing that is remembered; it is not asked if pages have no service', async () => {
		const { shared, instances } = startInstances();
		shared.behaves = new Error('connect ECONNREFUSED 127.0.0.1:6379');
		for (const instance of instances) await expectAnswer(instance);
		await pass(30_000);
		expect(await instances[0].shown()).toBe(4.5);
		expect(instances[0].warnings).toHaveLength(1);
		const without = startInstances(1, {}, {});
		expect(await without.instances[0].shown()).toBeUndefined();
		expect(without.shared.calls).toEqual([]);
	});

	test('failed while a product was requested lets no event about it pass', async () => {
		const { shared, instances } = startInstances(2, LONG);
		const [one, other] = instances;
		shared.behaves = new Error('connect ECONNREFUSED');
		await expectAnswer(one);
		shared.behaves = 'well';
		await pass(10_000);
		const told = other.source.forget?.(['p-1']);
		await pass(1_000);
		expect(await told).toBe(true);
		await expectAnswer(one, 3);
	});

	test('was too slow while a product was requested costs no other request, until anything changes', async () => {
		const { shared, instances, asked } = startInstances(2, LONG);
		const [one, other] = instances;
		await expectAnswer(one, 4.5, 'p-0');
		shared.behaves = 'hangs';
		void one.shown();
		await pass(100);
		await (await one.request()).answer();
		shared.behaves = 'well';
		for (let seconds = 0; seconds < 20; seconds++) {
			expect(await one.shown()).toBe(4.5);
			await pass(1_000);
		}
		expect(asked()).toEqual(['p-0', 'p-1']);
		const told = other.source.forget?.(['p-9']);
		await pass(2_000);
		expect(await told).toBe(true);
		await one.shown();
		await pass(1_000);
		await expectAnswer(one, 3);
	});

	test('is slow once costs a page a request, and is used again after a quarter of a second', async () => {
		const { shared, instances } = await startShowing();
		const [one, other] = instances;
		shared.behaves = 'hangs';
		void other.shown('p-2');
		await pass(100);
		await (await other.request()).answer();
		shared.behaves = 'well';
		await pass(250);
		await expectAnswer(one, 3, 'p-3');
		expect(await other.shown('p-3')).toBe(3);
	});

	test('hangs costs a page 100 ms, the next ones soon nothing for five seconds, and one line a minute', async () => {
		const { shared, instances } = startInstances();
		const [one] = instances;
		shared.behaves = 'hangs';
		void one.shown();
		await pass(99);
		expect(one.open).toEqual([]);
		await pass(1);
		await (await one.request()).answer();
		for (let seconds = 0; seconds < 70; seconds += 2) {
			for (const pid of [`p-${seconds}`, `q-${seconds}`]) {
				void one.shown(pid);
				// One page in five seconds finds out whether it works again.
				await pass(100);
				await (await one.request()).answer();
			}
			await pass(1_800);
		}
		expect(one.warnings).toHaveLength(2);
		expect(shared.calls.length).toBeLessThan(25);
		shared.behaves = 'well';
		await pass(5_000);
		await expectAnswer(one, 4.5, 'well');
		await expectAnswer(one, 4.5, 'shared');
		expect([...shared.values.keys()]).not.toEqual([]);
	});

	test('is asked for events once a second at most, and costs no request if it loses everything', async () => {
		const { shared, instances, asked } = await startShowing();
		shared.calls.length = 0;
		for (let views = 0; views < 100; views++) {
			await instances[0].shown();
			await pass(20);
		}
		expect(shared.calls.length).toBeLessThanOrEqual(2);
		const told = instances[0].source.forget?.(['p-9']);
		await pass(3_000);
		await told;
		for (const { shown } of instances) await shown();
		shared.values.clear();
		await pass(3_000);
		for (const { shown } of instances) expect(await shown()).toBe(4.5);
		expect(asked()).toEqual(['p-1']);
	});
});

test.each([-3_600_000, 3_600_000])('a clock that is off by %i ms keeps no old answer fresh', async (off) => {
	const { instances } = startInstances();
	const [one, other] = instances;
	await expectAnswer(one);
	vi.setSystemTime(Date.now() + off);
	await pass(2 * MINUTE);
	void other.shown();
	await (await other.request()).answer({ average: 3 });
	expect(await other.shown()).toBe(3);
});

test('an answer without reviews does not replace those that another instance shows: it asks the service itself', async () => {
	const { instances } = startInstances();
	const [one, other] = instances;
	for (const pid of pidsOf(6)) await expectAnswer(one, 4.5, pid);
	for (const pid of pidsOf(6)) expect(await other.shown(pid)).toBe(4.5);
	await pass(2 * MINUTE);
	await one.view(['p-0'], (request) => request.answerEmpty());
	expect(await other.shown('p-0')).toBe(4.5);
	await (await other.request()).answerEmpty();
	expect(await other.shown('p-0')).toBeUndefined();
});
