import { createClock } from 'product-reviews-test-support/clock';
import { errorOf } from 'product-reviews-test-support/error-of';
import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test, vi } from 'vitest';
import { createResourceRules } from '../../../src/cache/resource-rules.js';
import { createStoredResource } from '../../../src/cache/stored-resource.js';
import type { ProductReviewsUserOptions } from '../../../src/index.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { createOutcomes, type Failure } from '../../../src/outcomes/create-outcomes.js';
import type { Fetched } from '../../../src/service/review-service.js';
import { createMemoryStore } from '../../../src/store/memory-store.js';
import { pack } from '../../../src/store/pack.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Setup {
	command?: 'build' | 'dev';
	options?: ProductReviewsUserOptions;
	/** Age of the value of "p-1" that is stored, in milliseconds. */
	age?: number;
	/** What could not be read of what the service sends. */
	dropped?: Fetched['dropped'];
}

function createSetup({ command = 'build', options = {}, age, dropped = {} }: Setup = {}) {
	const { maxAge, maxStale, onError } = parseOptions(options);
	const outdatedSince = new Map<string, number>();
	const clock = createClock();
	const table = createMemoryStore().table<string>('reviews');
	if (age !== undefined) table.put('p-1', pack('stored'), clock.now() - age);
	const outcomes = createOutcomes();
	const asked: {
		pid: string;
		validators: string | undefined;
		answer: (value: string) => void;
		fail: (reason: string) => void;
	}[] = [];
	const hurried: string[] = [];
	const failures: Failure[] = [];
	const loader = createStoredResource<string, string>({
		table,
		restore: (value) => value,
		fetch: (pid, validators) =>
			new Promise<Fetched>((resolve, reject) => {
				asked.push({
					pid,
					validators,
					answer: (value) => resolve({ packed: pack(value), isEmpty: false, dropped, validators: undefined }),
					fail: (reason) => reject(new Error(reason)),
				});
			}),
		prioritize: (pid) => hurried.push(pid),
		rules: createResourceRules({
			command,
			options: { maxStale, onError },
			maxAge: () => maxAge ?? HOUR,
			isOutdated: (pid, fetchedAt) => (outdatedSince.get(pid) ?? 0) > fetchedAt,
			now: clock.now,
			onFailure: (failure) => failures.push(failure),
		}),
		outcomes,
	});
	return { clock, outdatedSince, table, outcomes, asked, hurried, failures, loader };
}

describe('what is fresh is not asked for', () => {
	test.each<[string, Setup, boolean]>([
		['nothing stored', {}, true],
		['younger than maxAge', { age: HOUR - 1 }, false],
		['as old as maxAge', { age: HOUR }, true],
		['older', { age: 2 * HOUR }, true],
		['another maxAge', { age: 2 * HOUR, options: { maxAge: '1d' } }, false],
		['maxAge 0', { age: 1, options: { maxAge: 0 } }, true],
		['in dev', { age: HOUR - 1, command: 'dev' }, false],
		['in dev, older', { age: HOUR, command: 'dev' }, true],
		['a little from the future, as another machine’s clock', { age: -60_000 }, false],
		['far from the future', { age: -30 * DAY }, true],
	])('%s', async (_what, setup, expected) => {
		for (const method of ['load', 'refresh'] as const) {
			const { loader, asked } = createSetup(setup);
			const ended = loader[method]('p-1');
			await settled();
			expect(asked.length).toBe(expected ? 1 : 0);
			await settled();
			asked[0]?.answer('fetched');
			expect(await ended).toBe(method === 'refresh' ? undefined : expected ? 'fetched' : 'stored');
		}
	});

	test('in a build, what it fetched stays fresh whatever maxAge says, clocks going back included', async () => {
		const { loader, asked, clock } = createSetup({ options: { maxAge: 0 } });
		const first = loader.refresh('p-1');
		await settled();
		asked[0]?.answer('fetched');
		await first;
		clock.pass(-2_000);
		expect(await loader.load('p-1')).toBe('fetched');
		clock.pass(5 * DAY);
		expect(await loader.load('p-1')).toBe('fetched');
		expect(asked).toHaveLength(1);
	});

	test('products of a list are looked up together', async () => {
		const { loader, table, asked, clock } = createSetup({ age: 0 });
		table.put('p-2', pack('stored'), clock.now() - 2 * HOUR);
		const lookedUp = vi.spyOn(table, 'entries');
		const all = ['p-1', 'p-2', 'p-3'].map((pid) => loader.refresh(pid));
		await settled();
		for (const { answer } of asked) answer('fetched');
		await Promise.all(all);
		expect(lookedUp.mock.calls).toEqual([[['p-1', 'p-2', 'p-3']]]);
		expect(asked.map(({ pid }) => pid)).toEqual(['p-2', 'p-3']);
	});

	test('in dev, maxAge 0 asks each time', async () => {
		const { loader, asked } = createSetup({ command: 'dev', options: { maxAge: 0 } });
		for (const value of ['one', 'two']) {
			const loaded = loader.load('p-1');
			await settled();
			asked.at(-1)?.answer(value);
			expect(await loaded).toBe(value);
		}
		expect(asked).toHaveLength(2);
	});
});

describe('one request a product at once', () => {
	test('page, page and prefetch share it', async () => {
		const { loader, asked, outcomes } = createSetup();
		const all = [loader.refresh('p-1'), loader.load('p-1'), loader.load('p-1'), loader.refresh('p-1')];
		await settled();
		expect(asked.map(({ pid }) => pid)).toEqual(['p-1']);
		await settled();
		asked[0]?.answer('fetched');
		expect(await Promise.all(all)).toEqual([undefined, 'fetched', 'fetched', undefined]);
		expect(outcomes.answers).toBe(1);
	});

	test('a page has its product hurried, the prefetch has not', async () => {
		const { loader, hurried } = createSetup();
		void loader.refresh('a');
		void loader.refresh('b');
		void loader.load('b');
		await settled();
		expect(hurried).toEqual(['b']);
	});
});

describe('when the service fails', () => {
	const failing = async (setup: Setup) => {
		const made = createSetup(setup);
		const loaded = made.loader.load('p-1');
		await settled();
		made.asked[0]?.fail('503');
		return { ...made, value: await loaded };
	};

	test.each<[string, Setup, string | undefined]>([
		['stale: what is stored is used', { age: 2 * HOUR }, 'stored'],
		['stale: as old as maxStale', { age: 30 * DAY }, 'stored'],
		['stale: older than maxStale', { age: 30 * DAY + 1 }, undefined],
		['stale: maxStale 0', { age: 2 * HOUR, options: { maxStale: 0 } }, undefined],
		['stale: nothing stored', {}, undefined],
		['omit: what is stored is used', { age: 2 * HOUR, options: { onError: 'omit' } }, 'stored'],
		['omit: nothing stored', { options: { onError: 'omit' } }, undefined],
	])('%s', async (_what, setup, expected) => {
		const { value, failures, outcomes, loader, asked } = await failing(setup);
		expect(value).toBe(expected);
		expect(failures).toMatchObject([{ pid: 'p-1', reason: '503', stale: expected !== undefined }]);
		expect(outcomes).toMatchObject({ answers: 0, failures });
		expect(await loader.load('p-1')).toBe(expected);
		await loader.refresh('p-1');
		expect(asked).toHaveLength(1);
	});

	test('fail: the failure is an error that names the product, printable', async () => {
		const { loader, asked } = createSetup({ age: 2 * HOUR, options: { onError: 'fail' } });
		const pid = 'p\u001b[31m\n1';
		for (const method of ['load', 'refresh'] as const) {
			const failure = errorOf(() => loader[method](`${pid}${method}`));
			await settled();
			asked.at(-1)?.fail('503');
			const error = await failure;
			expect(error.message).toBe(`The service failed for the product "p[31m 1${method}": 503`);
			expect(error).toMatchObject({ name: 'ReviewsUnavailableError', pids: [`${pid}${method}`] });
			expect(error.hint).toContain('"onError" is "fail"');
		}
	});

	test('fail: a page that asks later fails, too', async () => {
		const { loader, asked } = createSetup({ options: { onError: 'fail' } });
		const first = errorOf(() => loader.refresh('p-1'));
		await settled();
		asked[0]?.fail('503');
		await first;
		expect((await errorOf(() => loader.load('p-1'))).name).toBe('ReviewsUnavailableError');
		expect(asked).toHaveLength(1);
	});

	test('in dev it is asked again after ten seconds, and a value ends the failure', async () => {
		const { loader, asked, clock, failures } = await failing({ command: 'dev', age: 2 * HOUR });
		clock.pass(9_999);
		expect(await loader.load('p-1')).toBe('stored');
		expect(asked).toHaveLength(1);
		clock.pass(1);
		const again = loader.load('p-1');
		await settled();
		asked[1]?.answer('fetched');
		expect(await again).toBe('fetched');
		expect(failures).toHaveLength(1);
	});

	test('a bad answer never replaces a good value', async () => {
		const { table, clock } = await failing({ age: 2 * HOUR });
		expect(table.get('p-1')).toMatchObject({ value: 'stored', fetchedAt: clock.now() - 2 * HOUR });
	});
});

test('what could not be read of an answer is counted by product', async () => {
	const { loader, asked, outcomes } = createSetup({ dropped: { 'text-cut': 2 } });
	const loaded = loader.load('p-1');
	await settled();
	await settled();
	asked[0]?.answer('fresh');
	expect(await loaded).toBe('fresh');
	expect(outcomes.dropped).toEqual([{ pid: 'p-1', parts: { 'text-cut': 2 } }]);
});

test('what is known to have changed is asked for again, once, however young it is', async () => {
	const { loader, asked, outdatedSince, clock } = createSetup({ age: 1_000 });
	outdatedSince.set('p-1', clock.now());
	const loaded = loader.load('p-1');
	await settled();
	await settled();
	asked[0]?.answer('fresh');
	expect(await loaded).toBe('fresh');
	expect(await loader.load('p-1')).toBe('fresh');
	expect(asked).toHaveLength(1);
});

describe('a product that is to be requested again', () => {
	const dev = (setup: Setup = {}) => createSetup({ command: 'dev', age: 1_000, ...setup });
	const load = async ({ loader, asked }: ReturnType<typeof createSetup>, end: 'answer' | 'fail') => {
		const loaded = loader.load('p-1');
		await settled();
		asked.at(-1)?.[end]('new');
		return loaded;
	};

	test('is requested once, whole, however fresh it is', async () => {
		const setup = dev();
		expect(await setup.loader.load('p-1')).toBe('stored');
		setup.loader.renew('p-1');
		expect(await load(setup, 'answer')).toBe('new');
		expect(await setup.loader.load('p-1')).toBe('new');
		expect(setup.asked).toMatchObject([{ pid: 'p-1', validators: '' }]);
	});

	test('is requested at once after a failure, and then no longer counts as failed', async () => {
		const setup = dev({ age: 2 * HOUR });
		expect(await load(setup, 'fail')).toBe('stored');
		expect(setup.loader.lastAnswer('p-1').failure).toMatchObject({ reason: 'new', stale: true });
		expect(await setup.loader.load('p-1')).toBe('stored');
		expect(setup.asked).toHaveLength(1);
		setup.loader.renew('p-1');
		expect(await load(setup, 'answer')).toBe('new');
		expect(setup.loader.lastAnswer('p-1').failure).toBeUndefined();
	});

	test('says what its answer lost, once it was whole', async () => {
		const setup = dev({ dropped: { 'text-cut': 1 } });
		expect(setup.loader.lastAnswer('p-1').dropped).toBeUndefined();
		setup.loader.renew('p-1');
		await load(setup, 'answer');
		expect(setup.loader.lastAnswer('p-1').dropped).toEqual({ 'text-cut': 1 });
		expect(setup.outcomes.dropped).toEqual([]);
	});
});
