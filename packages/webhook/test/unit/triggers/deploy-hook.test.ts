import { expect, test } from 'vitest';
import { deployHook, WebhookConfigurationError } from '../../../src/index.js';
import { runRebuild, startHost } from '../../support/triggering.js';

test('calls the address once, with an empty body', async () => {
	const { origin, posts } = await startHost();
	const { lines } = await runRebuild(deployHook(`${origin}/hooks/canary?token=canary`));
	expect(posts).toMatchObject([{ url: '/hooks/canary?token=canary', body: '' }]);
	expect(lines).toEqual([`Deploy hook called: ${origin}/…`]);
});

test('says which products changed where it is told to', async () => {
	const { origin, posts } = await startHost();
	const hook = deployHook(origin, { sendsIds: true });
	await runRebuild(hook, { pids: ['a', '🧦'] });
	await runRebuild(hook, { pids: [], all: true });
	await runRebuild(hook, { pids: Array.from({ length: 4_000 }, (_, index) => `product-${index}`) });
	expect(posts.map(({ body }) => body)).toEqual(['{"pids":["a","🧦"]}', '{"all":true}', '{"all":true}']);
	expect(posts[0]?.headers['content-type']).toBe('application/json');
});

test.each([
	['https://api.netlify.com/build_hooks/canary', '{"pids":["p-1"]}'],
	['https://api.vercel.com/v1/integrations/deploy/canary', undefined],
	['https://netlify.com.evil.example/canary', undefined],
	['https://notnetlify.com/canary', undefined],
])('%s gets the body %s', async (address, body) => {
	const bodies: unknown[] = [];
	const fetch = async (_url: unknown, init?: RequestInit) => {
		bodies.push(init?.body);
		return new Response();
	};
	await runRebuild(deployHook(address, { fetch }));
	expect(bodies).toEqual([body]);
});

test.each([301, 307, 400, 401, 404, 429, 500, 503])(
	'an answer of %i is a failure that tells no secret',
	async (status) => {
		const other = await startHost();
		const { origin, posts } = await startHost(status, { location: `${other.origin}/canary` });
		const { message, text } = await runRebuild(deployHook(`${origin}/hooks/canary?token=canary`));
		expect(message).toBe(`${origin}/… answered ${status}.`);
		expect(text).not.toContain('canary');
		expect(posts).toHaveLength(1);
		expect(other.posts).toEqual([]);
	},
);

test('nobody there, and nobody who answers, are failures that tell no secret', async () => {
	const gone = await runRebuild(deployHook('http://127.0.0.1:1/canary'));
	expect(gone.message).toBe('http://127.0.0.1:1/… could not be reached.');
	const { origin } = await startHost(0);
	const late = await runRebuild(deployHook(`${origin}/canary`, { timeout: 50 }));
	expect(late.message).toBe(`${origin}/… did not answer within 50 ms.`);
	expect(gone.text + late.text).not.toContain('canary');
});

test('ends when the receiver does', async () => {
	const { origin } = await startHost(0);
	const ending = new AbortController();
	const ended = runRebuild(deployHook(`${origin}/canary`), { signal: ending.signal });
	setTimeout(() => ending.abort(new Error('The receiver is shutting down.')), 30);
	expect((await ended).message).toBe('The receiver is shutting down.');
});

test('a user name and password in the address are not told', async () => {
	const { text, message } = await runRebuild(deployHook('http://canary:canary@127.0.0.1:1/'));
	expect(message).toContain('could not be reached');
	expect(text).not.toContain('canary');
});

test.each([
	['http://hooks.example/canary'],
	['ftp://127.0.0.1/canary'],
	['http://127.0.0.1.evil.example/canary'],
	['http://localhost.evil.example/canary'],
	['canary'],
	[''],
	[undefined],
])('%s cannot be configured, and is not shown', (address) => {
	const make = () => deployHook(address as string);
	expect(make).toThrow(WebhookConfigurationError);
	expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining('canary') }));
});

test.each(['http://localhost:1/x', 'http://[::1]:1/x', 'http://127.0.0.2:1/x'])(
	'%s is of this machine',
	(address) => {
		expect(() => deployHook(address)).not.toThrow();
	},
);
