import { expect, test } from 'vitest';
import { createKilledFile, createMoments } from '../../support/unit/killed-file.js';
import { killWriter } from '../../support/unit/killed-writer.js';

// Processes are started one after the other; a machine that is busy takes ten times as long as an idle one.
const LONG = 180_000;

test(
	'a process that is killed while it writes loses nothing that it flushed, fifty times over',
	async () => {
		const moment = createMoments();
		const file = createKilledFile();
		let last = 0;
		for (let round = 0; round < 50; round++) {
			const reader = round % 2 ? file.open() : undefined;
			const killed = await killWriter({
				file: file.file,
				task: 'write',
				first: last,
				since: 'durable',
				delay: moment(5, 150),
				onLine: () => reader?.table('reviews').get('p-7'),
			});
			expect(killed.warnings).toEqual([]);
			expect(killed.durable.length).toBeGreaterThan(0);
			file.expectNow(killed.durable);
			if (reader) file.check(reader);
			const store = file.open();
			file.check(store);
			store.close();
			file.checkFile();
			reader?.close();
			last = file.newest();
		}
	},
	LONG,
);
