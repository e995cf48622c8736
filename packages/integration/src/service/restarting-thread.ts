import { Worker } from 'node:worker_threads';
import type { Command, Report, ThreadData } from './messages.js';

/** A thread that is started when there is something to do, and restarted after it has died. */
export interface RestartingThread {
	isStarted(): boolean;
	post(commands: readonly Command[]): void;
	terminate(): Promise<void>;
}

interface ThreadEvents {
	/** Returns the first command for a new thread. */
	readonly first: () => Command | undefined;
	readonly onReport: (report: Report) => void;
	/** Called when the thread ended by itself. */
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
		// Callers that wait for an answer keep the process alive; an abandoned build must not. Adding listeners refs
		// the worker, so this comes last.
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

/** Memory for all requests together with payloads of the usual size, in MiB. */
const USUAL_MEMORY = 512;
/** Copies of the largest answer that may be in memory: as received, as text, parsed, and cut into parts. */
const COPIES = 4;
/** Memory for short-lived objects, in MiB. A third more takes 25 MB more and saves no time. */
const YOUNG_MEMORY = 24;
/**
 * In MiB. With less, V8 collects garbage twice as often. From 2,048 on, it does so rarely that the thread takes 50 MB
 * more.
 */
const LEAST_LIMIT = 2_000;

/**
 * Without limits, the thread collects garbage late and takes a hundred megabytes more than it needs. The limits suffice
 * even if every answer is as large as allowed.
 */
function memoryLimits({ maxResponseBytes = 0, concurrency = 1 }: ThreadData['client']) {
	const needed = USUAL_MEMORY + (concurrency * COPIES * maxResponseBytes) / 1_048_576;
	return { maxYoungGenerationSizeMb: YOUNG_MEMORY, maxOldGenerationSizeMb: Math.max(LEAST_LIMIT, needed) };
}
