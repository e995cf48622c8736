import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const WRITER = fileURLToPath(new URL('./store-writer.mjs', import.meta.url));

/** What the writer was doing when it was killed. */
type Task = 'write' | 'close' | 'prune' | 'set-aside';

/** A value that the writer said is durable. */
export interface Durable {
	readonly pid: string;
	readonly number: number;
	readonly digest: string;
}

type Line =
	| { readonly durable: readonly Durable[] }
	| { readonly begins: Task }
	| { readonly warning: string };

/** How to run a writer, and when to kill it. */
export interface KilledWriter {
	readonly file: string;
	readonly task: Task;
	/** The first number to write. */
	readonly first: number;
	/** From when on the writer may be killed. */
	readonly since: 'durable' | 'begins';
	/** Milliseconds from then to its end. */
	readonly delay: number;
	/** Is called with each line. */
	readonly onLine?: () => void;
}

/** Lets another process write a store, and kills it in the middle. @returns what was durable by then. */
export async function killWriter(run: KilledWriter): Promise<{ durable: Durable[]; warnings: string[] }> {
	const { file, task, first, since, delay, onLine = () => {} } = run;
	const child = spawn(process.execPath, [WRITER, file, task, String(first)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (_status, signal) => resolve(signal));
	});
	const durable: Durable[] = [];
	const warnings: string[] = [];
	const started = Promise.withResolvers<void>();
	createInterface(child.stdout).on('line', (text) => {
		const line = JSON.parse(text) as Line;
		if ('durable' in line) durable.push(...line.durable);
		if ('warning' in line) warnings.push(line.warning);
		if (since in line) started.resolve();
		onLine();
	});
	await Promise.race([started.promise, ended]);
	await sleep(delay);
	child.kill('SIGKILL');
	const signal = await ended;
	if (signal !== 'SIGKILL') throw new Error('The writer ended by itself: its error is above.');
	return { durable, warnings };
}
