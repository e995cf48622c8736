import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, test } from 'vitest';
import { createQueue } from '../../../src/pacing/create-queue.js';
import type { PacedRequest } from '../../../src/pacing/paced-request.js';

const pids = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

/** Waits until everything has run that does not wait for the test. */
const settled = async () => {
	for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
};

/** A queue whose tasks the test ends, and a record of which were started. */
function start(concurrency: number) {
	const queue = createQueue(concurrency);
	const started: string[] = [];
	const open: { pid: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
	return {
		...queue,
		started,
		open,
		add(
			pid: string,
			request: Partial<PacedRequest> = {},
			isRepeated: (error: unknown) => boolean = () => false,
		) {
			const task = () => {
				started.push(pid);
				const { promise, resolve, reject } = Promise.withResolvers<string>();
				open.push({ pid, resolve: () => resolve(pid), reject });
				return promise;
			};
			const paced = { operation: 'crawlerReviews', pids: [pid], signal: undefined, ...request } as const;
			return queue.run(paced, task, isRepeated);
		},
		/** Ends the task that was started first. @returns how many run then. */
		async end(failure?: Error) {
			const task = open.shift();
			if (failure) task?.reject(failure);
			else task?.resolve();
			await settled();
			return open.length;
		},
	};
}

describe('what runs at once', () => {
	test('is as much as allowed, and never more', async () => {
		const { add, end, open, started } = start(6);
		const all = pids(50).map((pid) => add(pid));
		await settled();
		for (let ended = 0; ended < 50; ended++) {
			expect(open).toHaveLength(Math.min(6, 50 - ended));
			await end();
		}
		expect(await Promise.all(all)).toEqual(pids(50));
		expect(started).toEqual(pids(50));
	});

	test('becomes less as tasks end, and more at once', async () => {
		const { add, end, allow, open } = start(6);
		const all = pids(30).map((pid) => add(pid));
		await settled();
		allow(4);
		expect([await end(), await end(), await end()]).toEqual([5, 4, 4]);
		allow(6);
		await settled();
		expect(open).toHaveLength(6);
		while (open.length > 0) await end();
		await Promise.all(all);
	});

	test('a task that fails leaves its place to the next', async () => {
		const { add, end } = start(1);
		const [first, second] = [errorOf(add('p-1')), add('p-2')];
		await settled();
		await end(new Error('broken'));
		expect(await first).toMatchObject({ message: 'broken' });
		await end();
		expect(await second).toBe('p-2');
	});
});

describe('order', () => {
	/** The order in which all are started. */
	async function drain({ end, open, started }: ReturnType<typeof start>) {
		await settled();
		while (open.length > 0) await end();
		return started;
	}

	test('what is prioritized comes next, the last one first of all', async () => {
		const queue = start(2);
		for (const pid of pids(8)) void queue.add(pid);
		await settled();
		queue.prioritize('crawlerReviews', 'p-5');
		queue.prioritize('crawlerReviews', 'p-7');
		queue.prioritize('crawlerReviews', 'p-0');
		queue.prioritize('crawlerReviews', 'unknown');
		queue.prioritize('productReviewData', 'p-6');
		expect(await drain(queue)).toEqual(['p-0', 'p-1', 'p-7', 'p-5', 'p-2', 'p-3', 'p-4', 'p-6']);
	});

	test('low ones wait for all others, unless they are prioritized', async () => {
		const queue = start(1);
		void queue.add('p-0');
		await settled();
		for (const pid of ['low-1', 'low-2', 'low-3']) void queue.add(pid, { priority: 'low' });
		for (const pid of ['p-1', 'p-2']) void queue.add(pid);
		queue.prioritize('crawlerReviews', 'low-3');
		expect(await drain(queue)).toEqual(['p-0', 'low-3', 'p-1', 'p-2', 'low-1', 'low-2']);
	});

	test('a request about several products is prioritized by any of them', async () => {
		const queue = start(1);
		void queue.add('p-0');
		await settled();
		void queue.add('p-1');
		void queue.add('list', { operation: 'starRating', pids: ['p-7', 'p-8'] });
		queue.prioritize('starRating', 'p-8');
		expect(await drain(queue)).toEqual(['p-0', 'list', 'p-1']);
	});
});

describe('a task that is repeated', () => {
	const always = () => true;

	test('runs once more behind all that wait, and keeps its first failure', async () => {
		const { add, end, started } = start(1);
		const failed = errorOf(add('p-0', {}, always));
		const others = ['p-1', 'p-2'].map((pid) => add(pid));
		await settled();
		await end(new Error('first'));
		await end();
		await end();
		expect(started).toEqual(['p-0', 'p-1', 'p-2', 'p-0']);
		await end(new Error('second'));
		expect(await failed).toMatchObject({ message: 'first' });
		await Promise.all(others);
	});

	test('has its result when the second run succeeds', async () => {
		const { add, end } = start(1);
		const result = add('p-0', {}, always);
		await settled();
		await end(new Error('first'));
		await end();
		expect(await result).toBe('p-0');
	});

	test('runs again at once when it was prioritized', async () => {
		const { add, end, prioritize, started } = start(1);
		void add('p-0');
		await settled();
		void add('p-1', {}, always);
		void add('p-2');
		prioritize('crawlerReviews', 'p-1');
		await end();
		await end(new Error('first'));
		await end();
		await end();
		expect(started).toEqual(['p-0', 'p-1', 'p-1', 'p-2']);
	});

	test('is not repeated after other failures', async () => {
		const { add, end, started } = start(1);
		const failed = errorOf(add('p-0', {}, () => false));
		await settled();
		await end(new Error('final'));
		expect(await failed).toMatchObject({ message: 'final' });
		expect(started).toEqual(['p-0']);
	});
});

describe('a signal that aborts', () => {
	const REASON = new Error('no longer wanted');

	test('takes a waiting request out of the queue at once', async () => {
		const { add, end, started } = start(1);
		const controller = new AbortController();
		void add('p-0');
		const ended = errorOf(add('p-1', { signal: controller.signal }));
		void add('p-2');
		controller.abort(REASON);
		expect(await ended).toBe(REASON);
		await end();
		await end();
		expect(started).toEqual(['p-0', 'p-2']);
	});

	test('keeps a request from being queued', async () => {
		const { add, started } = start(1);
		expect(await errorOf(add('p-0', { signal: AbortSignal.abort(REASON) }))).toBe(REASON);
		await settled();
		expect(started).toEqual([]);
	});
});
