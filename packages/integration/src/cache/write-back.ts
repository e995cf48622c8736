import type { SharedStorage } from '../shared-storage/shared-storage.js';
import type { SharedWrite } from '../shared-storage/shared-values.js';

/** Writes answers of the service to the shared storage, in the background. */
export interface WriteBack {
	/**
	 * @param read returns the answer. Called when it is written, so that answers which wait take no memory.
	 * @param onWritten called when the storage has it.
	 */
	add(read: () => SharedWrite | undefined, onWritten: () => void): void;
	/**
	 * Waits until everything is written, the time is over, or the storage has failed several times.
	 * @returns how many answers the storage did not take.
	 */
	end(milliseconds: number): Promise<number>;
	/** How many answers were written. */
	readonly written: number;
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
	readonly onWritten: () => void;
}

/** Answers per batch. */
const MOST = 100;
/** How often the end of a build tries a storage that fails: it may have been restarted. */
const MOST_FAILURES = 3;
/** How long to wait after the storage has failed, in milliseconds. */
const PAUSE = 1_000;

/** While one batch is being written, the next one collects. So a fast storage has answers at once, and a slow one gets few batches. */
export function createWriteBack({ storage, monotonicNow, pause }: WriteBackContext): WriteBack {
	const waiting: Waiting[] = [];
	let written = 0;
	let failures = 0;
	let isOver = false;
	let running: Promise<void> | undefined;

	async function writeBatch(): Promise<void> {
		const batch = waiting.slice(0, MOST);
		const answers = batch.flatMap(({ read }) => read() ?? []);
		if (!(await storage.write(answers))) {
			failures += 1;
			return pause(PAUSE);
		}
		waiting.splice(0, batch.length);
		written += answers.length;
		for (const { onWritten } of batch) onWritten();
	}
	async function run(): Promise<void> {
		while (waiting.length > 0 && !isOver) await writeBatch();
		running = undefined;
	}

	return {
		add(read, onWritten) {
			if (isOver) return;
			waiting.push({ read, onWritten });
			running ??= Promise.resolve().then(run);
		},
		async end(milliseconds) {
			const until = monotonicNow() + milliseconds;
			failures = 0;
			while (waiting.length > 0 && monotonicNow() < until && failures < MOST_FAILURES) {
				await Promise.race([running, pause(Math.min(PAUSE, until - monotonicNow()))]);
			}
			isOver = true;
			return waiting.length;
		},
		get written() {
			return written;
		},
	};
}
