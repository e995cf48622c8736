import { afterEach, describe, expect, test, vi } from 'vitest';
import { type SourceServer, serveSource } from '../../../src/build/serve-source.js';
import { ReviewsUnavailableError } from '../../../src/errors.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProductFacts } from '../../../src/render/facts.js';
import { writeFragment } from '../../../src/render/write-fragment.js';
import { createRuntime, type Runtime } from '../../../src/runtime/index.js';
import { NO_SOURCE_MARK } from '../../../src/runtime/no-source.js';
import type { ReviewSource } from '../../../src/runtime/source.js';
import { messageOf } from '../../support/unit/error.js';
import { record, renderOptions } from '../../support/unit/record.js';

const RATING = { average: 4.5, count: 2 };

const servers: SourceServer[] = [];

afterEach(() => {
	for (const server of servers.splice(0)) server.close();
	vi.restoreAllMocks();
});

async function createSetup(source: Partial<ReviewSource> = {}) {
	const placed: ProductFacts[] = [];
	const pages: unknown[] = [];
	const server = serveSource(
		{
			async getFragment(pid, request) {
				const stored = request.component === 'StarRating' ? { aggregate: RATING } : record({ pid });
				const fragment = writeFragment(stored, request, renderOptions());
				for (const facts of fragment.facts) placed.push({ ...facts, pid });
				return fragment;
			},
			getProductReviews: async (pid) => record({ pid }),
			getStarRating: async () => RATING,
			getReviewData: async () => undefined,
			digestOf: async (pids) => pids.join('+'),
			place(facts) {
				placed.push(facts);
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
	expect(await runtime.fragmentHtml('StarRating', { pid: 'p-1' }, PAGE)).toContain('2 reviews');
	expect(await runtime.fragmentHtml('ProductReviews', { pid: 'p-1' }, PAGE)).toContain('Boils fast.');
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
	const CALLS: [keyof Runtime, (runtime: Runtime) => unknown, unknown][] = [
		['fragmentHtml', (runtime) => runtime.fragmentHtml('StarRating', { pid: 'p' }, PAGE), NO_SOURCE_MARK],
		['fragmentHtml', (runtime) => runtime.fragmentHtml('ProductReviews', { pid: 'p' }, PAGE), NO_SOURCE_MARK],
		['fragmentHtml', (runtime) => runtime.fragmentHtml('ReviewSchema', { pid: 'p' }, PAGE), NO_SOURCE_MARK],
		['fragmentHtml', (runtime) => runtime.fragmentHtml('ReviewList', { pid: 'p' }, PAGE), NO_SOURCE_MARK],
		[
			'reviewSectionParts',
			async (runtime) => (await runtime.reviewSectionParts({ pid: 'p' }, PAGE, ['after']))?.heading,
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
		const called = runtimeAt(address, true).fragmentHtml('StarRating', { pid: undefined as never }, PAGE);
		await expect(called).rejects.toThrow('needs a product id');
	});
});
