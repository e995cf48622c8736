import { NOW } from 'product-reviews-test-support/clock';
import { settled } from 'product-reviews-test-support/promises';
import { onTestFinished, vi } from 'vitest';
import {
	type Change,
	type ChangeLog,
	Collector,
	type CollectorOptions,
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
	readonly request: RebuildRequest;
	succeed(): Promise<void>;
	fail(error: unknown): Promise<void>;
}

export interface Collecting {
	readonly collector: Collector;
	readonly rebuilds: readonly AskedRebuild[];
	readonly lines: readonly string[];
	/** A change of products, or of anything, that comes now. */
	add(what: readonly string[] | 'all'): Promise<void>;
	/** The rebuild that was asked for last. */
	readonly last: AskedRebuild;
}

export function changeOf(what: readonly string[] | 'all', receivedAt: number): Change {
	const all = what === 'all';
	return { id: undefined, pids: all ? [] : what, all, receivedAt };
}

/** Moves the clock of the test on, and lets everything happen that comes of it. */
export async function advance(milliseconds: number): Promise<void> {
	await settled();
	await vi.advanceTimersByTimeAsync(milliseconds);
	await settled();
}

/** A collector with a clock that stands still, closed after the test. */
export function collecting(log: ChangeLog, options: Partial<CollectorOptions> = {}): Collecting {
	if (!vi.isFakeTimers()) {
		const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
		vi.useFakeTimers({ now: NOW, toFake: [...toFake] });
		onTestFinished(() => void vi.useRealTimers());
	}
	const rebuilds: AskedRebuild[] = [];
	const lines: string[] = [];
	const rebuild = (request: RebuildRequest) => {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true });
		rebuilds.push({
			what: request.all ? 'all' : request.pids.toSorted(),
			at: Date.now() - NOW,
			request,
			succeed: async () => {
				resolve();
				await settled();
			},
			fail: async (error) => {
				reject(error);
				await settled();
			},
		});
		return promise;
	};
	const onLog = (line: string) => void lines.push(line);
	const timing = { debounce: QUIET, maxWait: AT_MOST };
	const collector = new Collector({ log, rebuild, onLog, ...timing, ...options });
	onTestFinished(async () => {
		const closed = collector.close(0);
		await advance(0);
		await closed;
	});
	return {
		collector,
		rebuilds,
		lines,
		async add(what) {
			await collector.add(changeOf(what, Date.now()));
			await settled();
		},
		get last() {
			const last = rebuilds.at(-1);
			if (!last) throw new Error('No rebuild was asked for.');
			return last;
		},
	};
}
