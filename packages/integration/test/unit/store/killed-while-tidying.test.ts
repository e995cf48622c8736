import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import { createKilledFile, createMoments } from '../../support/unit/killed-file.js';
import { killWriter } from '../../support/unit/killed-writer.js';

// Processes are started one after the other; a machine that is busy takes ten times as long as an idle one.
const LONG = 180_000;

test.each([
	['close', 12],
	['prune', 4],
] as const)(
	'a process that is killed in %s() loses nothing that it flushed',
	async (task, most) => {
		const moment = createMoments();
		const file = createKilledFile();
		for (let round = 0; round < 12; round++) {
			const killed = await killWriter({
				file: file.file,
				task,
				first: file.newest(),
				since: 'begins',
				delay: moment(0, most),
			});
			expect(killed.warnings).toEqual([]);
			file.expectNow(killed.durable);
			file.checkFile();
			const store = file.open();
			file.check(store);
			store.close();
			expect(readdirSync(dirname(file.file)).sort()).toEqual(['.gitignore', 'reviews-v7.db']);
		}
	},
	LONG,
);

test(
	'a process that is killed while it sets a file aside leaves it to the next one, or has done it',
	async () => {
		const moment = createMoments();
		for (let round = 0; round < 12; round++) {
			const file = createKilledFile();
			mkdirSync(dirname(file.file));
			writeFileSync(file.file, 'This is no database. '.repeat(50_000));
			const killed = await killWriter({
				file: file.file,
				task: 'set-aside',
				first: 0,
				since: 'begins',
				delay: moment(0, 8),
			});
			const store = file.open();
			expect(file.warnings.length).toBeLessThanOrEqual(1);
			file.warnings.length = 0;
			file.expectNow(killed.durable);
			file.check(store);
			store.table('reviews').put('new', pack({ number: 1, text: '' }), 1);
			store.close();
			file.checkFile();
			expect(readdirSync(dirname(file.file)).sort()).toEqual(['reviews-v7.db', 'reviews-v7.db.set-aside']);
		}
	},
	LONG,
);
