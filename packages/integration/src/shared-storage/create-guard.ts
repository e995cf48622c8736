import type { StorageContext } from './storage-context.js';

/** Runs operations of the storage, none of which may harm its caller. */
export interface Guard {
	/**
	 * @param patience how long the caller waits, in milliseconds.
	 * @returns `undefined` if the operation failed, took too long, or was not tried.
	 */
	run<Result extends {}>(operation: Guarded<Result>, patience: number): Promise<Result | undefined>;
	/** The same for what must be tried even if the storage failed before. */
	insist<Result extends {}>(operation: Guarded<Result>, patience: number): Promise<Result | undefined>;
}

/** @param waitAgain starts the time that the caller waits anew. */
type Guarded<Result> = (waitAgain: () => void) => Promise<Result>;

/** How long nobody waits for the storage after a failure, in milliseconds. After it, one operation finds out whether it works again. */
const PAUSE = 1_000;
/** Shortest interval between warnings, in milliseconds. */
const WARNING_INTERVAL = 60_000;

/**
 * A storage that hangs costs a caller its patience once. After that, nobody waits, until an operation that runs in the
 * background succeeds.
 *
 * @param describe describes an error without secrets.
 */
export function createGuard(
	{ monotonicNow, schedule, warn }: Pick<StorageContext, 'monotonicNow' | 'schedule' | 'warn'>,
	describe: (error: unknown) => string,
): Guard {
	let triedAgainAt: number | undefined;
	let warnedAt = Number.NEGATIVE_INFINITY;

	const fail = (why: string) => {
		triedAgainAt = monotonicNow() + PAUSE;
		if (monotonicNow() - warnedAt < WARNING_INTERVAL) return;
		warnedAt = monotonicNow();
		warn(`The shared storage failed: ${why} Meanwhile the service is asked. [PR_STORAGE_FAILED]`);
	};

	async function attempt<Result extends {}>(
		operation: Guarded<Result>,
		patience: number,
	): Promise<Result | undefined> {
		const late = Promise.withResolvers<undefined>();
		let isLate = false;
		const wait = startWait(schedule, patience, () => {
			isLate = true;
			fail(`it did not answer within ${patience} ms.`);
			late.resolve(undefined);
		});
		const done = Promise.resolve()
			.then(() => operation(wait.again))
			.then(
				(result) => {
					// A late result does not help anybody: the next one would be as late.
					if (!isLate) triedAgainAt = undefined;
					return result;
				},
				(error) => {
					fail(describe(error));
					return undefined;
				},
			);
		const result = await Promise.race([done, late.promise]);
		wait.end();
		return result;
	}

	return {
		insist: attempt,
		async run(operation, patience) {
			if (triedAgainAt === undefined) return attempt(operation, patience);
			if (monotonicNow() < triedAgainAt) return undefined;
			triedAgainAt = monotonicNow() + PAUSE;
			void attempt(operation, patience);
			return undefined;
		},
	};
}

/** Calls back when the time is over, which can be started anew until then. */
function startWait(schedule: StorageContext['schedule'], milliseconds: number, onOver: () => void) {
	let isOver = false;
	const start = () =>
		schedule(() => {
			isOver = true;
			onOver();
		}, milliseconds);
	let cancel = start();
	return {
		again() {
			if (isOver) return;
			cancel();
			cancel = start();
		},
		end() {
			isOver = true;
			cancel();
		},
	};
}
