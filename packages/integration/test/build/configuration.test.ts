import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { listenInTest } from 'product-reviews-test-support/listen';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, productIds, publish, startService } from '../support/build/service.js';
import { runBuilt } from '../support/cli/command.js';

const PIDS = productIds(2);
const service = await startService(PIDS);
const unset = createProject('store', { pages: ['p-1'], options: { products: ['p-1'] } });

afterAll(async () => {
	unset.remove();
	await service.close();
});

// What it says of others that are missing or wrong is compared by the tests of options.
test('no address of the service: the build fails and says what to set', async () => {
	const { status, output } = await unset.tryBuild();
	expect(status, output).toBe(1);
	expect(output).toContain('REVIEWS_BASE_URL');
});

test('astro sync needs no environment, whatever NODE_ENV is', async () => {
	const { ended, output } = unset.start(['sync'], { environment: { NODE_ENV: 'development' } });
	expect(await ended, output()).toBe(0);
});

test('astro dev does not start with an address that is set and invalid', async () => {
	const { ended, output } = unset.start(['dev', '--port', '0'], { service: 'https://reviews.example?api' });
	expect(await ended, output()).toBe(1);
	expect(output()).toContain('REVIEWS_BASE_URL');
	expect(output()).toContain('query');
});

test('without an address of the service and a website ID, pages have no reviews, and one line says what to set; with them in .env, what "astro-product-reviews cache invalidate" marks is asked for again on the next visit, and nothing else', async () => {
	const bare = createProject('store', { pages: PIDS });
	onTestFinished(bare.remove);
	const dev = await bare.dev();
	onTestFinished(dev.stop);
	const visit = async (index: number) => (await fetch(`${dev.url}/products/n${index}`)).text();
	const page = await visit(1);
	expect(page).toContain('After the reviews.');
	expect(page).not.toContain('class="pr-product-reviews');
	const lines = dev.output().split('\n');
	expect(lines.filter((line) => line.includes('REVIEWS_BASE_URL'))).toEqual([
		expect.stringContaining(
			`Pages have no reviews, and builds fail. Not set: the address of the review service and the website ID of the store. Set REVIEWS_BASE_URL and REVIEWS_WSID in the environment or in the file .env in the folder "${basename(bare.root)}", or "baseUrl" and "wsid" in productReviews(). [PR_NOT_CONFIGURED]`,
		),
	]);

	writeFileSync(join(bare.root, '.env'), `REVIEWS_BASE_URL=${service.url}\nREVIEWS_WSID=${service.wsid}\n`);
	// Vite restarts the server, which closes connections.
	await expect.poll(() => visit(1), { interval: 500 }).toContain(markOf(0));
	const shows = async (index: number, text: string) => expect(await visit(index)).toContain(text);
	const cache = async (...args: string[]) => (await runBuilt(['cache', ...args], { cwd: bare.root })).output;
	// The second visits find what the first ones stored, and no mark.
	for (const index of [2, 1, 2]) await shows(index, markOf(index - 1));
	expect(service.requests.count()).toBe(2);
	const body = 'Written after the first visit.';
	for (const pid of PIDS) publish(service, pid, body);
	// Rows are written a second after they came.
	await expect.poll(() => cache('ls'), { interval: 500 }).toContain('2 products');
	expect(await cache('invalidate', 'p-1')).toContain('Marked 1 product');

	await shows(1, body);
	await shows(2, markOf(1));
	expect(service.requests.count()).toBe(3);
	await shows(1, body);
	expect(service.requests.count()).toBe(3);

	expect(await cache('invalidate', '--all')).toContain('Marked 2 products');
	await shows(2, body);
	expect(service.requests.count()).toBe(4);
});

test('a build asks for reviews through the proxy that Node is told of, from its thread as well', async () => {
	const asked: string[] = [];
	const proxy = createServer().on('connect', (request, socket) => {
		asked.push(String(request.url));
		socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
	});
	const { url } = await listenInTest(proxy);
	const project = createProject('store', { pages: ['p-1'], options: { products: ['p-1'], retries: 0 } });
	onTestFinished(project.remove);
	const environment = {
		...{ REVIEWS_BASE_URL: 'https://reviews.example', REVIEWS_WSID: 'W-1001' },
		...{ HTTPS_PROXY: url, NODE_USE_ENV_PROXY: '1' },
	};
	const build = project.start(['build'], { environment });
	expect(await build.ended).toBe(1);
	expect(build.output()).toContain('PR_REVIEWS_UNAVAILABLE');
	expect(asked).toEqual(['reviews.example:443']);
});
