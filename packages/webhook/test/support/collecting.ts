import { createClock, type TestClock } from 'product-reviews-test-support/clock';
import { settled } from 'product-reviews-test-support/settled';
import { onTestFinished } from 'vitest';
import {
	type Change,
	type ChangeLog,
	type Collector,
	type CollectorOptions,
	createCollector,
	type RebuildRequest,
} from '../../src/index.js';

export const QUIET = 30_000;
export const AT_MOST = 300_000;

/** A rebuild that was asked for, and that a test lets end as it likes. */
interface AskedRebuild {
	/** Products in alphabetical order, or `all`. */
	readonly what: readonly string[] | 'all';
	/** When, in milliseconds from the beginning of the test. */
	readonly at: number;
	readonly signal: AbortSignal;
	/** What the rebuild says in the log. */
	readonly log: RebuildRequest['log'];
	succeed(): Promise<void>;
	fail(error: unknown): Promise<void>;
}

export interface Collecting {
	readonly clock: TestClock;
	readonly collector: Collector;
	readonly rebuilds: readonly AskedRebuild[];
	readonly lines: readonly string[];
	/** A change of products, or of anything, that comes now. */
	add(what: readonly string[] | 'all', id?: string): Promise<boolean>;
	/** The rebuild that was asked for last. */
	readonly last: AskedRebuild;
}

let count = 0;

export function changeOf(
	what: readonly string[] | 'all',
	receivedAt: number,
	id = `event-${++count}`,
): Change {
	const all = what === 'all';
	return { id, pids: all ? [] : what, all, type: 'review.created', receivedAt };
}

/** A collector with a clock of its own, closed after the test. */
export function collecting(log: ChangeLog, options: Partial<CollectorOptions> = {}): Collecting {
	const clock = createClock();
	const start = clock.now();
	const rebuilds: AskedRebuild[] = [];
	const lines: string[] = [];
	const rebuild = ({ pids, all, signal, log: say }: RebuildRequest) =>
		new Promise<void>((resolve, reject) => {
			const onAbort = () => reject(signal.reason);
			signal.addEventListener('abort', onAbort, { once: true });
			rebuilds.push({
				what: all ? 'all' : pids.toSorted(),
				at: clock.now() - start,
				signal,
				log: say,
				async succeed() {
					resolve();
					await settled();
				},
				async fail(error) {
					reject(error);
					await settled();
				},
			});
		});
	const collector = createCollector({
		log,
		rebuild,
		clock,
		debounce: QUIET,
		maxWait: AT_MOST,
		onLog: (line) => void lines.push(line),
		...options,
	});
	onTestFinished(async () => {
		const closed = collector.close(0);
		await clock.advance(0);
		await closed;
	});
	return {
		clock,
		collector,
		rebuilds,
		lines,
		async add(what, id) {
			const isNew = await collector.add(changeOf(what, clock.now(), id));
			await settled();
			return isNew;
		},
		get last() {
			const last = rebuilds.at(-1);
			if (!last) throw new Error('No rebuild was asked for.');
			return last;
		},
	};
}
