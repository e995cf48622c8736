import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { SECRET, send } from 'product-reviews-test-support/signing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { PUBLISH_LINE } from '../support/build/publish.js';
import { type BuildReceiver, startReceiver } from '../support/build/receiver.js';
import { productIds, startService } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const PIDS = productIds(6);
/** From the edit to the page, in milliseconds: a second, unless the machine is busy. */
const LONGEST_WAY = 15_000;
let service: Awaited<ReturnType<typeof startService>>;
let project: BuildProject;
let receiver: BuildReceiver;

beforeAll(async () => {
	service = await startService(PIDS);
	project = createProject('store');
	const options = { products: PIDS, publish: true };
	const { status, output } = await project.build({ service: service.url, options, pages: PIDS });
	expect(status, output).toBe(0);
	const command = { line: PUBLISH_LINE, environment: cleanEnvironment() };
	receiver = await startReceiver(project, command, { secret: SECRET, when: ['--at-once'] });
});

afterAll(async () => {
	await receiver.close();
	project.remove();
	await service.close();
});

const fileOf = (pid: string) => `products/${pid.replace('p-', 'n')}/index.html`;
const untilOnPage = (pid: string, text: string) =>
	vi.waitUntil(() => project.read(fileOf(pid)).includes(text), { timeout: LONGEST_WAY, interval: 10 });
const review = (body: string) => ({
	rating: 1,
	author: 'New',
	title: 'New',
	body,
	status: 'published' as const,
});

describe('a receiver that publishes at once', () => {
	test('brings a review onto its page, without a build', async () => {
		const before = project.files();
		const startedAt = performance.now();
		service.store.createReview('p-3', review('Just published.'));
		await send(receiver.url, signedEvent('p-3'));
		await untilOnPage('p-3', 'Just published.');
		console.log(`From the edit to the page: ${(performance.now() - startedAt).toFixed(0)} ms`);
		await receiver.idle();
		expect(project.files().toSorted()).toEqual(before.toSorted());
		expect(receiver.output()).not.toContain('astro build');
	});

	test('brings all that comes meanwhile onto the pages', async () => {
		const rebuilds = await receiver.idle();
		for (const pid of PIDS) service.store.createReview(pid, review(`One more of ${pid}.`));
		await Promise.all(PIDS.map((pid) => send(receiver.url, signedEvent(pid))));
		for (const pid of PIDS) await untilOnPage(pid, `One more of ${pid}.`);
		expect((await receiver.idle()) - rebuilds).toBeLessThanOrEqual(3);
	});

	test('leaves a page that another tool changed to a rebuild, and does not try again', async () => {
		const rebuilds = await receiver.idle();
		const file = join(project.root, 'dist', fileOf('p-1'));
		const before = project.read(fileOf('p-1'));
		writeFileSync(file, `${before}<!-- by another tool -->`);
		service.store.createReview('p-1', review('For a rebuild.'));
		await send(receiver.url, signedEvent('p-1'));
		await vi.waitUntil(() => receiver.output().includes('The command ended with 3'), {
			timeout: LONGEST_WAY,
		});
		expect((await receiver.idle()) - rebuilds).toBe(1);
		expect(receiver.output()).toContain('its file was changed after the build');
	});
});
