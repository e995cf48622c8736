import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { createFolder } from 'product-reviews-test-support/folder';
import { freePort } from 'product-reviews-test-support/listen';
import { runNode } from 'product-reviews-test-support/node-program';
import { SECRET } from 'product-reviews-test-support/signing';
import { expect, onTestFinished, test } from 'vitest';
import { providers } from '../../src/index.js';
import { createProject, UPDATE_LINE } from '../support/build/project.js';
import { startReceiver } from '../support/build/receiver.js';
import { startPostgres } from '../support/service/postgres-server.js';
import { NPM, sendTo, startServer } from '../support/service/real-server.js';

const FILES = fileURLToPath(new URL('./medusa', import.meta.url));
const ADMIN = { email: 'admin@example.org', password: 'invented-password' };

interface Seed {
	readonly key: string;
	readonly order: string;
	readonly items: readonly { readonly id: string; readonly product_id: string }[];
}

/** Installs a Medusa with its plugin for reviews, from npm, and starts it on PostgreSQL. */
async function startMedusa(webhook: string) {
	const folder = createFolder('medusa');
	for (const [from, to = from] of [
		['package.json'],
		['tsconfig.json'],
		['medusa-config.js'],
		['subscriber.js', 'src/subscribers/reviews.js'],
		['seed.js', 'src/scripts/seed.js'],
	] as const) {
		mkdirSync(join(folder, to, '..'), { recursive: true });
		cpSync(join(FILES, from), join(folder, to));
	}
	const env = {
		...{ ...cleanEnvironment(), NODE_ENV: 'development', MEDUSA_DISABLE_TELEMETRY: 'true' },
		...{ DATABASE_URL: await startPostgres(), SEED_FILE: join(folder, 'seed.json') },
		...{ REVIEWS_WEBHOOK_URL: webhook, REVIEWS_WEBHOOK_SECRET: SECRET },
	};
	const run = async (file: string, ...args: readonly string[]) => {
		const program = runNode([file, ...args], { cwd: folder, env });
		expect(await program.ended, program.output()).toBe(0);
	};
	await run(NPM, 'install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund');
	const medusa = 'node_modules/@medusajs/cli/cli.js';
	await run(medusa, 'db:migrate');
	await run(medusa, 'exec', './src/scripts/seed.js');
	await run(medusa, 'user', '-e', ADMIN.email, '-p', ADMIN.password);
	const port = await freePort();
	const start = [medusa, 'start', '-H', '127.0.0.1', '-p', `${port}`];
	const url = await startServer(start, { cwd: folder, env }, `http://127.0.0.1:${port}`, '/health');
	return { url, seed: JSON.parse(readFileSync(env.SEED_FILE, 'utf8')) as Seed };
}

test('a review of a real Medusa is written, approved, answered and hidden: each step is on the page', async () => {
	const port = await freePort();
	const { url, seed } = await startMedusa(`http://127.0.0.1:${port}/`);
	const [bought] = seed.items;
	if (!bought) throw new Error('Nothing was bought.');
	const pid = bought.product_id;
	const send = sendTo(url);
	const { token } = await send('/auth/user/emailpass', 'POST', {}, ADMIN);
	const admin = { authorization: `Bearer ${token}` };

	const pids = seed.items.map(({ product_id }) => product_id);
	const provider = providers.medusa({ url, publishableKey: seed.key });
	const project = createProject('updated-store', { pages: pids, options: { provider, products: pids } });
	onTestFinished(project.remove);
	const output = await project.build();
	expect(output).toContain('2 without reviews');
	const command = { line: UPDATE_LINE, environment: { ...process.env } };
	const receiver = await startReceiver(project, command, ['--debounce', '1s'], [], port);
	onTestFinished(receiver.close);
	const page = () => project.read(`products/${pid}/index.html`);

	const written = { rating: 4, content: 'Sturdy & <b>warm</b>.', images: [] };
	const review = { order_id: seed.order, order_line_item_id: bought.id, ...written };
	const key = { 'x-publishable-api-key': seed.key };
	const { product_reviews } = await send('/store/product-reviews', 'POST', key, { reviews: [review] });
	const path = `/admin/product-reviews/${product_reviews[0].id}`;
	await receiver.idle();
	expect(page()).not.toContain('Sturdy');

	const isShown = () => expect.poll(page, { timeout: 30_000, interval: 200 });
	await send(`${path}/status`, 'PUT', admin, { status: 'approved' });
	await isShown().toContain('Sturdy &amp; &lt;b&gt;warm&lt;/b&gt;.');
	expect(page()).toMatch(/"ratingValue":4,"reviewCount":1/);
	expect(page()).toContain('>Nadja C.<');

	await send(`${path}/response`, 'POST', admin, { content: 'Thank you, Nadja.' });
	await isShown().toContain('Thank you, Nadja.');

	await send(`${path}/status`, 'PUT', admin, { status: 'flagged' });
	await isShown().not.toContain('Sturdy');
	expect(page()).not.toContain('aggregateRating');
	for (const text of [output, receiver.output(), ...[...project.contents().values()].map(String)])
		expect(text).not.toMatch(/canary/i);
});
