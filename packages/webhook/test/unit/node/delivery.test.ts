import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { freePort } from 'product-reviews-test-support/listen';
import { eventOf, type Message, messageOfNow, send } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../../src/node/index.js';
import { type Cli, runCli } from '../../support/cli.js';
import { receiving } from '../../support/receiving.js';

/** Events of so many products, in disorder. */
function eventsOf(count: number, products: number): Message[] {
	const messages = Array.from({ length: count }, (_, index) =>
		messageOfNow({ body: eventOf(`p-${(index * 73) % products}`) }),
	);
	return messages.toSorted((one, other) =>
		(one.headers['webhook-signature'] ?? '').localeCompare(other.headers['webhook-signature'] ?? ''),
	);
}

test('1,000 events for 200 products, some of them twice, are two rebuilds at the most', async () => {
	const log = openSqliteLog(join(createFolder(), 'changes.db'));
	const { url, rebuilds, collector } = await receiving({ log, quiet: 1_000, atMost: 10_000 });
	const events = eventsOf(1_000, 200);
	const queue = events.flatMap((event, index) => (index % 5 === 0 ? [event, event] : [event]));
	const statuses = new Set<number>();
	await Promise.all(
		Array.from({ length: 8 }, async () => {
			for (let event = queue.shift(); event; event = queue.shift()) statuses.add(await send(url, event));
		}),
	);
	expect([...statuses]).toEqual([202]);
	await expect.poll(async () => (await collector.status()).waiting.products).toBe(0);
	expect(rebuilds.length).toBeGreaterThan(0);
	expect(rebuilds.length).toBeLessThanOrEqual(2);
	expect(new Set(rebuilds.flatMap((rebuild) => rebuild.pids)).size).toBe(200);
	expect((await collector.status()).counts.changes).toBe(1_000);
});

test('a receiver that is killed five times loses nothing that it accepted', async () => {
	const folder = createFolder();
	const port = await freePort();
	const args = ['--run', 'echo "$REVIEWS_CHANGED" >> out', '--port', String(port)];
	const start = () => runCli([...args, '--quiet', '40ms', '--at-most', '300ms'], undefined, folder);
	const accepted = new Set<string>();
	const address = `http://127.0.0.1:${port}/`;
	let receiver: Cli = start();
	await receiver.url();

	const queue = eventsOf(600, 600);
	// One event a product: nothing makes up for one that is lost.
	const total = queue.length;
	let refused = 0;
	const sending = Promise.all(
		Array.from({ length: 4 }, async () => {
			for (let event = queue.shift(); event; event = queue.shift()) {
				// As a sender does: the same event again until it was taken.
				for (let status = 0; status !== 202; ) {
					status = await send(address, event).catch(() => 0);
					if (status !== 202) {
						refused += 1;
						await new Promise((resolve) => setTimeout(resolve, 20));
					}
				}
				accepted.add(JSON.parse(new TextDecoder().decode(event.body)).data.pid);
				await new Promise((resolve) => setTimeout(resolve, 5));
			}
		}),
	);
	for (let kill = 1; kill <= 5; kill += 1) {
		// Spread over the stream, and at a moment that is another each time.
		await expect.poll(() => queue.length, { interval: 5 }).toBeLessThan(total - (total * kill) / 6);
		await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
		receiver.child.kill('SIGKILL');
		expect(await receiver.ended).toBe('SIGKILL');
		receiver = start();
		await receiver.url();
	}
	await sending;
	expect(accepted.size).toBe(600);
	expect(refused).toBeGreaterThan(0);
	const file = join(folder, 'out');
	const rebuilt = () => {
		const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
		return new Set(lines.flatMap((line) => JSON.parse(line).pids as string[]));
	};
	await expect.poll(() => [...accepted].filter((pid) => !rebuilt().has(pid))).toEqual([]);
	const status = async () => (await fetch(new URL('/status', address))).json();
	await expect.poll(status).toMatchObject({ waiting: { products: 0 }, isRebuilding: false });
	receiver.child.kill('SIGTERM');
	expect(await receiver.ended).toBe(0);
});
