import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { freePort } from 'product-reviews-test-support/listen';
import { eventOf, messageOfNow, send } from 'product-reviews-test-support/signing';
import { describe, expect, test, vi } from 'vitest';
import { runCli } from '../../support/cli.js';

const COUNT = 600;

const statusOf = async (url: string) => (await fetch(new URL('/status', url))).json();

const linesIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

test('a receiver that is killed five times loses nothing that it accepted', async () => {
	const folder = createFolder();
	const port = await freePort();
	const url = `http://127.0.0.1:${port}/`;
	const args = ['--run', 'echo "$REVIEWS_CHANGED" >> out', '--port', String(port)];
	const start = async () => {
		const receiver = runCli([...args, '--debounce', '40ms', '--max-wait', '300ms'], undefined, folder);
		await receiver.url();
		return receiver;
	};
	// One event a product: nothing makes up for one that is lost.
	const pids = Array.from({ length: COUNT }, (_, index) => `p-${index}`);
	const queue = pids.map((pid) => messageOfNow({ body: eventOf(pid) }));
	let refused = 0;
	let receiver = await start();
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
	for (let kill = 1; kill <= 5; kill += 1) {
		// Spread over the stream, and at a moment that is another each time.
		await expect.poll(() => queue.length, { interval: 5 }).toBeLessThan(COUNT - (COUNT * kill) / 6);
		await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
		expect(await receiver.end('SIGKILL')).toBe('SIGKILL');
		receiver = await start();
	}
	await sending;
	expect(refused).toBeGreaterThan(0);
	const rebuilt = () => new Set(linesIn(join(folder, 'out')).flatMap((line) => JSON.parse(line).pids));
	await expect.poll(() => pids.filter((pid) => !rebuilt().has(pid))).toEqual([]);
	await expect.poll(() => statusOf(url)).toMatchObject({ waiting: { products: 0 }, isRebuilding: false });
	expect(await receiver.end()).toBe(0);
});

describe('receivers on one file', () => {
	/** Notes when it begins and ends, and takes a while. */
	const BUILD = String.raw`
		import { appendFileSync } from 'node:fs';
		const note = (what) => appendFileSync('builds', what + ' ' + process.pid + '\n');
		const timer = setTimeout(() => note('done'), 1_500);
		process.on('SIGTERM', () => { clearTimeout(timer); note('ended'); process.exit(1); });
		note('begin');
	`;

	function prepare() {
		const folder = createFolder();
		writeFileSync(join(folder, 'build.mjs'), BUILD);
		const args = ['--port', '0', '--debounce', '50ms', '--queue-file', 'changes.db', '--run'];
		return {
			start: () => runCli([...args, `exec "${process.execPath}" build.mjs`], undefined, folder),
			/** What happened, and in which process. */
			builds: () => linesIn(join(folder, 'builds')).map((line) => line.split(' ')),
		};
	}

	test('end the build of one that was killed, and build for the same products', async () => {
		const { start, builds } = prepare();
		const first = start();
		expect(await send(await first.url())).toBe(202);
		await expect.poll(builds).toHaveLength(1);
		const pid = Number(builds()[0]?.[1]);
		first.child.kill('SIGKILL');
		// The build holds the output of the one that is gone, so that its end is not that of its streams.
		await expect.poll(() => first.child.signalCode).toBe('SIGKILL');

		const second = start();
		await expect.poll(() => second.output()).toMatch(/finished in/);
		expect(second.output()).toContain(
			`A killed receiver left its rebuild command running (process ${pid}); ending it.`,
		);
		expect(builds().map(([what]) => what)).toEqual(['begin', 'ended', 'begin', 'done']);
	});
});
