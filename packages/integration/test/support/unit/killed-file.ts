import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFailed } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import type { ReviewStore } from '../../../src/store/review-store.js';
import type { Durable } from './killed-writer.js';
import { createRandom } from './random.js';
import { createStoreFile } from './store.js';

interface Value {
	readonly number: number;
	readonly text: string;
}

/** Other moments at each run; KILL_SEED repeats those of a run that failed. */
export function createMoments() {
	const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);
	onTestFailed(() => console.error(`Killed at the moments of KILL_SEED=${seed}`));
	const random = createRandom(seed);
	return (least: number, most: number) => least + random() * (most - least);
}

/** A file that is written and killed again and again, and what must be in it. */
export function createKilledFile() {
	const storeFile = createStoreFile();
	const durable = new Map<string, Durable>();
	const newest = () => Math.max(0, ...[...durable.values()].map(({ number }) => number));
	return {
		...storeFile,
		newest,
		expectNow(said: readonly Durable[]) {
			for (const value of said) durable.set(value.pid, value);
		},
		/** What was written and not yet said to be durable may be there or not; what is there is whole. */
		check(store: ReviewStore) {
			const table = store.table<Value>('reviews');
			for (const { pid, number, digest } of durable.values()) {
				const stored = table.get(pid);
				expect(stored?.value.number).toBeGreaterThanOrEqual(number);
				if (stored?.value.number === number) expect(stored.digest).toBe(digest);
				expect(pack(stored?.value).digest).toBe(stored?.digest);
				durable.set(pid, { pid, number: stored?.value.number ?? 0, digest: stored?.digest ?? '' });
			}
			expect(storeFile.warnings).toEqual([]);
		},
		/** What SQLite says of the file, and whether each entry has its content. */
		checkFile() {
			const database = new DatabaseSync(storeFile.file);
			const all = (sql: string) => database.prepare(sql).all();
			expect(all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
			expect(all('SELECT pid FROM entries EXCEPT SELECT pid FROM contents')).toEqual([]);
			expect(all('SELECT pid FROM contents EXCEPT SELECT pid FROM entries')).toEqual([]);
			database.close();
		},
	};
}
