import pLimit from 'p-limit';
import type { Operation } from '../contract/index.js';
import { whenAborted } from '../http/with-time-limit.js';

/** A queue of requests. */
export interface Queue {
	/**
	 * Runs a task when its turn comes.
	 *
	 * @param isRepeated whether a task that failed with this error gets a second turn, after all that wait. If that
	 * fails as well, the first error is thrown.
	 * @throws what the task throws, or the reason of the request's signal.
	 */
	run<Result>(
		request: PacedRequest,
		task: () => Promise<Result>,
		isRepeated: (error: unknown) => boolean,
	): Promise<Result>;
	/** Moves a waiting request about a product to the front, if there is one. */
	prioritize(operation: Operation, pid: string): void;
	/** Sets how many tasks may run at once from now on. Running tasks are not stopped. */
	allow(concurrency: number): void;
}

/** A request that has not ended yet. */
interface Job {
	readonly request: PacedRequest;
	/** Never rejects. */
	readonly start: () => Promise<void>;
	isPrioritized: boolean;
}

/**
 * A queue with two priorities. p-limit limits how many tasks run at once. The two lines determine which task is next.
 *
 * @param concurrency how many tasks may initially run at once.
 */
export function createQueue(concurrency: number): Queue {
	const limit = pLimit(concurrency);
	const lines: Record<Priority, Line<Job>> = { normal: createLine(), low: createLine() };

	const startNext = async () => (lines.normal.takeFirst() ?? lines.low.takeFirst())?.start();
	const add = (job: Job) => {
		if (job.isPrioritized) lines.normal.addFirst(job);
		else lines[job.request.priority ?? 'normal'].add(job);
		void limit(startNext);
	};

	return {
		async run<Result>(
			request: PacedRequest,
			task: () => Promise<Result>,
			isRepeated: (error: unknown) => boolean,
		) {
			const { signal } = request;
			signal?.throwIfAborted();
			const { promise, resolve, reject } = Promise.withResolvers<Result>();
			let failure: { readonly error: unknown } | undefined;
			const job: Job = {
				request,
				isPrioritized: false,
				async start() {
					// Aborted jobs stay in line, because removing many one by one would take longer than their turns.
					if (signal?.aborted) return;
					try {
						resolve(await task());
					} catch (error) {
						if (failure || !isRepeated(error)) return reject(failure ? failure.error : error);
						failure = { error };
						add(job);
					}
				},
			};
			const stopListening = signal && whenAborted(signal, reject);
			add(job);
			return await promise.finally(stopListening);
		},
		prioritize(operation, pid) {
			const isWanted = ({ request }: Job) =>
				request.operation === operation && request.pids.includes(pid) && !request.signal?.aborted;
			const job = lines.normal.take(isWanted) ?? lines.low.take(isWanted);
			if (!job) return;
			job.isPrioritized = true;
			lines.normal.addFirst(job);
		},
		allow(most) {
			if (limit.concurrency !== most) limit.concurrency = most;
		},
	};
}

/** A queue of items. */
interface Line<Item> {
	/** Puts an item behind all others. */
	add(item: Item): void;
	/** Puts an item before all others. */
	addFirst(item: Item): void;
	/** Removes the first item; `undefined` if there is none. */
	takeFirst(): Item | undefined;
	/** Removes a wanted item from any position; `undefined` if there is none. */
	take(isWanted: (item: Item) => boolean): Item | undefined;
}

/** Uses two stacks, because `shift()` on an array moves all other items, which takes seconds with 50,000 of them. */
function createLine<Item>(): Line<Item> {
	// The last item is next.
	let front: Item[] = [];
	// In order, after all items of `front`.
	let back: Item[] = [];
	return {
		add: (item) => void back.push(item),
		addFirst: (item) => void front.push(item),
		takeFirst() {
			if (front.length === 0) [front, back] = [back.reverse(), front];
			return front.pop();
		},
		take(isWanted) {
			for (const stack of [front, back]) {
				const index = stack.findIndex(isWanted);
				if (index >= 0) return stack.splice(index, 1)[0];
			}
			return undefined;
		},
	};
}

/**
 * `'low'` requests are sent when no others wait, and their failures never stop others from being sent. Everything else
 * is `'normal'`.
 */
export type Priority = 'normal' | 'low';

/** How to pace one request to the service. */
export interface PacedRequest {
	readonly operation: Operation;
	/** Ids of the products that the request is about, as the caller gave them. */
	readonly pids: readonly string[];
	/** @default 'normal' */
	readonly priority?: Priority | undefined;
	/** Whether to send it once more, after all that wait, if the service fails. @default false */
	readonly requeue?: boolean | undefined;
	/** Ends the request when it aborts, even while the request waits for its turn. */
	readonly signal: AbortSignal | undefined;
}
