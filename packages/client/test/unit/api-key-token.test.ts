import { inspect } from 'node:util';
import { errorOf } from 'product-reviews-test-support/clock';
import { afterEach, expect, test, vi } from 'vitest';
import { type ApiKeyTokenOptions, apiKeyToken } from '../../src/index.js';
import { answering, useSetup } from '../support/setup.js';

const KEY = 'canary/key+of the tests'.replaceAll(' ', '-');
const setup = useSetup();
let count = 0;

afterEach(() => void vi.useRealTimers());

/** A token operation of its own, since all of a process share what they get. */
function tokenService(answer: (count: number) => Response | Promise<Response>) {
	const url = `https://auth-${++count}.example/api/v1/authToken`;
	const asked: URL[] = [];
	const fetch: typeof globalThis.fetch = async (input) => answer(asked.push(new URL(String(input))));
	const create = (options: Partial<ApiKeyTokenOptions> = {}) =>
		apiKeyToken({ url, apiKey: KEY, fetch, ...options });
	return { url, asked, create };
}

const good = (count: number) => Response.json({ authToken: `token-${count}`, message: 'ok', success: true });

test('a token is requested when it is first needed, once for all clients, and again after a 401', async () => {
	const { asked, create } = tokenService(good);
	const clients = [1, 2].map(() => setup.client({ token: create({ expiresInDays: 30 }), retries: 0 }));
	await clients[0]?.getCrawlerReviews('p-1');
	expect(asked).toEqual([]);
	const askAll = () =>
		Promise.all(clients.flatMap((client) => [1, 2].map((n) => client.getProductReviewData(`p-${n}`))));
	await askAll();
	expect(asked.map(({ pathname }) => pathname)).toEqual(['/api/v1/authToken']);
	expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({ api_key: KEY, expiresIn: '30' });
	const seen = () => setup.calls.map(({ headers }) => headers['authorization']).filter(Boolean);
	expect(new Set(seen())).toEqual(new Set(['Bearer token-1']));
	setup.answer((call, n) =>
		answering(call.headers['authorization'] === 'Bearer token-1' ? 401 : 200)(call, n),
	);
	await askAll();
	await askAll();
	expect(asked).toHaveLength(2);
	expect(new Set(seen())).toEqual(new Set(['Bearer token-1', 'Bearer token-2']));
});

const REFUSED = 'the service refuses the key (status';
const NONE = 'status 200 without a token';
const status = (status: number, body: string | null = '{}', headers = {}) =>
	new Response(body, { status, headers });
const unconnected = Object.assign(new TypeError(`failed: ${encodeURIComponent(KEY)}`), {
	code: 'ECONNREFUSED',
});

test.each<[string, () => Response | Promise<Response>, string, number]>([
	['401', () => status(401), `${REFUSED} 401). Check that it is the API key from the dashboard`, 1],
	['400', () => status(400, `No ${KEY}`), `${REFUSED} 400)`, 1],
	['no success', () => Response.json({ success: false, authToken: 'x', message: KEY }), `${REFUSED} 200)`, 1],
	['no token', () => Response.json({ success: true }), `${NONE}. Check the address`, 1],
	['a page', () => new Response('<html>'), NONE, 1],
	['null', () => Response.json(null), NONE, 1],
	['a redirect', () => status(302, null, { location: `https://x.example/?${KEY}` }), 'status 302', 1],
	['an endless body', () => new Response('x'.repeat(1_000_000)), NONE, 1],
	['503', () => status(503, ''), 'status 503 without a token', 5],
	['no connection', () => Promise.reject(unconnected), 'the connection failed (ECONNREFUSED)', 5],
])(
	'after %s, the error says what to check, and holds no key; nobody asks again at once',
	async (_name, answer, said, times) => {
		const { url, asked, create } = tokenService(answer);
		vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
		const tried = Promise.all([1, 2].map(() => errorOf(async () => create()())));
		await vi.advanceTimersByTimeAsync(8_000);
		const [error, other] = await tried;
		expect(other).toBe(error);
		expect(error).toMatchObject({ name: 'ReviewsError', code: 'PR_TOKEN_UNUSABLE', url });
		expect(error?.message).toContain(`[GET ${url}] No token for the API key: `);
		expect(error?.message).toContain(said);
		const text = inspect(error, { depth: 10, showHidden: true });
		for (const form of [KEY, encodeURIComponent(KEY), btoa(KEY)]) expect(text).not.toContain(form);
		// What a client says is this, and not that some function failed.
		const client = setup.client({ token: create(), retries: 0 });
		expect((await errorOf(client.getProductReviewData('p-1'))).message).toBe(error?.message);
		expect(asked).toHaveLength(times);
		await vi.advanceTimersByTimeAsync(10_001);
		const later = errorOf(async () => create()());
		await vi.advanceTimersByTimeAsync(8_000);
		await later;
		expect(asked).toHaveLength(2 * times);
	},
);

test('a token operation that was away for a moment is asked again', async () => {
	const { asked, create } = tokenService((n) => (n === 1 ? new Response('', { status: 502 }) : good(n)));
	expect(await create()()).toBe('token-2');
	expect(asked).toHaveLength(2);
});

test.each<[Partial<Record<keyof ApiKeyTokenOptions, unknown>>, string]>([
	[{ url: 'http://auth.example/token' }, 'apiKeyToken(), http://auth.example, is not encrypted.'],
	[{ url: `https://auth.example/a?api_key=${KEY}` }, 'contains a query string. Write https://auth.example/a'],
	[{ apiKey: `${KEY} x` }, 'The option apiKey of apiKeyToken() must be a string of visible ASCII'],
	[{ apiKey: undefined }, 'The option apiKey of apiKeyToken()'],
	[{ expiresInDays: 0.5 }, 'The option expiresInDays of apiKeyToken() must be a whole number of days'],
])('%j cannot be used', (options, message) => {
	const create = () => apiKeyToken({ url: 'https://auth.example', apiKey: KEY, ...(options as object) });
	expect(create).toThrow(message);
	expect(create).not.toThrow(KEY);
});

test('a service that refuses its own new tokens is asked for no more than a few of them', async () => {
	const { asked, create } = tokenService(good);
	const token = create();
	for (let refused = await token(), n = 0; n < 20; n++) refused = await token(refused);
	expect(asked).toHaveLength(4);
});
