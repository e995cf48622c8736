import { describe, expect, test, vi } from 'vitest';
import {
	deployHook,
	type GithubDispatchOptions,
	githubDispatch,
	WebhookConfigurationError,
} from '../../../src/index.js';
import { runRebuild, startHost } from '../../support/triggering.js';

const TOKEN = 'ghp_canary_token';
const PATH = 'hooks/canary?token=canary';

const dispatchTo = (origin: string, options: Partial<GithubDispatchOptions> = {}) =>
	githubDispatch({ repository: 'shop/store.front', token: TOKEN, apiUrl: `${origin}/`, ...options });

describe('a deploy hook', () => {
	test('is called once, with an empty body', async () => {
		const { origin, posts } = await startHost();
		const { lines } = await runRebuild(deployHook(`${origin}/${PATH}`));
		expect(posts).toMatchObject([{ url: `/${PATH}`, body: '' }]);
		expect(lines).toEqual([`Deploy hook called: ${origin}/…`]);
	});

	/** What a hook sends for each of these rebuilds. */
	async function bodiesAt(address: string, ...requests: Parameters<typeof runRebuild>[1][]) {
		const fetch = vi.fn(async (_url: unknown, { headers, body }: RequestInit = {}) => {
			if (body) expect(headers).toEqual({ 'content-type': 'application/json' });
			return new Response();
		});
		for (const request of requests) await runRebuild(deployHook(address, { fetch }), request);
		return fetch.mock.calls.map(([, { body } = {}]) => body);
	}

	test('gets the products at Netlify, unless they are too many', async () => {
		const most = 'x'.repeat(32_768 - '{"pids":[""]}'.length);
		const lists = [['a', '🧦'], [most], [`${most}x`]].map((pids) => ({ pids }));
		const address = 'https://api.netlify.com/build_hooks/canary';
		const bodies = await bodiesAt(address, ...lists, { pids: [], all: true });
		const all = '{"all":true}';
		expect(bodies).toEqual(['{"pids":["a","🧦"]}', JSON.stringify({ pids: [most] }), all, all]);
	});

	test('gets the products at GitLab, which passes them to the pipeline', async () => {
		const address = 'https://gitlab.example/api/v4/projects/1/ref/main/trigger/pipeline?token=canary';
		expect(await bodiesAt(address, { pids: ['a'] })).toEqual(['{"pids":["a"]}']);
	});

	test.each([
		'https://api.vercel.com/v1/integrations/deploy/canary',
		'https://netlify.com.evil.example/canary',
		'https://notnetlify.com/canary',
	])('%s gets no body', async (address) => {
		expect(await bodiesAt(address, {})).toEqual([undefined]);
	});

	test.each([
		'http://hooks.example/canary',
		'ftp://127.0.0.1/canary',
		'http://127.0.0.1.evil.example/canary',
		'http://localhost.evil.example/canary',
		'canary',
		'',
		undefined,
	])('%s cannot be configured, and is not shown', (address) => {
		const make = () => deployHook(address);
		expect(make).toThrow(WebhookConfigurationError);
		expect(make).not.toThrow('canary');
	});

	test.each(['http://localhost:1/x', 'http://[::1]:1/x', 'http://127.0.0.2:1/x'])('%s is ours', (address) => {
		expect(() => deployHook(address)).not.toThrow();
	});
});

describe("GitHub's dispatch", () => {
	test('starts the workflows that listen, with the products', async () => {
		const { origin, posts } = await startHost(204);
		const { lines, text } = await runRebuild(dispatchTo(origin));
		const headers = {
			...{ authorization: `Bearer ${TOKEN}`, accept: 'application/vnd.github+json' },
			...{ 'content-type': 'application/json', 'user-agent': 'product-reviews-webhook' },
		};
		expect(posts).toMatchObject([{ url: '/repos/shop/store.front/dispatches', headers }]);
		const body = { event_type: 'reviews-changed', client_payload: { pids: ['p-1'] } };
		expect(JSON.parse(posts[0]?.body ?? '')).toEqual(body);
		expect(lines).toEqual(['Workflow started: repository_dispatch "reviews-changed" of shop/store.front']);
		expect(text).not.toContain(TOKEN);
	});

	test.each([
		['all', { all: true, pids: [] }, { all: true }],
		['long ids', { pids: Array.from({ length: 130 }, () => '🧦'.repeat(125)) }, { all: true }],
		['just few enough', { pids: ['x'.repeat(59_987)] }, { pids: ['x'.repeat(59_987)] }],
		['one character more', { pids: ['x'.repeat(59_988)] }, { all: true }],
	])('sends what fits: %s', async (_name, request, payload) => {
		const { origin, posts } = await startHost(204);
		await runRebuild(dispatchTo(origin), request);
		const sent = JSON.stringify(JSON.parse(posts[0]?.body ?? '').client_payload);
		expect(sent === JSON.stringify(payload), sent.slice(0, 100)).toBe(true);
	});

	test.each([
		{ repository: 'storefront', token: TOKEN },
		{ repository: 'https://github.com/shop/storefront', token: TOKEN },
		{ repository: 'shop/store/front', token: TOKEN },
		{ repository: undefined, token: TOKEN },
		{ repository: 'shop/storefront', token: ' ' },
		{ repository: 'shop/storefront', token: undefined },
	])('%j cannot be configured', (options) => {
		const make = () => githubDispatch(options as GithubDispatchOptions);
		expect(make).toThrow(WebhookConfigurationError);
		expect(make).not.toThrow('canary');
	});
});

describe.each([
	['a deploy hook', (origin: string, timeout = 30_000) => deployHook(`${origin}/${PATH}`, { timeout })],
	["GitHub's dispatch", (origin: string, timeout = 30_000) => dispatchTo(origin, { timeout })],
])('what fails of %s is told without a secret:', (_what, trigger) => {
	test.each([301, 307, 400, 401, 404, 422, 429, 500, 503])('an answer of %i', async (status) => {
		const other = await startHost();
		const { origin, posts } = await startHost(status, { location: `${other.origin}/canary` });
		const { message, text } = await runRebuild(trigger(origin));
		expect(message).toBe(`${origin}/… answered ${status}.`);
		expect(text).not.toContain('canary');
		expect([posts.length, other.posts.length]).toEqual([1, 0]);
	});

	test.each(['http://127.0.0.1:1', 'http://canary:canary@127.0.0.1:1'])('nobody is at %s', async (origin) => {
		const { message, text } = await runRebuild(trigger(origin));
		expect(message).toMatch(/^http:\/\/127\.0\.0\.1:1\/… could not be reached/);
		expect(text).not.toContain('canary');
	});

	test('nobody answers, or the receiver ends meanwhile', async () => {
		const { origin, posts } = await startHost(0);
		const { message, text } = await runRebuild(trigger(origin, 50));
		expect(message).toBe(`${origin}/… did not answer within 50 ms.`);
		expect(text).not.toContain('canary');
		const ending = new AbortController();
		const ended = runRebuild(trigger(origin, 60_000), { signal: ending.signal });
		await expect.poll(() => posts).toHaveLength(2);
		ending.abort(new Error('The receiver is shutting down.'));
		expect((await ended).message).toBe('The receiver is shutting down.');
	});
});

test('a token that no header can hold is not told', async () => {
	const { origin } = await startHost(204);
	const { message, text } = await runRebuild(dispatchTo(origin, { token: 'canary\ncanary' }));
	expect(message).toContain('could not be reached');
	expect(text).not.toContain('canary');
});
