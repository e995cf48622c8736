import { afterEach, describe, expect, test, vi } from 'vitest';
import { type SourceServer, serveSource } from '../../../src/build/serve-source.js';
import { ReviewsUnavailableError } from '../../../src/errors.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { Placement } from '../../../src/render/placement.js';
import { createRuntime, type Runtime } from '../../../src/runtime/index.js';
import { NO_SOURCE_MARK } from '../../../src/runtime/no-source.js';
import type { ReviewSource } from '../../../src/runtime/sources.js';
import { messageOf } from '../../support/unit/error.js';
import { record } from '../../support/unit/record.js';

const servers: SourceServer[] = [];

afterEach(() => {
	for (const server of servers.splice(0)) server.close();
	vi.restoreAllMocks();
});

async function createSetup(source: Partial<ReviewSource> = {}) {
	const placed: Placement[] = [];
	const pages: unknown[] = [];
	const server = serveSource(
		{
			getProductReviews: async (pid) => record({ pid }),
			getStarRating: async () => ({ average: 4.5, count: 2 }),
			getReviewData: async () => undefined,
			digestOf: async (pids) => pids.join('+'),
			place(placement) {
				placed.push(placement);
			},
			...source,
		},
		(page, run) => {
			pages.push(page);
			return run();
		},
	);
	servers.push(server);
	const address = (await server.address()) ?? '';
	return { server, placed, pages, address, runtime: runtimeAt(address) };
}

/** What a page has that is rendered in another runtime: no source in its own process. */
function runtimeAt(build: string, mayOmit?: boolean): Runtime {
	const { labels } = parseOptions({});
	return createRuntime(
		{ version: '0', account: 'elsewhere', display: 'visible', labels, mayOmit },
		{ build },
	);
}

const PAGE = { url: new URL('https://shop.example/products/m%C3%BCtze/?x=1') };

test('a page of another runtime has what one of this process has, and says which it is', async () => {
	const { runtime, placed, pages } = await createSetup();
	expect(await runtime.getProductReviews('p-1')).toEqual(record({ pid: 'p-1' }));
	expect(await runtime.getReviewData('p-1')).toBeUndefined();
	expect(await runtime.reviewsCacheKey(['a', 'b'], 'own')).toBe('own reviews:a+b');
	expect(await runtime.starRatingHtml({ pid: 'p-1' }, PAGE)).toContain('2 reviews');
	expect(await runtime.productReviewsHtml({ pid: 'p-1' }, PAGE)).toContain('Boils fast.');
	expect(placed.map(({ component }) => component)).toEqual([
		'own-markup',
		'own-markup',
		'StarRating',
		'ProductReviews',
	]);
	expect(pages.slice(-2)).toEqual(['/products/m%C3%BCtze/', '/products/m%C3%BCtze/']);
	expect(pages[0]).toBeUndefined();
});

test('what ends a build ends the page, with its words', async () => {
	const failing = async () => {
		throw new ReviewsUnavailableError(['p-1'], 'Nothing of p-1.', 'Build again.');
	};
	const { runtime } = await createSetup({ getProductReviews: failing });
	expect(await messageOf(() => runtime.getProductReviews('p-1'))).toBe(
		'ReviewsUnavailableError: Nothing of p-1.\nBuild again.\n',
	);
});

describe('the server', () => {
	const post = (address: string, body: unknown, key = address.split('#')[1], method = 'POST') =>
		fetch(address.split('#')[0] ?? '', {
			method,
			headers: { authorization: `Bearer ${key}` },
			...(method === 'POST' && { body: JSON.stringify(body) }),
		});

	test('is bound to this machine, and starts once', async () => {
		const { server, address } = await createSetup();
		expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{32}$/);
		expect(await server.address()).toBe(address);
	});

	test('answers nobody without its key', async () => {
		const { address } = await createSetup();
		const call = { method: 'getStarRating', args: ['p-1'] };
		expect((await post(address, call, 'another')).status).toBe(403);
		expect((await post(address, call, '')).status).toBe(403);
		expect((await post(address, call, undefined, 'GET')).status).toBe(403);
		expect((await post(address, call)).status).toBe(200);
	});

	test.each(['forget', 'constructor', '__proto__', 7])('does not call %s', async (method) => {
		const forget = vi.fn();
		const { address } = await createSetup({ forget });
		const response = await post(address, { method, args: [] });
		expect(response.status).toBe(500);
		expect(await response.json()).toMatchObject({ name: 'TypeError' });
		expect(forget).not.toHaveBeenCalled();
	});
});

describe('where the build cannot be reached', () => {
	const CALLS: [keyof Runtime, (runtime: Runtime) => Promise<unknown>, unknown][] = [
		['starRatingHtml', (runtime) => runtime.starRatingHtml({ pid: 'p' }, PAGE), NO_SOURCE_MARK],
		['productReviewsHtml', (runtime) => runtime.productReviewsHtml({ pid: 'p' }, PAGE), NO_SOURCE_MARK],
		['reviewSchemaHtml', (runtime) => runtime.reviewSchemaHtml({ pid: 'p' }, PAGE), NO_SOURCE_MARK],
		['reviewListHtml', (runtime) => runtime.reviewListHtml({ pid: 'p' }, PAGE), NO_SOURCE_MARK],
		[
			'reviewSectionParts',
			async (runtime) => (await runtime.reviewSectionParts({ pid: 'p' }, PAGE, false))?.heading,
			NO_SOURCE_MARK,
		],
		['getProductReviews', (runtime) => runtime.getProductReviews('p'), undefined],
		['getStarRating', (runtime) => runtime.getStarRating('p'), undefined],
		['reviewEntry', async (runtime) => (await runtime.reviewEntry('p')).data, undefined],
		['reviewsCacheKey', (runtime) => runtime.reviewsCacheKey(['p'], 'price:10'), 'price:10 reviews:none'],
	];

	test.each(CALLS)('%s is an error that says what helps, or leaves a mark', async (_name, call, missing) => {
		const { server, address } = await createSetup();
		server.close();
		for (const at of [address, '__PRODUCT_REVIEWS_BUILD_ADDRESS__']) {
			const message = await messageOf(() => call(runtimeAt(at)));
			expect(message).toContain('NoReviewSourceError: This page is rendered outside of the build');
			expect(message).toContain('`prerenderEnvironment` to "node"');
			expect(await call(runtimeAt(at, true))).toBe(missing);
		}
	});

	test('another program at that address is no build', async () => {
		const { address } = await createSetup();
		const wrongKey = `${address.split('#')[0]}#another`;
		expect(await messageOf(() => runtimeAt(wrongKey).getStarRating('p'))).toContain('NoReviewSourceError');
	});

	test('other errors stay errors where pages may be built without reviews', async () => {
		const { address } = await createSetup();
		const called = runtimeAt(address, true).starRatingHtml({ pid: undefined as never }, PAGE);
		await expect(called).rejects.toThrow('needs a product id');
	});
});
