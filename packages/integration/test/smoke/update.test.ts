import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { send } from 'product-reviews-test-support/signing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectSame, UPDATE_LINE } from '../support/build/project.js';
import { type BuildReceiver, startReceiver } from '../support/build/receiver.js';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const PIDS = productIds(6);
const { project: site, service } = await startShop('updated-store', PIDS, { environment: TOKEN });
let receiver: BuildReceiver;

beforeAll(async () => {
	await site.build();
	const command = { line: UPDATE_LINE, environment: { ...cleanEnvironment(), ...TOKEN } };
	receiver = await startReceiver(site, command, ['--immediate']);
});

afterAll(() => receiver?.close());

const fileOf = (pid: string) => `products/${pid}/index.html`;
const review = (pid: string, body: string) => publish(service, pid, body);
const untilOnPage = (pid: string, text: string) =>
	vi.waitUntil(() => site.read(fileOf(pid)).includes(text), { timeout: 60_000, interval: 20 });

test('an event brings a review onto its pages without a build, and all that come meanwhile with few more', async () => {
	review('p-3', 'Just published.');
	expect(await send(receiver.url, signedEvent('p-3'))).toBe(202);
	await untilOnPage('p-3', 'Just published.');
	const rebuilds = await receiver.idle();

	for (const pid of PIDS) review(pid, `One more of ${pid}.`);
	await Promise.all(PIDS.map((pid) => send(receiver.url, signedEvent(pid))));
	for (const pid of PIDS) await untilOnPage(pid, `One more of ${pid}.`);
	expect((await receiver.idle()) - rebuilds).toBeLessThanOrEqual(3);
	expect(receiver.output()).not.toContain('astro build');
});

test('an update of nothing says that nothing is named, and how to name something', async () => {
	const { status, printed } = await site.update([]);
	expect(status).toBe(0);
	expect(printed).toMatch(/^0 files changed in /);
	expect(printed).toContain(
		'No product is named, and none is marked as changed. Name products, as in "update p-1", or use --all.',
	);
	expect((await site.update(['p-3'])).printed).not.toContain('No product is named');
});

test('the site is then byte for byte as if it were built anew', async () => {
	expectSame(site.contents(), await site.buildAnew());
});
