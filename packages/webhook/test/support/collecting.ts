import { NOW, settled } from 'product-reviews-test-support/clock';
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

const pass = (milliseconds?: number) => (milliseconds === undefined ? settled() : advance(milliseconds));

/** A collector with a clock that stands still, closed after the test. */
export function collecting(log: ChangeLog, options: Partial<CollectorOptions> = {}) {
	if (!vi.isFakeTimers()) {
		const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
		vi.useFakeTimers({ now: NOW, toFake: [...toFake] });
		onTestFinished(() => void vi.useRealTimers());
	}
	const lines: string[] = [];
	/** A rebuild that was asked for, and that the test lets end as it likes. */
	const ask = (request: RebuildRequest) => {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true });
		return {
			/** Products in alphabetical order, or `all`. */
			what: request.all ? 'all' : request.pids.toSorted(),
			/** When, in milliseconds from the beginning of the test. */
			at: Date.now() - NOW,
			request,
			promise,
			succeed(wait?: number) {
				resolve();
				return pass(wait);
			},
			fail(error: unknown, wait?: number) {
				reject(error);
				return pass(wait);
			},
		};
	};
	const rebuilds: ReturnType<typeof ask>[] = [];
	const collector = new Collector({
		...{ log, onLog: (line) => void lines.push(line), debounce: QUIET, maxWait: AT_MOST },
		rebuild(request) {
			const asked = ask(request);
			rebuilds.push(asked);
			return asked.promise;
		},
		...options,
	});
	onTestFinished(async () => {
		const closed = collector.close(0);
		await advance(0);
		await closed;
	});
	return {
		collector,
		rebuilds,
		lines,
		/** A change of products, or of anything, that comes now. @param wait moves the clock on after it */
		async add(what: readonly string[] | 'all', wait?: number) {
			await collector.add(changeOf(what, Date.now()));
			await pass(wait);
		},
		get last() {
			const last = rebuilds.at(-1);
			if (!last) throw new Error('No rebuild was asked for.');
			return last;
		},
	};
}
