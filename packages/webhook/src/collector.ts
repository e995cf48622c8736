import type { Change, ChangeLog, Hold, WaitingChanges } from './change-log.js';
import { checkNumber, count, MAX_NUMBER, messageOf, quietly } from './errors.js';

export interface RebuildRequest {
	/** Products that changed; empty if `all` is set. */
	readonly pids: readonly string[];
	/** Anything may have changed. */
	readonly all: boolean;
	/** Ends the rebuild. */
	readonly signal: AbortSignal;
	readonly log: (line: string) => void;
}

/**
 * Rebuilds the site, or triggers a rebuild elsewhere. Resolves when the rebuild is done, or was reliably handed over.
 * @throws Error that states what went wrong. The products stay marked and the rebuild is retried.
 */
export type Rebuild = (request: RebuildRequest) => Promise<void>;

/** Options of {@link Collector}. Durations are in milliseconds. */
export interface CollectorOptions {
	readonly log: ChangeLog;
	readonly rebuild: Rebuild;
	/**
	 * Time to wait for further changes before a rebuild starts. With 0, the first change starts it at once, even
	 * during the pause after a failure. What arrives during a rebuild still causes only one more.
	 * @default 30_000
	 */
	readonly debounce?: number | undefined;
	/** Longest time the first change waits while others keep arriving. @default 300_000 */
	readonly maxWait?: number | undefined;
	/** Pause after the first failed rebuild; it doubles with each further failure, up to ten minutes. @default 10_000 */
	readonly retryAfter?: number | undefined;
	/** Called with each log line. Lines never contain a secret. @default nothing is logged */
	readonly onLog?: ((line: string) => void) | undefined;
}

export interface CollectorStatus {
	/** Products waiting for a rebuild, of all receivers that share the log. The rest is about this one. */
	readonly waiting: { readonly products: number; readonly all: boolean };
	readonly isRebuilding: boolean;
	readonly nextRebuildAt: Date | undefined;
	readonly lastRebuild: RebuildOutcome | undefined;
	readonly counts: { readonly changes: number; readonly rebuilds: number; readonly failures: number };
}

type RebuildOutcome = Readonly<{
	startedAt: Date;
	endedAt: Date;
	products: number;
	all: boolean;
	/** First line of the error. */
	error?: string;
}>;

type Span = Pick<WaitingChanges, 'firstAt' | 'lastAt'>;

// In milliseconds.
const MAX_RETRY_PAUSE = 600_000;
const LOOK_INTERVAL = 10_000;
const HOLD_PAUSE = 1_000;

/**
 * Merges changes until none has arrived for a while, or the first has waited long enough, and then starts one rebuild.
 * Changes that arrive during a rebuild cause one more. After a failure, all products stay marked and the rebuild is
 * retried with growing pauses. Receivers that share a log rebuild one at a time.
 */
export class Collector {
	readonly #log: ChangeLog;
	readonly #rebuild: Rebuild;
	readonly #timing: Record<'debounce' | 'maxWait' | 'retryAfter', number>;
	readonly #onLog: (line: string) => void;
	readonly #counts = { changes: 0, rebuilds: 0, failures: 0 };
	readonly #ending = new AbortController();
	#lastRebuild: RebuildOutcome | undefined;
	/** Of the changes that wait for the next run. */
	#span: Span | undefined;
	#nextAt: number | undefined;
	#notBefore = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#lookTimer: ReturnType<typeof setInterval> | undefined;
	#running: Promise<void> | undefined;
	#hold: Hold | undefined;
	#failuresInARow = 0;
	#isLogBroken = false;
	#isClosed = false;

	/** @throws WebhookConfigurationError for an invalid duration. */
	constructor(options: CollectorOptions) {
		const { debounce = 30_000, maxWait = 300_000, retryAfter = 10_000 } = options;
		this.#log = options.log;
		this.#rebuild = options.rebuild;
		this.#onLog = quietly(options.onLog);
		this.#timing = { debounce, maxWait, retryAfter };
		for (const [name, value] of Object.entries(this.#timing)) checkNumber(name, value, 0);
	}

	/** Records a change. @throws if it could not be written: the sender must send it again. */
	async add(change: Change): Promise<void> {
		await this.#log.record(change);
		this.#counts.changes += 1;
		// What is new need not wait for what failed, unless it waits anyway.
		if (this.#timing.debounce === 0) this.#notBefore = 0;
		this.#plan({ firstAt: change.receivedAt, lastAt: change.receivedAt });
	}

	/** Picks up changes left by an earlier process, and from then on those left by other receivers. */
	async start(): Promise<void> {
		await this.#look();
		if (!this.#log.hold || this.#isClosed) return;
		this.#lookTimer = setInterval(() => void (this.#running ?? this.#look()), LOOK_INTERVAL);
	}

	/** @throws Error if the log cannot be read. */
	async status(): Promise<CollectorStatus> {
		const { pids = [], all = false } = (await this.#log.waiting()) ?? {};
		return {
			waiting: { products: pids.length, all },
			isRebuilding: this.#running !== undefined,
			nextRebuildAt: this.#nextAt === undefined ? undefined : new Date(this.#nextAt),
			lastRebuild: this.#lastRebuild,
			counts: { ...this.#counts },
		};
	}

	/**
	 * Starts no more rebuilds, and waits for a running one.
	 * @param patience how long to wait, in milliseconds. After that the rebuild is ended and its products stay marked.
	 */
	async close(patience: number): Promise<void> {
		this.#isClosed = true;
		clearTimeout(this.#timer);
		clearInterval(this.#lookTimer);
		const timer = setTimeout(
			() => this.#ending.abort(new Error('The receiver is shutting down.')),
			Math.min(patience, MAX_NUMBER),
		);
		await this.#running;
		clearTimeout(timer);
		await this.#release();
		await this.#log.close();
	}

	#plan(more?: Span): void {
		if (more) {
			const { firstAt, lastAt } = this.#span ?? more;
			this.#span = { firstAt: Math.min(firstAt, more.firstAt), lastAt: Math.max(lastAt, more.lastAt) };
		}
		if (!this.#span || this.#running || this.#isClosed) return;
		const now = Date.now();
		this.#nextAt = Math.max(this.#dueAt(this.#span), this.#notBefore);
		clearTimeout(this.#timer);
		this.#timer = setTimeout(
			() => {
				// A timer may go off early.
				if (Date.now() < (this.#nextAt ?? 0)) this.#plan();
				else this.#running = this.#run();
			},
			Math.max(0, this.#nextAt - now),
		);
	}

	#dueAt({ firstAt, lastAt }: Span): number {
		// The clock was ahead when a change was recorded, so it is unknown how long that has waited.
		if (lastAt > Date.now()) return 0;
		return Math.min(lastAt + this.#timing.debounce, firstAt + this.#timing.maxWait);
	}

	/** Looks for waiting changes, and plans the next run. Never rejects. */
	async #look(): Promise<void> {
		try {
			const waiting = await this.#log.waiting();
			this.#noteLog(undefined);
			this.#plan(waiting);
		} catch (error) {
			this.#noteLog(error);
			// Something may be waiting.
			this.#plan(this.#span ?? { firstAt: Date.now(), lastAt: Date.now() });
		}
	}

	/** Rebuilds, unless another receiver does. Never rejects. */
	async #run(): Promise<void> {
		this.#span = undefined;
		this.#nextAt = undefined;
		try {
			const pause = await this.#rebuildInTurn();
			this.#notBefore = Date.now() + pause;
			this.#noteLog(undefined);
			// During a pause, other receivers wait as well. Without quiet time, what they get must not.
			if (pause === 0 || this.#timing.debounce === 0) await this.#release();
		} catch (error) {
			this.#noteLog(error);
			await this.#release();
		}
		this.#running = undefined;
		if (!this.#isClosed) await this.#look();
	}

	/** @returns the pause before the next run, in milliseconds. @throws Error if the log cannot be used. */
	async #rebuildInTurn(): Promise<number> {
		if (this.#hold?.lost?.aborted) this.#hold = undefined;
		this.#hold ??= await this.#log.hold?.();
		if (this.#log.hold && !this.#hold) return HOLD_PAUSE;
		const waiting = await this.#log.waiting();
		// Another receiver may have rebuilt these changes by now.
		if (!waiting) return 0;
		// It may also have got more of them, which have to wait for others.
		return Date.now() >= this.#dueAt(waiting) ? this.#rebuildNow(waiting) : 0;
	}

	async #rebuildNow({ pids, all, upTo }: WaitingChanges): Promise<number> {
		const what = { products: pids.length, all };
		const rebuild = `Update for ${all ? 'all products' : count(pids.length, 'product')}`;
		const startedAt = new Date();
		const signal = AbortSignal.any([this.#ending.signal, this.#hold?.lost ?? []].flat());
		this.#onLog(`${rebuild} started.`);
		try {
			await this.#rebuild({ pids: all ? [] : pids, all, signal, log: this.#onLog });
			await this.#log.settle(upTo);
			this.#onLog(`${rebuild} finished in ${seconds(Date.now() - startedAt.getTime())}.`);
			this.#lastRebuild = { startedAt, endedAt: new Date(), ...what };
			this.#counts.rebuilds += 1;
			this.#failuresInARow = 0;
			return 0;
		} catch (thrown) {
			// The reason for ending it is more useful than the error that this caused.
			const error = sentenceOf(signal.aborted ? signal.reason : thrown);
			const pause = Math.min(this.#timing.retryAfter * 2 ** this.#failuresInARow, MAX_RETRY_PAUSE);
			// Everything after the first line is output of the build, which may contain anything.
			this.#lastRebuild = { startedAt, endedAt: new Date(), ...what, error: error.split('\n', 1)[0] ?? '' };
			this.#counts.failures += 1;
			this.#failuresInARow += 1;
			if (!this.#isClosed) this.#onLog(`Update failed: ${error} Retrying in ${seconds(pause)}.`);
			return pause;
		}
	}

	/** Says when the log stops working, and when it works again. @param error `undefined` if it works. */
	#noteLog(error: unknown): void {
		const wasBroken = this.#isLogBroken;
		this.#isLogBroken = error !== undefined;
		const { retryAfter } = this.#timing;
		if (this.#isLogBroken) this.#notBefore = Date.now() + retryAfter;
		if (this.#isLogBroken === wasBroken || this.#isClosed) return;
		const failure = `cannot be used: ${sentenceOf(error)} Trying again every ${seconds(retryAfter)}.`;
		this.#onLog(`The waiting changes ${wasBroken ? 'can be used again.' : failure}`);
	}

	async #release(): Promise<void> {
		const hold = this.#hold;
		this.#hold = undefined;
		await hold?.release().catch(() => {});
	}
}

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1_000).toFixed(1)} s`;
}

function sentenceOf(error: unknown): string {
	const message = messageOf(error);
	return /[.!?\]]$/.test(message) ? message : `${message}.`;
}
