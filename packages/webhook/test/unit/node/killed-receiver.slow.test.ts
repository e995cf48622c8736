import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { freePort } from 'product-reviews-test-support/listen';
import { eventOf, messageOfNow, send } from 'product-reviews-test-support/signing';
import { expect, test, vi } from 'vitest';
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
