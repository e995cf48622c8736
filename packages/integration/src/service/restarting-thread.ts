import { Worker } from 'node:worker_threads';
import type { Command, Report, ThreadData } from './messages.js';

/** A thread that is started when there is something to do, and anew after it has died. */
export interface RestartingThread {
	isStarted(): boolean;
	post(commands: readonly Command[]): void;
	terminate(): Promise<void>;
}

interface ThreadEvents {
	/** What a new thread is sent before anything else. */
	readonly first: () => Command | undefined;
	readonly onReport: (report: Report) => void;
	/** The thread ended by itself. */
	readonly onDeath: (cause: unknown) => void;
}

export function createRestartingThread(
	client: ThreadData['client'],
	hasToken: boolean,
	{ first, onReport, onDeath }: ThreadEvents,
): RestartingThread {
	let started: Worker | undefined;

	const start = (): Worker => {
		const workerData: ThreadData = { client, hasToken };
		const worker = new Worker(new URL('./service-thread.js', import.meta.url), {
			workerData,
			name: 'product-reviews',
			resourceLimits: memoryLimits(client),
		});
		let cause: unknown;
		worker.on('error', (error) => {
			cause = error;
		});
		worker.on('exit', (code) => {
			started = undefined;
			onDeath(cause ?? new Error(`it exited with code ${code}`));
		});
		worker.on('message', (reports: readonly Report[]) => reports.forEach(onReport));
		// Whoever waits for an answer keeps the process alive; a build that was given up waits for none. Listening refs it again.
		worker.unref();
		const command = first();
		if (command) worker.postMessage([command]);
		return worker;
	};
	return {
		isStarted: () => started !== undefined,
		post(commands) {
			started ??= start();
			started.postMessage(commands);
		},
		async terminate() {
			await started?.terminate();
		},
	};
}

/** What a payload of the usual size needs, all requests together, in MiB. */
const USUAL_MEMORY = 512;
/** How often the largest answer may be in memory: as it came, as text, parsed and cut into parts. */
const COPIES = 4;
/** For what is gone at once, in MiB. A third more takes 25 MB more and no less time. */
const YOUNG_MEMORY = 24;
/** With less, V8 collects garbage twice as often; from 2,048 on so seldom that the thread takes 50 MB more. In MiB. */
const LEAST_LIMIT = 2_000;

/**
 * Without limits the thread collects its garbage late, and takes a hundred megabytes more than it uses. Even if every
 * answer were as large as allowed, it has enough.
 */
function memoryLimits({ maxResponseBytes = 0, concurrency = 1 }: ThreadData['client']) {
	const needed = USUAL_MEMORY + (concurrency * COPIES * maxResponseBytes) / 1_048_576;
	return { maxYoungGenerationSizeMb: YOUNG_MEMORY, maxOldGenerationSizeMb: Math.max(LEAST_LIMIT, needed) };
}
