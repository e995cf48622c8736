import { NOW, settled } from 'product-reviews-test-support/clock';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Answer, Checked } from '../../../src/records/parts.js';
import { FetchPolicy } from '../../../src/reviews/fetch-policy.js';
import { MemoryStore } from '../../../src/reviews/memory-store.js';
import { isOutdated, type ReviewStore } from '../../../src/reviews/parts.js';
import { ReviewRepository } from '../../../src/reviews/repository.js';
import { BuildGuard, ServerGuard } from '../../../src/reviews/vanish-guard.js';
import { createMemoryStore } from '../../support/unit/cache.js';
import { record } from '../../support/unit/record.js';

const MAX_AGE = 60_000;

const STORES = {
	'the cache': () => createMemoryStore(),
	'a memory': () => new MemoryStore(100),
} as const;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date', 'performance'], now: NOW });
	onTestFinished(() => void vi.useRealTimers());
});

function pass(milliseconds: number): void {
	vi.advanceTimersByTime(milliseconds);
}

type ReviewsAnswer = Answer<Checked<'reviews'> | undefined>;

/** A server's repository over a service that the test answers. */
function start(store: ReviewStore) {
	const open: PromiseWithResolvers<ReviewsAnswer>[] = [];
	const failures: string[] = [];
	const policy = new FetchPolicy(
		{
			command: 'server',
			options: { staleIfError: 2 * MAX_AGE, onError: 'stale' },
			store,
			onFailure: ({ reason }) => failures.push(reason),
		},
		() => MAX_AGE,
	);
	const guard =
		store instanceof MemoryStore
			? new ServerGuard({ store, part: 'reviews', onVanished() {} })
			: new BuildGuard({ store, part: 'reviews', seen: () => [], waits: false });
	let asked = 0;
	const repository = new ReviewRepository({
		part: 'reviews',
		policy,
		guard,
		nextTurn: async () => {},
		fetch() {
			asked += 1;
			const end = Promise.withResolvers<ReviewsAnswer>();
			open.push(end);
			return end.promise;
		},
	});
	const load = (pid = 'p-1') => Promise.resolve(repository.load(pid)).then(({ value }) => value?.heading);
	return {
		store,
		repository,
		failures,
		load,
		asked: () => asked,
		/** Ends the oldest request, and lets what waits for it go on. */
		async answer(heading: string | Error) {
			await settled();
			const end = open.shift() ?? expect.unreachable('No request is open.');
			const rest = { dropped: {}, validators: undefined, isEmpty: false };
			if (heading instanceof Error) end.reject(heading);
			else end.resolve({ ...rest, content: { record: record({ heading }) } });
			await settled();
		},
		open,
	};
}

describe.each(Object.entries(STORES))('a repository over %s', (_name, createStore) => {
	async function startKnowing() {
		const all = start(createStore());
		const first = all.load();
		await all.answer('one');
		expect(await first).toBe('one');
		return all;
	}

	/** The same, and the product has changed since another request for it is under way. */
	async function startChanged() {
		const all = await startKnowing();
		pass(MAX_AGE);
		void all.load();
		await settled();
		all.store.mark(['p-1'], 'event');
		all.repository.invalidate(['p-1']);
		return all;
	}

	test('asks once for all who ask, and not for what is fresh', async () => {
		const { load, answer, asked, repository } = start(createStore());
		const pages = [load(), load(), repository.request('p-1')?.then(() => 'one')];
		await answer('one');
		expect(await Promise.all(pages)).toEqual(['one', 'one', 'one']);
		pass(MAX_AGE - 1);
		expect([await load(), repository.isFresh('p-1'), asked()]).toEqual(['one', true, 1]);
		pass(1);
		expect(repository.isFresh('p-1')).toBe(false);
	});

	test('changes the version exactly if the record changes', async () => {
		const { load, answer, repository } = await startKnowing();
		const versions = [repository.entry('p-1')?.digest];
		for (const heading of ['one', 'two']) {
			pass(MAX_AGE);
			const page = load();
			await answer(heading);
			expect(await page).toBe(heading);
			versions.push(repository.entry('p-1')?.digest);
		}
		expect(versions[1]).toBe(versions[0]);
		expect(versions[2]).not.toBe(versions[0]);
	});

	test('shows the last record when the service fails, asks again after ten seconds, and forgets what is too old', async () => {
		const { load, answer, asked, failures, repository } = await startKnowing();
		pass(MAX_AGE);
		const page = load();
		await answer(new Error('503'));
		expect([await page, failures]).toEqual(['one', ['503']]);
		pass(9_999);
		expect([await load(), asked()]).toEqual(['one', 2]);
		pass(1);
		const again = load();
		await answer('two');
		expect(await again).toBe('two');
		pass(2 * MAX_AGE);
		expect(repository.peek('p-1')?.heading).toBe('two');
		pass(1);
		expect(repository.peek('p-1')).toBeUndefined();
	});

	test('asks again for what has changed, however young it is or if it has just failed, and for all if all have', async () => {
		const { load, answer, asked, store, repository } = await startKnowing();
		const invalidate = (pids: readonly string[] | 'all') => {
			store.mark(pids, 'event');
			repository.invalidate(pids);
		};
		invalidate(['p-1']);
		const failing = load();
		await answer(new Error('503'));
		expect(await failing).toBe('one');
		invalidate('all');
		const page = load();
		await answer('two');
		expect([await page, await load(), asked()]).toEqual(['two', 'two', 3]);
	});

	test.each(['early', 'late'])('does not take an answer that comes %s for a newer one', async (when) => {
		const { load, answer, open, repository } = await startChanged();
		if (when === 'early') await answer('old');
		expect(repository.isFresh('p-1')).toBe(false);
		const page = load();
		await settled();
		// Of two requests, the later one is answered first.
		if (when === 'late') open.reverse();
		await answer('new');
		if (when === 'late') await answer('old');
		expect(await page).toBe('new');
		expect(repository.peek('p-1')?.heading).toBe('new');
	});

	test('does not take an answer that comes late for a newer one, if the request between them failed', async () => {
		const { load, answer, open, repository } = await startChanged();
		const failing = load();
		await settled();
		open.reverse();
		await answer(new Error('503'));
		await failing;
		pass(10_000);
		const page = load();
		await settled();
		open.reverse();
		await answer('new');
		expect(await page).toBe('new');
		await answer('old');
		expect(repository.peek('p-1')?.heading).toBe('new');
		expect(repository.isFresh('p-1')).toBe(true);
	});
});

describe.each(Object.entries(STORES))('%s', (_name, createStore) => {
	const known = (store: ReviewStore, pid = 'p-1') => {
		const stored = store.entry(pid, 'reviews') ?? expect.unreachable('It is stored.');
		return { ...stored, isOutdated: isOutdated(stored, store.markOf(pid)) };
	};
	const put = (store: ReviewStore, pid: string, validators?: string) => {
		const { revision } = store.markOf(pid);
		const content = { record: record({ pid }) };
		store.put(pid, 'reviews', content, {
			fetchedAt: store.now(),
			revision,
			...(validators && { validators }),
		});
	};

	test('keeps the parts of a product apart, with what is known of each, and validators as long as the record stays', () => {
		const store = createStore();
		put(store, 'p-1', '"etag"');
		const rating = { average: 4, count: 2, questionCount: 1 };
		store.put('p-1', 'rating', { record: rating }, { fetchedAt: 1, revision: 0 });
		expect(store.read('p-1', 'rating')?.record).toEqual(rating);
		expect(JSON.parse(store.entry('p-1', 'rating')?.summary ?? '')).toEqual(rating);
		expect(store.read('p-1', 'reviews')?.record).toEqual(record({ pid: 'p-1' }));
		expect([store.read('p-2', 'reviews')?.record, store.entry('p-1', 'review-data')]).toEqual([
			undefined,
			undefined,
		]);
		expect([...store.entries(['p-1', 'p-2'], 'reviews').keys()]).toEqual(['p-1']);
		put(store, 'p-1');
		expect(known(store).validators).toBe('"etag"');
		store.put('p-1', 'reviews', { record: record({ heading: 'other' }) }, { fetchedAt: 1, revision: 0 });
		expect(known(store).validators).toBeUndefined();
		store.touch('p-1', 'reviews', { state: 'stale' });
		expect(known(store).state).toBe('stale');
	});

	test('knows what changed since it was requested, by revisions that no clock decides', () => {
		const store = createStore();
		for (const pid of ['p-1', 'p-2']) put(store, pid);
		store.mark(['p-1'], 'event');
		vi.setSystemTime(NOW - 1_000_000);
		expect([known(store).isOutdated, known(store, 'p-2').isOutdated]).toEqual([true, false]);
		put(store, 'p-1');
		expect(known(store).isOutdated).toBe(false);
		store.mark('all', 'event');
		expect([known(store).isOutdated, known(store, 'p-2').isOutdated]).toEqual([true, true]);
		expect(store.markOf('p-1').confirmed).toBe(0);
		put(store, 'p-2');
		expect(known(store, 'p-2').isOutdated).toBe(false);
	});

	test('keeps the word of a person, whatever events come after it', () => {
		const store = createStore();
		put(store, 'p-1');
		store.mark(['p-1'], 'person');
		const { confirmed, revision } = store.markOf('p-1');
		expect(confirmed).toBe(revision);
		store.mark(['p-1'], 'event');
		store.mark('all', 'event');
		expect(store.markOf('p-1').confirmed).toBe(confirmed);
		expect(store.markOf('p-1').revision).toBeGreaterThan(revision);
	});
});

test('a memory forgets marks that outdate nothing, and no other', () => {
	const store = new MemoryStore(10);
	store.put('p-1', 'reviews', { record: record() }, { fetchedAt: 0, revision: 0 });
	for (let index = 0; index < 1_000; index++) store.mark([index === 500 ? 'p-1' : `other-${index}`], 'event');
	expect(store.markOf('p-1').revision).toBe(501);
	expect(store.markOf('other-400').revision).toBe(0);
	expect(store.markOf('other-999').revision).toBe(1_000);
});
