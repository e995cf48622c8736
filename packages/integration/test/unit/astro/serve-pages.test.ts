import { expect, onTestFinished, test } from 'vitest';
import { serveSource } from '../../../src/astro/serve-source.js';
import { ProductReviewsError } from '../../../src/errors.js';
import { createRuntime, type Runtime } from '../../../src/pages/index.js';
import type { ReviewSource } from '../../../src/pages/page-source.js';
import { messageOf } from '../../support/unit/error.js';

/** A build that pages of other runtimes ask. @returns its address and its key */
async function start() {
	const source: Partial<ReviewSource> = {
		getStarRating: async () => ({ average: 4.5, count: 2 }),
		forget: () => expect.unreachable(),
		async getProductReviews(pid) {
			throw new ProductReviewsError('PR_REVIEWS_UNAVAILABLE', `Nothing of ${pid}.`, 'Build again.');
		},
	};
	const server = serveSource('served', source as ReviewSource);
	onTestFinished(() => server.close());
	const address = (await server.address()) ?? '';
	const [, url = '', key = ''] = /^(http:\/\/127\.0\.0\.1:\d+\/)#([\w-]{32})$/.exec(address) ?? [];
	return { server, address, url, key };
}

const SETTINGS = { version: '0', account: 'elsewhere', display: 'visible', labels: {} } as const;

test('it is bound to this machine, and answers nobody without its key, and nothing that pages do not ask', async () => {
	const { server, address, url, key: ownKey } = await start();
	expect(await server.address()).toBe(address);
	const ask = async (method: unknown, key = ownKey, verb = 'POST') => {
		const body = verb === 'POST' ? { body: JSON.stringify({ method, args: ['p-1'] }) } : {};
		return (await fetch(url, { method: verb, headers: { authorization: `Bearer ${key}` }, ...body })).status;
	};
	expect(await ask('getStarRating')).toBe(200);
	for (const key of ['another', '', `${ownKey}x`]) expect(await ask('getStarRating', key)).toBe(403);
	expect(await ask('getStarRating', ownKey, 'GET')).toBe(403);
	for (const method of ['forget', 'constructor', '__proto__', 7]) expect(await ask(method)).toBe(500);
	// What ends a build ends a page of another runtime, with its words.
	const runtime = createRuntime(SETTINGS, { build: address });
	expect(await messageOf(() => runtime.getProductReviews('p-1'))).toBe(
		'ProductReviewsError: Nothing of p-1.\nBuild again.\n',
	);
});

const MARK = '<!--product-reviews: not reached-->';
const component = (name: string) => (runtime: Runtime) => runtime.fragmentHtml(name, { pid: 'p' }, {});
const section = (runtime: Runtime) => runtime.reviewSectionParts({ pid: 'p' }, {}, ['after']);

test.each<[string, (runtime: Runtime) => unknown, unknown]>([
	['<StarRating>', component('StarRating'), MARK],
	['<ReviewList>', component('ReviewList'), MARK],
	['<ReviewSection> with slots', async (runtime) => (await section(runtime)).html, MARK],
	['getProductReviews()', (runtime) => runtime.getProductReviews('p'), undefined],
	['a live entry', async (runtime) => (await runtime.reviewEntry('p')).data, undefined],
	['a cache key', (runtime) => runtime.reviewsCacheKey(['p'], 'price:10'), 'price:10 reviews:none'],
])('without the build, %s is an error that helps, or left out', async (_name, call, missing) => {
	const { server, address } = await start();
	server.close();
	// Another program, and one with another key, are no build.
	const { url } = await start();
	for (const build of [address, '__PRODUCT_REVIEWS_BUILD_ADDRESS__', `${url}#another`]) {
		const message = await messageOf(() => call(createRuntime(SETTINGS, { build })));
		expect(message).toContain('NoReviewSourceError: This page is rendered outside of the build');
		expect(message).toContain('`prerenderEnvironment` to "node"');
		const runtime = createRuntime({ ...SETTINGS, mayOmit: true }, { build });
		expect(await call(runtime)).toBe(missing);
		// Other errors stay errors.
		await expect(runtime.getStarRating('')).rejects.toThrow('needs a product ID');
	}
});
