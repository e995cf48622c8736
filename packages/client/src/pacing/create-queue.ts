import pLimit from 'p-limit';
import type { Operation } from '../contract/index.js';
import { whenAborted } from '../when-aborted.js';
import { createLine, type Line } from './create-line.js';
import type { PacedRequest, Priority } from './paced-request.js';

/** Where requests wait for their turn. */
export interface Queue {
	/**
	 * Runs a task when its turn comes.
	 *
	 * @param isRepeated whether a task that failed in this way has a second turn, behind all that wait. What a second turn
	 * fails with is not told: the first failure is.
	 * @throws what the task throws, or the reason of the request's signal.
	 */
	run<Result>(
		request: PacedRequest,
		task: () => Promise<Result>,
		isRepeated: (error: unknown) => boolean,
	): Promise<Result>;
	/** Moves a waiting request about a product to the front; does nothing where none waits. */
	prioritize(operation: Operation, pid: string): void;
	/** From now on so many tasks may run at once. Tasks that run are not stopped. */
	allow(concurrency: number): void;
}

/** A request that has not ended. */
interface Job {
	readonly request: PacedRequest;
	/** Never rejects. */
	readonly start: () => Promise<void>;
	isPrioritized: boolean;
}

/**
 * A queue with two priorities. p-limit bounds what runs at once; the two lines decide which task is next whenever it has
 * room for one.
 *
 * @param concurrency how many tasks may run at once at first.
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
					// It stayed in its line: taking many out one by one would take longer than their turns.
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
