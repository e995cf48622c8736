import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { freePort } from 'product-reviews-test-support/listen';
import { eventOf, messageOfNow, send } from 'product-reviews-test-support/signing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { command } from '../../../src/node/index.js';
import { runCli } from '../../support/cli.js';
import { runRebuild } from '../../support/triggering.js';

/** A receiver whose command notes what it was asked for, and then does something. */
function start(code: string, when: readonly string[], folder = createFolder()) {
	const run = `echo "$REVIEWS_CHANGED" >> runs; echo begun; ${code}`;
	const file = join(folder, 'runs');
	const runs = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
	return { ...runCli(['--run', run, '--port', '0', ...when], undefined, folder), folder, runs };
}

const RUN = '{"pids":["p-1"]}';

test('--immediate does not retry a command that ends with 3, and says that pages need a rebuild', async () => {
	const { runs, url, printed } = start('exit 3', ['--immediate']);
	const address = await url();
	await send(address);
	await expect.poll(printed).toContain('finished in');
	expect(printed()).toContain('it did what it could, and some pages need a rebuild.');
	const status = await (await fetch(new URL('/status', address))).json();
	expect(status).toMatchObject({ waiting: { products: 0 }, counts: { rebuilds: 1, failures: 0 } });
	expect(runs()).toEqual([RUN]);
});

test('a second SIGTERM ends a rebuild, and its products stay marked for the next receiver', async () => {
	const { folder, url, printed, child, end } = start('sleep 60', ['--debounce', '20ms']);
	await send(await url());
	await expect.poll(printed).toContain('begun');
	child.kill('SIGTERM');
	await expect.poll(printed).toContain('allowed to finish');
	expect(await end()).toBe(0);
	expect(printed()).toContain('Shutting down now.');
	const again = start('', ['--debounce', '20ms'], folder);
	await expect.poll(again.runs).toEqual([RUN, RUN]);
});

test('a receiver that is killed three times loses nothing that it accepted', async () => {
	const folder = createFolder();
	const port = await freePort();
	const url = `http://127.0.0.1:${port}/`;
	const when = ['--port', String(port), '--debounce', '40ms', '--max-wait', '300ms'];
	const startAgain = async () => {
		const receiver = start('', when, folder);
		await receiver.url();
		return receiver;
	};
	// One event a product: nothing makes up for one that is lost.
	const pids = Array.from({ length: 200 }, (_, index) => `p-${index}`);
	const queue = pids.map((pid) => messageOfNow({ body: eventOf(pid) }));
	let refused = 0;
	let receiver = await startAgain();
	const sending = Promise.all(
		Array.from({ length: 4 }, async () => {
			for (let event = queue.shift(); event; event = queue.shift()) {
				const message = event;
				// As a sender does: the same event again until it was taken.
				const isTaken = async () => {
					const status = await send(url, message).catch(() => 0);
					refused += status === 202 ? 0 : 1;
					return status === 202;
				};
				await vi.waitUntil(isTaken, { timeout: 60_000, interval: 20 });
				await new Promise((resolve) => setTimeout(resolve, 5));
			}
		}),
	);
	for (let kill = 1; kill <= 3; kill += 1) {
		// Spread over the stream, and at a moment that is another each time.
		await expect.poll(() => queue.length, { interval: 5 }).toBeLessThan(pids.length * (1 - kill / 4));
		await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
		expect(await receiver.end('SIGKILL')).toBe('SIGKILL');
		receiver = await startAgain();
	}
	await sending;
	expect(refused).toBeGreaterThan(0);
	const rebuilt = () => new Set(receiver.runs().flatMap((line) => JSON.parse(line).pids));
	await expect.poll(() => pids.filter((pid) => !rebuilt().has(pid))).toEqual([]);
	const status = async () => (await fetch(new URL('/status', url))).json();
	await expect.poll(status).toMatchObject({ waiting: { products: 0 }, isRebuilding: false });
	expect(await receiver.end()).toBe(0);
});

const isAlive = (pid: number) => {
	try {
		process.kill(pid, 0);
		// One that ended, and that nobody waited for, is still in the table.
		return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
};

/** Runs a command that starts another process, and says which one that is. It ends with the test. */
async function run(background: string, line: string, timeout?: number) {
	const cwd = createFolder();
	const rebuild = command(`(${background}) & echo $! > pid; ${line}`, { cwd, timeout });
	const ended = await runRebuild(rebuild);
	const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
	onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
	return { ...ended, pid, cwd };
}

test('a command that ends with 0 is done, whatever it leaves in the background', async () => {
	const background = 'sleep 2; echo late; touch later; exec sleep 60';
	const { lines, message, pid, cwd } = await run(background, 'echo built');
	expect([lines, message]).toEqual([['| built'], undefined]);
	expect(existsSync(join(cwd, 'later'))).toBe(false);
	// What it prints later goes nowhere, and is no reason to end it.
	await expect.poll(() => existsSync(join(cwd, 'later'))).toBe(true);
	expect(isAlive(pid)).toBe(true);
	expect(lines).toEqual(['| built']);
});

test('of a command that fails nothing goes on: it would meet the next try', async () => {
	const { message, pid } = await run('exec sleep 60', 'exit 3');
	expect(message).toContain('The command ended with 3.');
	expect(isAlive(pid)).toBe(false);
});

test('too long a time ends it, and all that it started, even what is deaf', async () => {
	const { message, pid } = await run("trap '' TERM; exec sleep 60", 'exec sleep 60', 500);
	expect(message).toBe('The command took longer than 0.5 s and was ended.');
	await expect.poll(() => isAlive(pid)).toBe(false);
});
