// Writes a store without end, until it is killed. Each line that it prints is true from then on.
// Arguments: the store's file, what to do (a key of TASKS), the first number to write.
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openStore } from '../../../dist/store/open-store.js';
import { pack } from '../../../dist/store/values.js';

const [file, task, first] = process.argv.slice(2);
let number = Number(first);
let time = 0;

/** At once, and not when the event loop gets to it: a kill must not take the line along. */
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const open = () =>
	openStore(
		file,
		'account',
		(warning) => say({ warning }),
		() => time,
	);

/** Writes values of some 20 KB, and says which ones when they are durable. */
function write(store, pids) {
	const durable = pids.map((pid) => {
		number += 1;
		const packed = pack({ number, text: randomBytes(15_000).toString('base64') });
		store.table('reviews').put(pid, packed, number);
		return { pid, number, digest: packed.digest };
	});
	store.flush();
	say({ durable });
}

const pids = (name, count) => Array.from({ length: count }, (_, index) => `${name}-${index}`);
const KEPT = pids('p', 40);

const TASKS = {
	write() {
		const store = open();
		for (let at = 0; ; at = (at + 10) % KEPT.length) write(store, KEPT.slice(at, at + 10));
	},
	close() {
		for (;;) {
			const store = open();
			for (let at = 0; at < KEPT.length; at += 10) write(store, KEPT.slice(at, at + 10));
			say({ begins: 'close' });
			store.close();
		}
	},
	prune() {
		const store = open();
		for (;;) {
			// What was used at 1 is old enough to go.
			time = 2;
			write(store, KEPT);
			time = 1;
			for (const pid of pids('old', 80)) store.table('reviews').put(pid, pack({ pid, number }), number);
			store.flush();
			say({ begins: 'prune' });
			store.prune(2);
		}
	},
};

TASKS[task]();
