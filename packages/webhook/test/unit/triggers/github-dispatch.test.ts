import { expect, test } from 'vitest';
import { githubDispatch, WebhookConfigurationError } from '../../../src/index.js';
import { runRebuild, startHost } from '../../support/triggering.js';

const TOKEN = 'ghp_canary_token';

async function dispatch(status = 204, request = {}, options = {}) {
	const { origin, posts } = await startHost(status);
	const rebuild = githubDispatch({
		repository: 'shop/store.front',
		token: TOKEN,
		apiUrl: `${origin}/`,
		...options,
	});
	return { ...(await runRebuild(rebuild, request)), post: posts[0], origin };
}

test('starts the workflows that listen, with the products', async () => {
	const { post, lines, text } = await dispatch();
	expect(post?.url).toBe('/repos/shop/store.front/dispatches');
	expect(post?.headers).toMatchObject({
		authorization: `Bearer ${TOKEN}`,
		accept: 'application/vnd.github+json',
		'content-type': 'application/json',
		'user-agent': 'product-reviews-webhook',
	});
	expect(JSON.parse(post?.body ?? '')).toEqual({
		event_type: 'reviews-changed',
		client_payload: { pids: ['p-1'] },
	});
	expect(lines).toEqual(['Workflow started: repository_dispatch "reviews-changed" of shop/store.front']);
	expect(text).not.toContain(TOKEN);
});

test.each([
	['all', { all: true, pids: [] }, { all: true }],
	['too many products', { pids: Array.from({ length: 9_000 }, (_, index) => `p-${index}`) }, { all: true }],
	['long ids', { pids: Array.from({ length: 130 }, () => '🧦'.repeat(125)) }, { all: true }],
	['just few enough', { pids: ['x'.repeat(59_987)] }, { pids: ['x'.repeat(59_987)] }],
	['one character more', { pids: ['x'.repeat(59_989)] }, { all: true }],
])('sends what fits: %s', async (_name, request, payload) => {
	const { post } = await dispatch(204, request);
	const sent = JSON.stringify(JSON.parse(post?.body ?? '').client_payload);
	expect(sent === JSON.stringify(payload), sent.slice(0, 100)).toBe(true);
	expect(post?.body.length).toBeLessThan(64_000);
});

test.each([302, 401, 403, 404, 422, 500])(
	'an answer of %i is a failure that tells no secret',
	async (status) => {
		const { message, text, origin } = await dispatch(status);
		expect(message).toBe(`${origin}/… answered ${status}.`);
		expect(text).not.toContain('canary');
	},
);

test('a token that no header can hold is not told', async () => {
	const { message, text } = await dispatch(204, {}, { token: 'canary\ncanary' });
	expect(message).toContain('could not be reached');
	expect(text).not.toContain('canary');
});

test('the event may have another name', async () => {
	const { post } = await dispatch(204, {}, { eventType: 'reviews' });
	expect(JSON.parse(post?.body ?? '').event_type).toBe('reviews');
});

test.each([
	[{ repository: 'storefront', token: TOKEN }],
	[{ repository: 'https://github.com/shop/storefront', token: TOKEN }],
	[{ repository: 'shop/store/front', token: TOKEN }],
	[{ repository: undefined, token: TOKEN }],
	[{ repository: 'shop/storefront', token: ' ' }],
	[{ repository: 'shop/storefront', token: undefined }],
])('%j cannot be configured', (options) => {
	const make = () => githubDispatch(options as never);
	expect(make).toThrow(WebhookConfigurationError);
	expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining('canary') }));
});
