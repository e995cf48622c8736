import type { APIContext } from 'astro';
import { SECRET } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProductReviewsUserOptions } from '../../../src/options/schema.js';
import { createEndpoint } from '../../../src/webhook/create-endpoint.js';
import { signedEvent } from '../../support/signed-event.js';

const KEY = 'canary-key-of-the-tests';
const NETLIFY = 'https://api.netlify.com/build_hooks/canary-hook';

type Webhook = NonNullable<ProductReviewsUserOptions['webhook']>;

function createSetup(webhook: Webhook, given: Record<string, string | undefined> = {}) {
	const variables: Record<string, string | undefined> = { REVIEWS_WEBHOOK_SECRET: SECRET, ...given };
	const lines: string[] = [];
	// What the endpoint does, in order.
	const done: unknown[] = [];
	// Products that were forgotten, each with how much was done before.
	const forgotten: unknown[] = [];
	const failing = { fetch: false, purge: false, storage: false };
	const settings = parseOptions({ webhook }).webhook;
	if (!settings) throw new Error('There are no settings.');
	const endpoint = createEndpoint(settings, {
		readVariable: (name) => variables[name],
		forget: async (pids) => {
			forgotten.push([pids, done.length]);
			return !failing.storage;
		},
		log: { info: (line: string) => lines.push(line), error: (line: string) => lines.push(line) },
		fetch: async (url, init) => {
			done.push([String(url), init?.body === undefined ? undefined : JSON.parse(String(init.body))]);
			return new Response(undefined, { status: failing.fetch ? 500 : 200 });
		},
	});
	/** The status of the answer. */
	const receive = async (event: RequestInit, isCached = true) => {
		const cache = {
			enabled: isCached,
			async invalidate({ tags }: { tags?: string | string[] }) {
				done.push(tags);
				if (failing.purge) throw new Error('The cache is away.');
			},
		};
		const request = new Request('https://shop.example/api/reviews/webhook', event);
		return (await endpoint({ request, cache } as unknown as APIContext)).status;
	};
	return { variables, lines, done, forgotten, failing, receive };
}

test('where other instances may not learn of it, everything else is done, and the sender tries again', async () => {
	const { receive, done, failing, lines } = createSetup({ deployHookEnv: 'HOOK' }, { HOOK: NETLIFY });
	failing.storage = true;
	expect(await receive(signedEvent('p-1'))).toBe(503);
	expect(done).toEqual([['reviews:p-1'], [NETLIFY, { pids: ['p-1'] }]]);
	expect(lines.at(-1)).toContain('The shared storage failed, so other instances');
});

test('cached pages are purged, and then the hook of Netlify gets the ids', async () => {
	const { receive, done, forgotten, lines } = createSetup({ deployHookEnv: 'HOOK' }, { HOOK: NETLIFY });
	expect(await receive(signedEvent('p-1'))).toBe(202);
	expect(done).toEqual([['reviews:p-1'], [NETLIFY, { pids: ['p-1'] }]]);
	expect(lines).toEqual([
		'[astro-product-reviews] Reviews changed: "p-1".',
		'[astro-product-reviews] Deploy hook called: https://api.netlify.com/…',
	]);
	expect(await receive(signedEvent())).toBe(202);
	expect(done.slice(2)).toEqual([['reviews'], [NETLIFY, { all: true }]]);
	// Before the pages are purged: they are rendered again from what the server remembers.
	expect(forgotten).toEqual([
		[['p-1'], 0],
		[undefined, 2],
	]);
});

test('a workflow of GitHub gets the ids', async () => {
	const { receive, done, lines } = createSetup(
		{ github: 'shop/storefront', githubTokenEnv: 'TOKEN' },
		{ TOKEN: 'canary-token' },
	);
	expect(await receive(signedEvent('p-1'), false)).toBe(202);
	expect(done).toEqual([
		[
			'https://api.github.com/repos/shop/storefront/dispatches',
			{ event_type: 'reviews-changed', client_payload: { pids: ['p-1'] } },
		],
	]);
	expect(lines.join()).not.toContain('canary');
});

test('without a trigger, cached pages are purged all the same', async () => {
	const { receive, done } = createSetup({});
	expect(await receive(signedEvent('p-1'))).toBe(202);
	expect(done).toEqual([['reviews:p-1']]);
});

test('what cannot be purged is not rebuilt yet: the sender tries again', async () => {
	const { receive, done, failing, lines } = createSetup({ deployHookEnv: 'HOOK' }, { HOOK: NETLIFY });
	failing.purge = true;
	const event = signedEvent('p-1');
	expect(await receive(event)).toBe(503);
	expect(done).toEqual([['reviews:p-1']]);
	expect(lines.at(-1)).toBe(
		'[astro-product-reviews] An event was rejected, and its sender retries it: The cache is away.',
	);
	failing.purge = false;
	expect(await receive(event)).toBe(202);
	expect(done).toHaveLength(3);
});

test('copies of an event that come while it fails are not taken for done', async () => {
	const { receive, failing } = createSetup({ deployHookEnv: 'HOOK' }, { HOOK: NETLIFY });
	failing.fetch = true;
	const event = signedEvent('p-1');
	expect(await Promise.all([receive(event), receive(event)])).toEqual([503, 503]);
});

test('a secret that is missing is named, and is read again with the next event', async () => {
	const { receive, variables, lines, done } = createSetup({}, { REVIEWS_WEBHOOK_SECRET: undefined });
	const event = signedEvent('p-1');
	expect(await receive(event)).toBe(503);
	expect(lines).toEqual([
		'[astro-product-reviews] The webhook is not set up, so events are rejected: The environment variable REVIEWS_WEBHOOK_SECRET is not set. Set it to the webhook secret that the review service shows (it begins with "whsec_"). [PR_WEBHOOK_SECRET]',
	]);
	variables['REVIEWS_WEBHOOK_SECRET'] = `${SECRET} whsec_${Buffer.alloc(32, 1).toString('base64')}`;
	expect(await receive(event)).toBe(202);
	expect(done).toEqual([['reviews:p-1']]);
});

test('a fixed key in a header is enough where the option names one', async () => {
	const { receive, done } = createSetup(
		{ keyHeader: 'x-reviews-key' },
		{ REVIEWS_WEBHOOK_SECRET: undefined, REVIEWS_WEBHOOK_KEY: KEY },
	);
	const withKey = (key: string) => ({
		method: 'POST',
		headers: { 'x-reviews-key': key, 'content-type': 'application/json' },
		body: JSON.stringify({ data: { pid: 'p-1' } }),
	});
	expect(await receive(withKey(`${KEY}x`))).toBe(401);
	expect(done).toEqual([]);
	expect(await receive(withKey(KEY))).toBe(202);
	expect(done).toEqual([['reviews:p-1']]);
});
