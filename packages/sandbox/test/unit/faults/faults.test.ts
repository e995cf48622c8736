import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FaultRule, Sandbox } from '../../../src/index.js';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

const PRODUCTS = ['a', 'b'].map((pid) => ({ pid, name: pid, reviews: [{ rating: 5, body: 'Fine.' }] }));

async function faulty(...rules: FaultRule[]): Promise<Sandbox & ReturnType<typeof callsTo>> {
	const sandbox = await testSandbox({ products: PRODUCTS });
	for (const rule of rules) sandbox.faults.add(rule);
	return { ...sandbox, ...callsTo(sandbox) };
}

describe('kinds', () => {
	it('latency', async () => {
		const { crawlerReviews } = await faulty({ kind: 'latency', ms: 80 }, { kind: 'latency', ms: 70 });
		const start = performance.now();
		expect((await crawlerReviews('a')).status).toBe(200);
		expect(performance.now() - start).toBeGreaterThan(145);
	});

	it('status', async () => {
		const { crawlerReviews } = await faulty({ kind: 'status', status: 429, retryAfter: 2 });
		const response = await crawlerReviews('a');
		expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
		expect(await response.json()).toMatchObject({ success: false, status: 429 });
	});

	it('reset', async () => {
		const { crawlerReviews } = await faulty({ kind: 'reset' });
		await expect(crawlerReviews('a')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
	});

	it('truncate', async () => {
		const { crawlerReviews } = await faulty({ kind: 'truncate' });
		const response = await crawlerReviews('a');
		expect(Number(response.headers.get('content-length'))).toBeGreaterThan(500);
		await expect(response.text()).rejects.toThrow('terminated');
	});

	it('trickle', async () => {
		const { starRating } = await faulty({ kind: 'trickle', ms: 1 });
		const start = performance.now();
		const text = await (await starRating(['a'])).text();
		expect(JSON.parse(text).data).toHaveLength(1);
		expect(performance.now() - start).toBeGreaterThan(text.length * 0.9);
	});

	it('hang', async () => {
		const { crawlerReviews, requests } = await faulty({ kind: 'hang' });
		const ending = new AbortController();
		const answer = expect(crawlerReviews('a', {}, { signal: ending.signal })).rejects.toThrow('abort');
		await expect.poll(() => requests.inFlight, { interval: 5 }).toBe(1);
		await wait(100);
		ending.abort();
		await answer;
		await expect.poll(() => requests.inFlight).toBe(0);
		expect(requests.all[0]).toMatchObject({ fault: 'hang', complete: false });
		expect(requests.all[0]).not.toHaveProperty('status');
	});

	it('redirect', async () => {
		const location = 'http://127.0.0.1:9/elsewhere';
		const { crawlerReviews } = await faulty({ kind: 'redirect', status: 307, location });
		const response = await crawlerReviews('a', {}, { redirect: 'manual' });
		expect([response.status, response.headers.get('location')]).toEqual([307, location]);
	});

	it('not-json', async () => {
		const { crawlerReviews } = await faulty({ kind: 'not-json' });
		const response = await crawlerReviews('a');
		expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Maintenance')]);
	});

	it('wrong-schema', async () => {
		const { productReviewData } = await faulty({ kind: 'wrong-schema' });
		const response = await productReviewData('a');
		expect([response.status, Object.keys(await response.json())]).toEqual([200, ['ok', 'items']]);
	});

	it('large-body', async () => {
		const { crawlerReviews } = await faulty({ kind: 'large-body' });
		const text = await (await crawlerReviews('a')).text();
		expect(text.length).toBe(20_000_000);
		expect(JSON.parse(text)).toMatchObject({ status: 200, pid: 'a' });
	});

	it('large-body, compressed', async () => {
		const { url } = await faulty({ kind: 'large-body', bytes: 5_000_000, gzip: true });
		const body = await new Promise<Buffer>((resolve, reject) => {
			get(`${url}/api/llmRvwHTML?wsid=W-1001&pid=a`, async (response) => {
				const chunks: Buffer[] = [];
				for await (const chunk of response) chunks.push(chunk);
				resolve(Buffer.concat(chunks));
			}).once('error', reject);
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

	it('by operation and product, also within a list', async () => {
		const { crawlerReviews, starRating } = await faulty(
			{ operation: 'crawlerReviews', pid: 'a', kind: 'status' },
			{ operation: 'starRating', pid: 'b', kind: 'status', status: 500 },
		);
		expect((await crawlerReviews('a')).status).toBe(503);
		expect((await crawlerReviews('b')).status).toBe(200);
		expect((await starRating(['a'])).status).toBe(200);
		expect((await starRating(['a', 'b'])).status).toBe(500);
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
			{ kind: 'latency', ms: 50 },
			{ kind: 'status', status: 429, above: 2 },
		);
		const all = await Promise.all(Array.from({ length: 5 }, () => crawlerReviews('a')));
		expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429]);
		await expect.poll(() => requests.inFlight).toBe(0);
		expect(await statuses(3, () => crawlerReviews('a'))).toEqual([200, 200, 200]);
	});

	it('by chance, the same one for the same seed', async () => {
		const rule: FaultRule = { kind: 'status', probability: 0.5 };
		const [one, two] = [await faulty(rule), await faulty(rule)];
		const first = await statuses(30, () => one.crawlerReviews('a'));
		expect(await statuses(30, () => two.crawlerReviews('a'))).toEqual(first);
		expect(new Set(first)).toEqual(new Set([200, 503]));
	});

	it('never our own addresses', async () => {
		const { url } = await faulty({ kind: 'status' });
		expect((await fetch(url)).status).toBe(200);
	});
});

it('takes rules over HTTP and says what is wrong with one', async () => {
	const { url, post, crawlerReviews } = await faulty();
	const address = '/__sandbox/faults';
	expect((await post(address, { kind: 'status', pid: 'a', status: 500 })).status).toBe(201);
	expect((await crawlerReviews('a')).status).toBe(500);
	expect(await (await fetch(url + address)).json()).toMatchObject({ faults: [{ applied: 1 }] });
	expect((await fetch(url + address, { method: 'DELETE' })).status).toBe(204);
	expect((await crawlerReviews('a')).status).toBe(200);

	const refused = await post(address, { kind: 'redirect', statsu: 302 });
	expect(refused.status).toBe(400);
	expect((await refused.json()).message).toContain('statsu');
	expect((await (await post(address, { kind: 'redirect' })).json()).message).toBe(
		'location: a redirect needs a location',
	);
	expect((await post(address, { kind: 'status', retryAfter: 'a\r\nb' })).status).toBe(400);
});

it.each<FaultRule>([
	{ kind: 'hang' },
	{ kind: 'trickle', ms: 60_000 },
	{ kind: 'latency', ms: 60_000 },
	{ kind: 'large-body', bytes: 900_000_000 },
])('close() ends $kind at once', async (rule) => {
	const { close, crawlerReviews, requests } = await faulty(rule);
	const failed = crawlerReviews('a').then(async (response) => {
		for await (const _ of response.body ?? []);
	});
	const outcome = expect(failed).rejects.toThrow();
	await expect.poll(() => requests.inFlight, { interval: 5 }).toBe(1);
	const start = performance.now();
	await close();
	await close();
	expect(performance.now() - start).toBeLessThan(500);
	await outcome;
});
