import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import { productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(3);

const CONFIG = `
import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';

const failIf = (name) => {
	if (process.env.BREAKS === name) throw new Error(\`The \${name} is broken.\`);
};
const products = async () => (failIf('product list'), ${JSON.stringify(PIDS)});

export default defineConfig({
	cacheDir: '.cache',
	logLevel: 'info',
	integrations: [
		productReviews({
			products,
			...(process.env.BREAKS === 'service' && { baseUrl: 'http://127.0.0.1:1', retries: 0 }),
			...(process.env.BREAKS === 'storage' && { storage: { driver: './no-such-driver.mjs' } }),
		}),
		{
			name: 'another',
			hooks: {
				'astro:build:setup': () => failIf('setup hook'),
				'astro:build:generated': () => failIf('generated hook'),
				'astro:build:done': () => failIf('done hook'),
			},
		},
	],
});
`;

const PAGE = `---
if (process.env.BREAKS === 'page') throw new Error('The page is broken.');
---
<p>Whole</p>
`;

/** A way to break a build: what it says then, and whether our own hooks have released what they hold by its end. */
const BREAKS: Readonly<Record<string, readonly [says: string, isReleased: boolean]>> = {
	page: ['The page is broken.', false],
	'setup hook': ['The setup hook is broken.', false],
	'generated hook': ['The generated hook is broken.', false],
	'done hook': ['The done hook is broken.', true],
	'product list': ['The product list is broken.', false],
	service: ['The service failed for 3 products', true],
	storage: ['no-such-driver.mjs', true],
};

/** Builds twice for each of these in one process, of which the first one fails, and says what each left behind. */
const PROGRAM = `
import { Server } from 'node:net';
import { build } from 'astro';

const servers = new Set();
const { listen } = Server.prototype;
Server.prototype.listen = function (...given) {
	servers.add(this);
	return listen.apply(this, given);
};
const timers = new Set();
const { setInterval: start, clearInterval: stop } = globalThis;
globalThis.setInterval = (run, milliseconds, ...given) => {
	const timer = start(run, milliseconds, ...given);
	// How often builds write the cache.
	if (milliseconds === 1_000) timers.add(timer);
	return timer;
};
globalThis.clearInterval = (timer) => (timers.delete(timer), stop(timer));
const left = () => ({
	servers: [...servers].filter(({ listening }) => listening).length,
	timers: timers.size,
	listeners: process.listeners('exit').filter((listener) => String(listener).includes('cache.close')).length,
});
const tryToBuild = () => build({ root: process.cwd(), logLevel: 'info' }).then(() => 'built', (error) => error.message);

const results = {};
for (const name of ${JSON.stringify(Object.keys(BREAKS))}) {
	process.env.BREAKS = name;
	const failed = await tryToBuild();
	const leftByFailed = left();
	delete process.env.BREAKS;
	results[name] = { failed, leftByFailed, second: await tryToBuild(), left: left() };
}
console.log(JSON.stringify(results));
`;

const NOTHING = { servers: 0, timers: 0, listeners: 0 };

test('after a build that fails, whatever broke it, the next one in the process starts at once', async () => {
	const { project, service } = await startShop('store', PIDS, { atEnd: onTestFinished });
	writeFileSync(join(project.root, 'astro.config.mjs'), CONFIG);
	writeFileSync(join(project.root, 'src/pages/broken.astro'), PAGE);
	writeFileSync(join(project.root, 'builds.mjs'), PROGRAM);
	const { ended, output } = runNodeInTest(['builds.mjs'], {
		cwd: project.root,
		env: {
			...cleanEnvironment(),
			...{ REVIEWS_BASE_URL: service.url, REVIEWS_WSID: 'W-1001', FIXTURE_PAGES: JSON.stringify(PIDS) },
		},
	});
	expect(await ended, output()).toBe(0);
	expect(output()).not.toContain('Waiting for another build');
	const results = JSON.parse(output().trim().split('\n').at(-1) ?? '');
	for (const [name, [says, isReleased]] of Object.entries(BREAKS)) {
		const { leftByFailed, ...result } = results[name];
		expect(result, name).toEqual({ failed: expect.stringContaining(says), second: 'built', left: NOTHING });
		if (isReleased) expect(leftByFailed, name).toEqual(NOTHING);
	}
	expect(project.read('products/n1/index.html')).toContain('Mark 0 of this product.');
});
