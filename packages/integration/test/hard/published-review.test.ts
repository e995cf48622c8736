import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { edit } from '../support/build/edit.js';
import { type BuildProject, createProject } from '../support/build/project.js';
import { type BuildReceiver, startReceiver } from '../support/build/receiver.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(36);
/** Time without another event before a rebuild, in milliseconds. */
const QUIET = 1_000;
/** From the edit to the page, in milliseconds: a few seconds, unless the machine is busy. */
const LONGEST_WAY = 60_000;
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/**
 * A service, a shop built from it, and a receiver that rebuilds the shop. The service does not know of it yet.
 *
 * @param settings.after what a rebuild does after the build, as a command of the shell.
 */
async function createSetup({
	environment = {},
	after,
}: {
	readonly environment?: Record<string, string>;
	readonly after?: string;
} = {}) {
	const service = await startService(PIDS);
	cleanups.push(service.close);
	const project = createProject('store');
	cleanups.push(project.remove);
	const run = { service: service.url, options: { products: PIDS }, pages: PIDS, environment };
	const { status, output } = await project.build(run);
	expect(status, output).toBe(0);
	const when = ['--quiet', `${QUIET}ms`];
	const build = project.buildCommand(run);
	const command = after === undefined ? build : { ...build, line: `${build.line} && ${after}` };
	const receiver = await startReceiver(project, command, { secret: SECRET, when });
	cleanups.push(receiver.close);
	service.requests.reset();
	return { service, project, receiver };
}

const review = (body: string, status = 'published') => ({
	rating: 1,
	author: 'New',
	title: 'New',
	body,
	status,
});
const pageOf = (pid: string) => `products/${pid.replace('p-', 'n')}/index.html`;

/** A build takes the old pages away before it writes the new ones. */
const isOnPage = (project: BuildProject, pid: string, text: string) => () => {
	try {
		return project.read(pageOf(pid)).includes(text);
	} catch {
		return false;
	}
};

const untilOnPage = (...page: Parameters<typeof isOnPage>) =>
	vi.waitUntil(isOnPage(...page), { timeout: LONGEST_WAY, interval: 20 });

const contents = (project: BuildProject) =>
	new Map(project.files().map((path) => [path, project.read(path)]));

const asked = (service: Sandbox) => service.requests.all.map(({ operation, pids }) => ({ operation, pids }));

function expectNoSecret(service: Sandbox, receiver: BuildReceiver) {
	for (const secret of [SECRET, SECRET.slice('whsec_'.length), service.token]) {
		expect(receiver.output()).not.toContain(secret);
	}
}

describe.each([
	{ token: 'without a token', environment: {}, ratings: [] },
	{
		token: 'with a token',
		environment: { REVIEWS_TOKEN: 'sandbox-token' },
		ratings: [{ operation: 'starRating', pids: expect.arrayContaining(PIDS) }],
	},
])('$token', ({ environment, ratings }) => {
	test('a review that is published is on its page by itself, for one request for reviews', async () => {
		const { service, project, receiver } = await createSetup({ environment });
		const id = await edit(service, 'POST', 'products/p-30/reviews', review('Just published.', 'unpublished'));
		service.webhooks.add({ url: receiver.url, secret: SECRET });
		const before = contents(project);

		const startedAt = performance.now();
		await edit(service, 'POST', `reviews/${id}/publish`);
		await untilOnPage(project, 'p-30', 'Just published.');
		const time = performance.now() - startedAt;
		const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
		console.log(`From the edit to the page: ${seconds(time)}, of which ${seconds(QUIET)} quiet time`);

		expect(await receiver.idle()).toBe(1);
		expect(time).toBeLessThan(LONGEST_WAY);
		expect(asked(service)).toEqual([...ratings, { operation: 'crawlerReviews', pids: ['p-30'] }]);
		const after = contents(project);
		expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
		expect([...after].filter(([path, text]) => text !== before.get(path)).map(([path]) => path)).toEqual([
			pageOf('p-30'),
		]);
		expectNoSecret(service, receiver);
	});
});

test('an edit while the site is rebuilt causes exactly one more rebuild, which brings it onto the page', async () => {
	const { service, project, receiver } = await createSetup({
		after: 'until [ -e released ]; do sleep 0.1; done',
	});
	service.webhooks.add({ url: receiver.url, secret: SECRET });
	const id = await edit(service, 'POST', 'products/p-30/reviews', review('First text.'));
	await untilOnPage(project, 'p-30', 'First text.');

	await edit(service, 'PATCH', `reviews/${id}`, { body: 'Second text.' });
	await service.webhooks.settled();
	writeFileSync(join(project.root, 'released'), '');
	await untilOnPage(project, 'p-30', 'Second text.');

	expect(await receiver.idle()).toBe(2);
	expect(asked(service)).toEqual(Array(2).fill({ operation: 'crawlerReviews', pids: ['p-30'] }));
	expectNoSecret(service, receiver);
});

test('events that come several times and in disorder are two rebuilds at the most', async () => {
	const { service, project, receiver } = await createSetup();
	service.webhooks.add({ url: receiver.url, secret: SECRET, duplicates: 2, disorder: { ms: 500 } });
	const edited = PIDS.slice(0, 6);
	for (const pid of edited) {
		const id = await edit(service, 'POST', `products/${pid}/reviews`, review('First text.'));
		await edit(service, 'PATCH', `reviews/${id}`, { body: `Last text of ${pid}.` });
	}
	await service.webhooks.settled();
	expect(service.webhooks.deliveries.filter(({ status }) => status === 202)).toHaveLength(36);

	const rebuilds = await receiver.idle();
	expect([1, 2]).toContain(rebuilds);
	for (const pid of edited) expect(isOnPage(project, pid, `Last text of ${pid}.`)(), pid).toBe(true);
	expect(service.requests.count()).toBeLessThanOrEqual(edited.length * rebuilds);
	expectNoSecret(service, receiver);
});
