import type { SharedStorage, SharedWrite } from '../shared-storage/shared-storage.js';

/** Writes answers of the service to the shared storage, in the background. */
export interface WriteBack {
	/**
	 * @param read returns the answer. Called when it is written, so that answers which wait take little memory.
	 * @param onDone called when the storage has it, or will not get it.
	 */
	add(read: () => SharedWrite | undefined, onDone: () => void): void;
	/** Waits until everything is written, the time is over, or the storage has failed several times. Drops the rest. */
	flush(milliseconds: number): Promise<void>;
	/** How many answers were written. */
	readonly written: number;
	/** How many answers were dropped. */
	readonly unwritten: number;
}

/** What writing back works with. */
export interface WriteBackContext {
	readonly storage: Pick<SharedStorage, 'write'>;
	/** Monotonic clock, in milliseconds. */
	readonly monotonicNow: () => number;
	/** Waits without keeping the process alive. */
	readonly pause: (milliseconds: number) => Promise<void>;
}

interface Waiting {
	readonly read: () => SharedWrite | undefined;
	readonly onDone: () => void;
}

/** Answers per batch. */
const BATCH = 100;
/** Most answers that wait for a storage that fails or is slower than the service. */
const MOST_WAITING = 10_000;
/** How often {@link WriteBack.flush} tries a storage that fails: it may have been restarted. */
const MOST_FAILURES = 3;
/** How long to wait after the storage has failed, in milliseconds. */
const PAUSE = 1_000;

/** While one batch is being written, the next one collects. So a fast storage has answers at once, and a slow one gets few batches. */
export function createWriteBack({ storage, monotonicNow, pause }: WriteBackContext): WriteBack {
	let waiting: Waiting[] = [];
	let written = 0;
	let unwritten = 0;
	let failures = 0;
	let running: Promise<void> | undefined;

	const drop = (dropped: readonly Waiting[]) => {
		unwritten += dropped.length;
		for (const { onDone } of dropped) onDone();
	};
	async function writeBatch(): Promise<void> {
		const batch = waiting.slice(0, BATCH);
		const answers = batch.flatMap(({ read }) => read() ?? []);
		const isWritten = await storage.write(answers);
		const isDropped = waiting[0] !== batch[0];
		if (isDropped) return;
		waiting.splice(0, batch.length);
		if (isWritten) {
			written += answers.length;
			for (const { onDone } of batch) onDone();
			return;
		}
		failures += 1;
		// The storage may refuse one of them whatever happens, so the others come first.
		waiting.push(...batch);
		await pause(PAUSE);
	}
	async function run(): Promise<void> {
		while (waiting.length > 0) await writeBatch();
		running = undefined;
	}

	return {
		add(read, onDone) {
			if (waiting.length >= MOST_WAITING) return drop([{ read, onDone }]);
			waiting.push({ read, onDone });
			running ??= Promise.resolve().then(run);
		},
		async flush(milliseconds) {
			const until = monotonicNow() + milliseconds;
			failures = 0;
			while (waiting.length > 0 && monotonicNow() < until && failures < MOST_FAILURES) {
				await Promise.race([running, pause(Math.min(PAUSE, until - monotonicNow()))]);
			}
			const rest = waiting;
			waiting = [];
			drop(rest);
		},
		get written() {
			return written;
		},
		get unwritten() {
			return unwritten;
		},
	};
}
