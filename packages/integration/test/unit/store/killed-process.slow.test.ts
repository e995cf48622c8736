import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFailed, test } from 'vitest';
import { pack } from '../../../src/store/values.js';
import { createRandom } from '../../support/unit/random.js';
import { createStoreFile } from '../../support/unit/store.js';

const WRITER = fileURLToPath(new URL('../../support/unit/store-writer.mjs', import.meta.url));

/** A value that the writer said is durable. */
interface Durable {
	readonly pid: string;
	readonly number: number;
	readonly digest: string;
}

/** Lets another process write a store, and kills it so long after it said something. @returns what was durable by then */
async function killWriter(file: string, task: string, first: number, since: string, delay: number) {
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
		const line = JSON.parse(text) as { durable?: Durable[]; warning?: string };
		durable.push(...(line.durable ?? []));
		if (line.warning) warnings.push(line.warning);
		if (since in line) started.resolve();
	});
	await Promise.race([started.promise, ended]);
	await sleep(delay);
	child.kill('SIGKILL');
	if ((await ended) !== 'SIGKILL') throw new Error('The writer ended by itself: its error is above.');
	expect(warnings).toEqual([]);
	return durable;
}

/** Other moments at each run; KILL_SEED repeats those of a run that failed. */
function createMoments() {
	const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);
	onTestFailed(() => console.error(`Killed at the moments of KILL_SEED=${seed}`));
	return createRandom(seed);
}

/** What SQLite says of a file, and whether each entry has its content. */
function expectWhole(file: string) {
	const database = new DatabaseSync(file);
	const all = (sql: string) => database.prepare(sql).all();
	expect(all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
	expect(all('SELECT pid FROM entries EXCEPT SELECT pid FROM contents')).toEqual([]);
	expect(all('SELECT pid FROM contents EXCEPT SELECT pid FROM entries')).toEqual([]);
	database.close();
}

test.each([
	['writes', 'write', 'durable', 150, 20],
	['closes a store', 'close', 'begins', 12, 8],
	['forgets what nobody uses', 'prune', 'begins', 4, 8],
])(
	'a process that is killed while it %s loses nothing that it flushed',
	async (_what, task, since, most, rounds) => {
		const random = createMoments();
		const { file, open, warnings } = createStoreFile();
		const flushed = new Map<string, Durable>();
		for (let round = 0; round < rounds; round++) {
			// Every other time somebody has it open meanwhile.
			const reader = round % 2 && task === 'write' ? open() : undefined;
			const newest = Math.max(0, ...[...flushed.values()].map(({ number }) => number));
			const durable = await killWriter(file, task, newest, since, random() * most);
			if (task === 'write') expect(durable.length).toBeGreaterThan(0);
			for (const value of durable) flushed.set(value.pid, value);
			for (const store of reader ? [reader, open()] : [open()]) {
				const table = store.table<{ number: number }>('reviews');
				// What was written and not yet said to be durable may be there or not; what is there is whole.
				for (const { pid, number, digest } of flushed.values()) {
					const stored = table.get(pid);
					expect(stored?.value.number).toBeGreaterThanOrEqual(number);
					if (stored?.value.number === number) expect(stored.digest).toBe(digest);
					expect(pack(stored?.value).digest).toBe(stored?.digest);
				}
				store.close();
			}
			expectWhole(file);
			expect(warnings).toEqual([]);
			expect(readdirSync(dirname(file)).sort()).toEqual(['.gitignore', 'reviews-v7.db']);
		}
	},
);
