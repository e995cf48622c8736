import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FaultRule, Sandbox } from '../../src/index.js';
import { callsTo, testSandbox } from '../support/test-sandbox.js';

const PRODUCTS = ['a', 'b'].map((pid) => ({ pid, name: pid, reviews: [{ rating: 5, body: 'Fine.' }] }));
/** In milliseconds: longer than any test may take. */
const FOR_EVER = 3_600_000;

async function faulty(...rules: FaultRule[]): Promise<Sandbox & ReturnType<typeof callsTo>> {
	const sandbox = await testSandbox({ products: PRODUCTS });
	for (const rule of rules) sandbox.faults.add(rule);
	return { ...sandbox, ...callsTo(sandbox) };
}

const LATENCY = { kind: 'latency', ms: FOR_EVER, pid: 'a' } as const;

describe('kinds', () => {
	it.each<FaultRule[][]>([
		[[{ kind: 'hang', pid: 'a' }]],
		[[LATENCY]],
		[[LATENCY, { kind: 'latency', ms: 1 }]],
		[[{ kind: 'status' }, LATENCY]],
	])('%j holds an answer back, and no other one, until the caller has gone', async (rules) => {
		const { crawlerReviews, requests } = await faulty(...rules);
		const ending = new AbortController();
		const answer = expect(crawlerReviews('a', {}, { signal: ending.signal })).rejects.toThrow('abort');
		await expect.poll(() => requests.inFlight, { interval: 5 }).toBe(1);
		await crawlerReviews('b');
		expect(requests.all[0]).not.toHaveProperty('status');
		ending.abort();
		await answer;
		await expect.poll(() => requests.inFlight).toBe(0);
		expect(requests.all[0]).toMatchObject({ fault: rules[0]?.kind, complete: false });
		expect(requests.all[0]).not.toHaveProperty('status');
	});

	const location = 'http://a.test/';
	it.each<[FaultRule, string, string, RegExp]>([
		[{ kind: 'status', status: 429, retryAfter: 2 }, 'retry-after', '2', /"success":false,"status":429/],
		[{ kind: 'redirect', status: 307, location }, 'location', location, /^$/],
		[{ kind: 'not-json' }, 'content-type', 'text/html; charset=utf-8', /Maintenance/],
		[{ kind: 'wrong-schema' }, 'content-type', 'application/json; charset=utf-8', /^{"ok".*"items":/],
	])('%j', async (rule, header, value, body) => {
		const { crawlerReviews } = await faulty(rule);
		const response = await crawlerReviews('a', {}, { redirect: 'manual' });
		expect(response.status).toBe('status' in rule ? rule.status : 200);
		expect(response.headers.get(header)).toBe(value);
		expect(await response.text()).toMatch(body);
	});

	it('reset, and truncate', async () => {
		const reset = await faulty({ kind: 'reset' });
		await expect(reset.crawlerReviews('a')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
		const truncated = await faulty({ kind: 'truncate' });
		const response = await truncated.crawlerReviews('a');
		expect(Number(response.headers.get('content-length'))).toBeGreaterThan(500);
		await expect(response.text()).rejects.toThrow('terminated');
	});

	it('trickle sends one byte at a time, in the end all', async () => {
		const slow = await faulty({ kind: 'trickle', ms: FOR_EVER });
		const reader = (await slow.starRating(['a'])).body?.getReader();
		expect((await reader?.read())?.value).toEqual(new Uint8Array(Buffer.from('{')));
		const { starRating } = await faulty({ kind: 'trickle', ms: 0.1 });
		expect((await (await starRating(['a'])).json()).data).toHaveLength(1);
	});

	it('large-body, and compressed', async () => {
		const { crawlerReviews } = await faulty({ kind: 'large-body' });
		const text = await (await crawlerReviews('a')).text();
		expect(text.length).toBe(20_000_000);
		expect(JSON.parse(text)).toMatchObject({ status: 200, pid: 'a' });
		const { url } = await faulty({ kind: 'large-body', bytes: 5_000_000, gzip: true });
		const body = await new Promise<Buffer>((resolve, reject) => {
			get(`${url}/api/llmRvwHTML?wsid=W-1001&pid=a`, (response) => buffer(response).then(resolve, reject));
		});
		expect(body.length).toBeLessThan(50_000);
		expect(gunzipSync(body).length).toBe(5_000_000);
	});
});

describe('which requests', () => {
	const statuses = async (count: number, ask: () => Promise<Response>) => {
		const result: number[] = [];
		for (let index = 0; index < count; index += 1) result.push((await ask()).status);
		return result;
	};

	it('by operation and product, also within a list, but never our own addresses', async () => {
		const { crawlerReviews, starRating, productReviewData, url } = await faulty(
			{ operation: 'crawlerReviews', pid: 'a', kind: 'status' },
			{ operation: 'starRating', pid: 'b', kind: 'status', status: 500 },
			{ pid: 'a', kind: 'status', status: 501 },
		);
		expect((await crawlerReviews('a')).status).toBe(503);
		expect((await crawlerReviews('b')).status).toBe(200);
		expect((await starRating(['b'])).status).toBe(500);
		expect((await starRating(['a', 'b'])).status).toBe(500);
		expect((await productReviewData('a')).status).toBe(501);
		expect((await fetch(`${url}/__sandbox/products/a/reviews`)).status).toBe(200);
	});

	it('so many times, then the next rule has its turn', async () => {
		const { crawlerReviews, faults } = await faulty(
			{ kind: 'status', times: 2 },
			{ kind: 'status', status: 500, times: 1 },
		);
		expect(await statuses(4, () => crawlerReviews('a'))).toEqual([503, 503, 500, 200]);
		expect(faults.list()).toEqual([]);
	});

	it('each nth', async () => {
		const { crawlerReviews, faults } = await faulty({ kind: 'status', every: 3 });
		expect(await statuses(6, () => crawlerReviews('a'))).toEqual([200, 200, 503, 200, 200, 503]);
		expect(faults.list()).toMatchObject([{ matched: 6, applied: 2 }]);
		faults.clear();
		expect(await statuses(3, () => crawlerReviews('a'))).toEqual([200, 200, 200]);
	});

	it('while more than so many are in flight', async () => {
		const { crawlerReviews, requests } = await faulty(
			{ kind: 'hang', pid: 'a' },
			{ kind: 'status', status: 429, above: 2 },
		);
		expect((await crawlerReviews('b')).status).toBe(200);
		const ending = new AbortController();
		const open = ['a', 'a'].map((pid) => crawlerReviews(pid, {}, { signal: ending.signal }));
		const ended = Promise.allSettled(open);
		await expect.poll(() => requests.inFlight, { interval: 5 }).toBe(2);
		expect(await statuses(2, () => crawlerReviews('b'))).toEqual([429, 429]);
		ending.abort();
		await ended;
		await expect.poll(() => requests.inFlight).toBe(0);
		expect((await crawlerReviews('b')).status).toBe(200);
	});

	it('by chance, the same one for the same seed', async () => {
		const rule: FaultRule = { kind: 'status', probability: 0.5 };
		const [one, two] = [await faulty(rule), await faulty(rule)];
		const first = await statuses(30, () => one.crawlerReviews('a'));
		expect(await statuses(30, () => two.crawlerReviews('a'))).toEqual(first);
		expect(new Set(first)).toEqual(new Set([200, 503]));
	});
});

it('takes rules over HTTP and says what is wrong with one', async () => {
	const { send, crawlerReviews } = await faulty();
	expect((await send('POST', 'faults', { kind: 'status', pid: 'a', status: 500 })).status).toBe(201);
	expect((await crawlerReviews('a')).status).toBe(500);
	expect((await send('GET', 'faults')).body).toMatchObject({ faults: [{ applied: 1 }] });
	expect((await send('DELETE', 'faults')).status).toBe(204);
	expect((await crawlerReviews('a')).status).toBe(200);
	for (const [rule, message] of [
		[{ kind: 'redirect', location: '/', statsu: 302 }, 'statsu'],
		[{ kind: 'redirect' }, 'location: a redirect needs a location'],
		[{ kind: 'status', retryAfter: 'a\r\nb' }, 'retryAfter'],
	] as const) {
		const refused = { status: 400, body: { message: expect.stringContaining(message) } };
		expect(await send('POST', 'faults', rule)).toMatchObject(refused);
	}
});

it.each<FaultRule>([
	{ kind: 'hang' },
	{ kind: 'trickle', ms: FOR_EVER },
	{ kind: 'latency', ms: FOR_EVER },
	{ kind: 'large-body', bytes: 900_000_000 },
])('close() ends $kind, however long it would last', async (rule) => {
	const { close, crawlerReviews, requests } = await faulty(rule);
	const failed = crawlerReviews('a').then(async (response) => {
		for await (const _ of response.body ?? []);
	});
	const outcome = expect(failed).rejects.toThrow();
	await expect.poll(() => requests.inFlight, { interval: 5 }).toBe(1);
	await close();
	await close();
	await outcome;
	await expect.poll(() => requests.inFlight).toBe(0);
});
