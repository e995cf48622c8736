import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('the site is then byte for byte as if it were built anew', async () => {
	expectSame(site.contents(), await site.buildAnew());
});

test('a page that another tool changed elsewhere is updated, and keeps that change', async () => {
	const file = join(site.root, 'dist', fileOf('p-1'));
	writeFileSync(file, `${site.read(fileOf('p-1'))}<!-- by another tool -->`);
	review('p-1', 'On a changed page.');
	await send(receiver.url, signedEvent('p-1'));
	await untilOnPage('p-1', 'On a changed page.');
	await receiver.idle();
	const kept = '<!-- by another tool -->';
	expect(site.read(fileOf('p-1')).endsWith(kept)).toBe(true);
	writeFileSync(file, site.read(fileOf('p-1')).replace(kept, ''));
	expectSame(site.contents(), await site.buildAnew());
});

test('a page whose components another tool changed is left to a rebuild, and not tried again', async () => {
	const rebuilds = await receiver.idle();
	const changed = site.read(fileOf('p-1')).replaceAll(/data-pr="([^"]*)"/g, "data-pr='$1'");
	writeFileSync(join(site.root, 'dist', fileOf('p-1')), changed);
	review('p-1', 'For a rebuild.');
	await send(receiver.url, signedEvent('p-1'));
	await expect.poll(receiver.output).toContain('The command ended with 3');
	expect((await receiver.idle()) - rebuilds).toBe(1);
	expect(receiver.output()).toContain('the html of its components was changed after they wrote it');
	expect(site.read(fileOf('p-1'))).toBe(changed);
});
