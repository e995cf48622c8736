import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { createFolder } from 'product-reviews-test-support/folder';
import { freePort } from 'product-reviews-test-support/listen';
import { runNode } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import { createProject, UPDATE_LINE } from '../support/build/project.js';
import { startReceiver } from '../support/build/receiver.js';
import { NODE, NPM, sendTo, startServer } from '../support/service/real-server.js';

const FILES = fileURLToPath(new URL('./strapi', import.meta.url));
const PROVIDER = fileURLToPath(
	new URL('../../../../examples/providers/services/strapi.mjs', import.meta.url),
);
const ADMIN = { email: 'admin@example.org', password: 'Invented-Password-1' };
const KEY = 'not-a-secret-but-long-enough';
const PIDS = ['kettle', 'lamp'];

/** Installs a Strapi with a collection type for reviews, from npm, and starts it on SQLite. */
async function startStrapi() {
	const folder = createFolder('strapi');
	cpSync(FILES, folder, { recursive: true });
	for (const path of ['public/uploads', '.tmp', 'database'])
		mkdirSync(join(folder, path), { recursive: true });
	const port = await freePort();
	// With "production", it refuses to send webhooks to this machine.
	const settings = { NODE_ENV: 'development', STRAPI_TELEMETRY_DISABLED: 'true', PORT: `${port}` };
	const env = { ...cleanEnvironment(), PATH: `${dirname(NODE)}:${process.env['PATH']}`, ...settings };
	const run = async (cwd: string, ...args: readonly string[]) => {
		const program = runNode(args, { node: NODE, cwd, env });
		expect(await program.ended, program.output()).toBe(0);
	};
	await run(folder, NPM, 'install', '--ignore-scripts', '--no-audit', '--no-fund');
	const compiler = join(dirname(NPM), '../node_modules/node-gyp/bin/node-gyp.js');
	await run(join(folder, 'node_modules/better-sqlite3'), compiler, 'rebuild', '--release');
	const start = ['node_modules/@strapi/strapi/bin/strapi.js', 'start'];
	return startServer(start, { node: NODE, cwd: folder, env }, `http://127.0.0.1:${port}`, '/_health');
}

test('a review of a real Strapi is written, published, edited, hidden and deleted: each step is on the page', async () => {
	const url = await startStrapi();
	const send = sendTo(url);
	const names = { firstname: 'Ada', lastname: 'Example' };
	const { data } = await send('/admin/register-admin', 'POST', {}, { ...ADMIN, ...names });
	const admin = { authorization: `Bearer ${data.token}` };
	const token = await send('/admin/api-tokens', 'POST', admin, {
		...{ name: 'store', description: '', type: 'read-only', lifespan: null, permissions: null },
	});

	const environment = { STRAPI_URL: url, STRAPI_TOKEN: token.data.accessKey as string };
	const project = createProject('updated-store', {
		...{ pages: PIDS, environment },
		options: { provider: './reviews-provider.mjs', products: PIDS },
	});
	onTestFinished(project.remove);
	cpSync(PROVIDER, join(project.root, 'reviews-provider.mjs'));
	expect(await project.build()).toContain('2 without reviews');
	const command = {
		line: UPDATE_LINE,
		environment: { ...process.env, ...environment, REVIEWS_WEBHOOK_KEY: KEY },
	};
	const how = ['--key-header', 'x-reviews-key', '--ids', 'entry.pid', '--debounce', '1s'];
	const receiver = await startReceiver(project, command, how);
	onTestFinished(receiver.close);
	await send('/admin/webhooks', 'POST', admin, {
		...{ name: 'reviews', url: receiver.url, headers: { 'x-reviews-key': KEY } },
		events: ['entry.publish', 'entry.unpublish', 'entry.delete'],
	});

	const page = () => project.read('products/kettle/index.html');
	const isShown = () => expect.poll(page, { timeout: 30_000, interval: 200 });
	const type = '/content-manager/collection-types/api::review.review';
	const review = { pid: 'kettle', author: 'Gil', rating: 4, date: '2026-03-03T09:00:00.000Z' };
	const body = { ...review, title: 'Solid', body: 'Boils & <b>hums</b>.', email: 'canary@example.org' };
	const written = await send(type, 'POST', admin, body);
	const entry = `${type}/${written.data.documentId}`;
	await receiver.idle();
	expect(page()).not.toContain('Boils');

	await send(`${entry}/actions/publish`, 'POST', admin, {});
	await isShown().toContain('Boils &amp; &lt;b&gt;hums&lt;/b&gt;.');
	expect(page()).toMatch(/"ratingValue":4,"reviewCount":1/);

	await send(entry, 'PUT', admin, { ...body, rating: 2, body: 'Edited since.' });
	await send(`${entry}/actions/publish`, 'POST', admin, {});
	await isShown().toContain('Edited since.');
	expect(page()).toMatch(/"ratingValue":2,"reviewCount":1/);

	await send(`${entry}/actions/unpublish`, 'POST', admin, {});
	await isShown().not.toContain('Edited since.');

	await send(`${entry}/actions/publish`, 'POST', admin, {});
	await isShown().toContain('Edited since.');
	await send(entry, 'DELETE', admin);
	await isShown().not.toContain('Edited since.');
	expect(page()).not.toContain('aggregateRating');
	for (const text of [receiver.output(), ...[...project.contents().values()].map(String)])
		expect(text).not.toMatch(/canary/i);
});
