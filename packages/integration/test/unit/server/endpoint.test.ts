import { createHmac } from 'node:crypto';
import type { APIContext } from 'astro';
import { SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import type { ProductReviewsUserOptions } from '../../../src/index.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { reviewTag } from '../../../src/pages/index.js';
import { cacheTags, createEndpoint } from '../../../src/server/create-endpoint.js';
import { signedEvent } from '../../support/signed-event.js';
import { setUp } from '../../support/unit/set-up.js';

type Webhook = NonNullable<ProductReviewsUserOptions['webhook']>;
type Step = 'forget' | 'purge' | 'rebuild';

const KEY = 'canary-key-of-the-tests';
const NETLIFY = 'https://api.netlify.com/build_hooks/canary-hook';
const GITHUB = 'https://api.github.com/repos/shop/storefront/dispatches';

/** @param failing steps that fail at first */
function createSetup(webhook: Webhook, given: Record<string, string | undefined> = {}, ...failing: Step[]) {
	const variables: Record<string, string | undefined> = {
		...{ REVIEWS_WEBHOOK_SECRET: SECRET, HOOK: NETLIFY, TOKEN: 'canary-token' },
		...given,
	};
	const lines: string[] = [];
	const done: unknown[] = [];
	const fails = new Set(failing);
	const settings = parseOptions({ webhook }).webhook;
	if (!settings) throw new Error('There are no settings.');
	const endpoint = createEndpoint(settings, {
		readVariable: (name) => variables[name],
		async forget(pids) {
			done.push(['forget', pids]);
			return !fails.has('forget');
		},
		log: { info: (line: string) => lines.push(line), error: (line: string) => lines.push(line) },
		async fetch(url, init) {
			done.push([String(url), JSON.parse(String(init?.body))]);
			return new Response(undefined, { status: fails.has('rebuild') ? 500 : 200 });
		},
	});
	const receive = async (event: RequestInit, isCached = true, query = '') => {
		const cache = {
			enabled: isCached,
			async invalidate({ tags }: { tags?: string | string[] }) {
				done.push(['purge', tags]);
				if (fails.has('purge')) throw new Error('The cache is away.');
			},
		};
		const request = new Request(`https://shop.example/api/reviews/webhook${query}`, event);
		return (await endpoint({ request, cache } as unknown as APIContext)).status;
	};
	return { variables, lines, done, fails, receive };
}

// Pages that are purged are rendered again from what the server remembers, so it forgets first. It rebuilds last.
const FORGET = ['forget', ['p-1']];
const PURGE = ['purge', ['reviews:p-1']];
const REBUILD = [NETLIFY, { pids: ['p-1'] }];
const WORKFLOW = [GITHUB, { event_type: 'reviews-changed', client_payload: { pids: ['p-1'] } }];

test.each<[string, Webhook, unknown[]]>([
	['the hook of Netlify gets the ids', { deployHookEnv: 'HOOK' }, [FORGET, PURGE, REBUILD]],
	['so does a workflow', { github: 'shop/storefront', githubTokenEnv: 'TOKEN' }, [FORGET, PURGE, WORKFLOW]],
	['without a trigger, pages are purged all the same', {}, [FORGET, PURGE]],
])('%s, and no secret is said', async (_what, webhook, expected) => {
	const { receive, done, lines } = createSetup(webhook);
	expect(await receive(signedEvent('p-1'))).toBe(202);
	expect(done).toEqual(expected);
	expect(lines[0]).toBe('[astro-product-reviews] Reviews changed: "p-1".');
	expect(lines.join()).not.toContain('canary');
});

test('where anything may have changed, all is done for all products; without a route cache nothing is purged', async () => {
	const { receive, done } = createSetup({ deployHookEnv: 'HOOK' });
	expect([await receive(signedEvent()), await receive(signedEvent('p-1'), false)]).toEqual([202, 202]);
	const all = [
		['forget', undefined],
		['purge', ['reviews']],
		[NETLIFY, { all: true }],
	];
	expect(done).toEqual([...all, FORGET, REBUILD]);
});

test.each<[Step, unknown[], string]>([
	// Other instances may not have learnt of it.
	['forget', [FORGET, PURGE, REBUILD], 'The shared storage failed, so other instances'],
	['purge', [FORGET, PURGE], 'An event was rejected, and its sender retries it: The cache is away.'],
	['rebuild', [FORGET, PURGE, REBUILD], 'https://api.netlify.com/… answered 500.'],
])('if it fails to %s, the sender tries again, and it is not done', async (step, expected, said) => {
	const { receive, done, fails, lines } = createSetup({ deployHookEnv: 'HOOK' }, {}, step);
	const event = signedEvent('p-1');
	expect(await receive(event)).toBe(503);
	expect(done.splice(0)).toEqual(expected);
	expect(lines.at(-1)).toContain(said);
	// Copies that come while it fails share its fate.
	expect(await Promise.all([receive(event), receive(event)])).toEqual([503, 503]);
	fails.clear();
	expect(await receive(event)).toBe(202);
	expect(done.splice(0).slice(-3)).toEqual([FORGET, PURGE, REBUILD]);
	expect(await receive(event)).toBe(202);
	expect(done).toEqual([]);
});

test('a secret that is missing is named and read again with the next event, and may be two while it is changed', async () => {
	const { receive, variables, lines, done } = createSetup({}, { REVIEWS_WEBHOOK_SECRET: undefined });
	const event = signedEvent('p-1');
	expect(await receive(event)).toBe(503);
	expect(lines).toEqual([
		'[astro-product-reviews] The webhook is not set up, so events are rejected: The environment variable REVIEWS_WEBHOOK_SECRET is not set. Set it to the webhook secret that the review service shows (it begins with "whsec_"). If it shows none and sends a fixed key, say in which header, with --key-header or the option webhook.keyHeader. [PR_WEBHOOK_SECRET]',
	]);
	variables['REVIEWS_WEBHOOK_SECRET'] = `${SECRET} whsec_${Buffer.alloc(32, 1).toString('base64')}`;
	expect(await receive(event)).toBe(202);
	expect(done).toEqual([FORGET, PURGE]);
});

test('a fixed key in a header is enough where the option names one', async () => {
	const variables = { REVIEWS_WEBHOOK_SECRET: undefined, REVIEWS_WEBHOOK_KEY: KEY };
	const { receive, done } = createSetup({ keyHeader: 'x-reviews-key' }, variables);
	const withKey = (key: string) => ({
		method: 'POST',
		headers: { 'x-reviews-key': key, 'content-type': 'application/json' },
		body: JSON.stringify({ data: { pid: 'p-1' } }),
	});
	expect(await receive(withKey(`${KEY}x`))).toBe(401);
	expect(done).toEqual([]);
	expect(await receive(withKey(KEY))).toBe(202);
	expect(done).toEqual([FORGET, PURGE]);
});

test('a service that is named is verified and read in its own way, and its ping changes nothing', async () => {
	const secret = 'woo-secret-0123456789';
	const { receive, done } = createSetup({ from: 'woocommerce' }, { REVIEWS_WEBHOOK_SECRET: secret });
	const event = (signature: string, body = '{"id":131,"parent_id":128}'): RequestInit => ({
		...{ method: 'POST', body },
		headers: { 'content-type': 'application/json', 'x-wc-webhook-signature': signature },
	});
	const sign = (key: string, body = '{"id":131,"parent_id":128}') =>
		createHmac('sha256', key).update(body).digest('base64');
	const ping = new URLSearchParams({ webhook_id: '7' });
	expect(await receive({ method: 'POST', body: ping })).toBe(200);
	expect(await receive(event(sign('another-secret-of-the-tests')))).toBe(401);
	expect(await receive(signedEvent('p-1'))).toBe(401);
	expect(await receive(event(sign(secret, '{}'), '{}'))).toBe(202);
	expect(done).toEqual([]);
	expect(await receive(event(sign(secret)))).toBe(202);
	expect(done).toEqual([
		['forget', ['128']],
		['purge', ['reviews:128']],
	]);
});

test('the API key, ids elsewhere and types to ignore are taken as they are, and a key in the URL is said nowhere', async () => {
	const variables = { REVIEWS_WEBHOOK_SECRET: undefined, REVIEWS_API_KEY: KEY };
	const { receive, done } = createSetup({ keyHeader: 'x-key', ids: 'review.product' }, variables);
	const event = (body: object, headers = {}): RequestInit => ({
		...{ method: 'POST', body: JSON.stringify(body) },
		headers: { 'content-type': 'application/json', ...headers },
	});
	const named = { type: 'rating_update', review: { product: 'p-1' } };
	expect(await receive(event(named, { 'x-key': KEY }))).toBe(202);
	expect(await receive(event({ type: 'css_update' }, { 'x-key': KEY }))).toBe(202);
	expect(done).toEqual([FORGET, PURGE]);
	const own = { ...variables, REVIEWS_WEBHOOK_KEY: 'canary-other-key-of-the-tests' };
	const inUrl = createSetup({ keyQuery: 'secret', ignoreTypes: [] }, own);
	const genuine = '?secret=canary-other-key-of-the-tests';
	for (const [query, status] of [
		[genuine, 202],
		[`?secret=${KEY}`, 401],
		['', 401],
	] as const)
		expect(await inUrl.receive(event({ type: 'css_update' }), true, query)).toBe(status);
	expect(inUrl.done[0]).toEqual(['forget', undefined]);
	expect(inUrl.lines.join()).not.toContain('canary');
});

test.each<[string, string[]]>([
	['p-1', ['reviews:p-1']],
	// An id that only changes in an address is looked for both ways.
	['gid://shop/1', ['reviews:gid://shop/1', 'reviews:gid%3A%2F%2Fshop%2F1']],
	// What does not fit into a header as it is.
	...['a,b', 'a b', 'a\r\nb', 'kött'].map((id): [string, string[]] => [
		id,
		[`reviews:${encodeURIComponent(id)}`],
	]),
	// No text of letters.
	['a\ud800', [reviewTag('a\ud800')]],
])('the tags of cached pages of %j', (pid, tags) => {
	const expected = [...tags, 'reviews:p-2'].toSorted();
	expect(cacheTags({ pids: [pid, 'p-2', pid], all: false }).toSorted()).toEqual(expected);
});

describe('the integration', () => {
	const ADAPTER = { adapter: { name: 'an-adapter' } };
	const WITHOUT_FILES = { adapter: { name: '@astrojs/vercel' } };
	const CACHED = { ...ADAPTER, cache: { provider: {} } };
	const route = (pattern = '/api/reviews/webhook') => ({
		...{ pattern, entrypoint: 'astro-product-reviews/webhook-endpoint', prerender: false },
	});
	const NOTHING = expect.stringMatching(/^Events at \/api\/reviews\/webhook will have no effect: /);
	const IN_DEV = expect.stringContaining('are received in "astro dev" only.');

	test.each<[string, Webhook, object, unknown[]]>([
		['has its path', { path: '/hook', github: 'shop/storefront' }, ADAPTER, [route('/hook')]],
		['would change nothing', {}, ADAPTER, [NOTHING, route()]],
		['purges pages', {}, CACHED, [route()]],
		['calls a hook', { deployHookEnv: 'HOOK' }, WITHOUT_FILES, [route()]],
		['publishes', { update: true }, ADAPTER, [route()]],
		['has no server', {}, {}, [IN_DEV]],
	])('adds one that %s to builds, and warns where it is of no use', (_what, webhook, config, expected) => {
		expect(setUp({ webhook }, config).added).toEqual(expected);
	});

	test('takes a shared storage for a use, refuses to publish without files, and adds nothing but to builds', () => {
		expect(setUp({ webhook: {}, storage: { driver: 'memory' } }, ADAPTER).added).toEqual([route()]);
		expect(() => setUp({ webhook: { update: true } }, WITHOUT_FILES)).toThrow(
			'The option "webhook.update" does not work with @astrojs/vercel',
		);
		for (const command of ['dev', 'preview', 'sync'] as const)
			expect(setUp({ webhook: {} }, ADAPTER, command).added).toEqual([]);
	});
});
