import { describe, expect, it } from 'vitest';
import { readCrawlerBlock, readJsonld } from '../../support/crawler-block.js';
import { ask, callsTo, testSandbox } from '../../support/test-sandbox.js';

const START = Date.UTC(2026, 4, 1, 12);
const PRODUCTS = ['a', 'b', 'c'].map((pid) => ({ pid, name: pid }));

describe('product IDs and texts', () => {
	it.each([
		'a/b',
		'..',
		'%2F',
		'🦊 & co?x=1#y',
		`"quoted" <id>'s`,
		'a+b c',
		'مرحبا',
		'__proto__',
		'x'.repeat(500),
	])('takes the product ID %j in all operations and in the html', async (pid) => {
		const sandbox = await testSandbox({
			products: [{ pid, name: `Product ${pid}`, reviews: [{ rating: 5 }] }],
		});
		const calls = callsTo(sandbox);
		expect((await (await calls.starRating([pid])).json()).data).toMatchObject([{ pid, prtng: 1 }]);
		expect((await (await calls.productReviewData(pid)).json()).data).toMatchObject([{ pid }]);
		const { html } = await (await calls.crawlerReviews(pid)).json();
		const href = `https://shop.example/products/${encodeURIComponent(pid)}/`;
		expect(readCrawlerBlock(html).items).toMatchObject([{ product: `Product ${pid}`, href }]);
		const { status } = await ask(sandbox, `GET /__sandbox/products/${encodeURIComponent(pid)}/reviews`);
		expect(status).toBe(200);
	});

	it.each([
		'</div></div><script>alert(1)</script>',
		'<!--<script>',
		'" onmouseover="alert(1)" x="',
		"'><img src=x onerror=alert(1)>",
		'&lt;b&gt; &amp; &#60;',
		'line\nbreak\r\nand\u2028separator',
		'\u0000nul\u001bescape',
		'\\u003c/script>',
	])('escapes %j', async (text) => {
		const url = `https://shop.example/?q=${text.replaceAll('\u0000', '')}`;
		const reviews = [{ rating: 1.5, title: text, body: text, author: text }];
		const sandbox = await testSandbox({
			storeName: text,
			products: [{ pid: 'p', name: text, url, reviews }],
		});
		const { html, jsonld } = await (await callsTo(sandbox).crawlerReviews('p')).json();
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not arrive
		const line = text.replace(/[\s\u2028]+/g, ' ').replace(/[\u0000\u001b]/g, '');
		const shown = { product: line, author: line, title: line, body: line, rating: 'Rating: 1.5/5' };
		expect(readCrawlerBlock(html).items).toMatchObject([shown]);
		expect(readJsonld(jsonld)).toMatchObject({
			name: text,
			review: [{ reviewBody: text, author: { name: text }, publisher: { name: text } }],
		});
		expect(jsonld.slice(1, -1).replace('</script', '')).not.toContain('<');
	});
});

describe('crawler reviews', () => {
	it('fills only the parts that are wanted', async () => {
		const sandbox = await testSandbox({ products: [{ pid: 'p', name: 'P', reviews: [{ rating: 4 }] }] });
		const filled = async (ihtml: string, ijsonld: string) => {
			const { html, jsonld } = await (await callsTo(sandbox).crawlerReviews('p', { ihtml, ijsonld })).json();
			return [html !== '', jsonld !== ''];
		};
		expect(await filled('true', 'false')).toEqual([true, false]);
		expect(await filled('0', '1')).toEqual([false, true]);
		expect(await filled('', 'yes')).toEqual([false, false]);
	});

	it.each([
		['wsid=W-1001', 400],
		['pid=a', 400],
		['wsid=W-2&pid=a', 404],
		['wsid=W-1001&pid=q', 404],
		['wsid=W-1001&pid=a', 200],
	])('answer %s with %i, whatever the authorization', async (query, status) => {
		const { url } = await testSandbox({ products: PRODUCTS });
		const headers = { authorization: 'Bearer wrong' };
		expect((await fetch(`${url}/api/llmRvwHTML?${query}`, { headers })).status).toBe(status);
	});
});

describe('star ratings', () => {
	const PATH = '/api/v1/getStarRating';
	const IDS = Array.from({ length: 101 }, (_, index) => String(index));

	it('leave unknown ids out and answer each id once, in the order asked for', async () => {
		const { starRating } = callsTo(await testSandbox({ products: PRODUCTS }));
		const none = { avgrtng: 0, prtng: 0, html: '', isReqSyncWoo: false, queCount: 0 };
		const { data } = await (await starRating(['c', 'nobody', 'a', 'c'])).json();
		expect(data).toEqual([
			{ pid: 'c', ...none },
			{ pid: 'a', ...none },
		]);
		const empty = await starRating([]);
		expect([empty.status, await empty.json()]).toEqual([200, { success: true, data: [] }]);
	});

	it.each([
		['no list', {}, 400, ''],
		['numbers for ids', { listProductId: [1] }, 400, ''],
		['an array', [], 400, ''],
		['no JSON', '{"listProductId":', 400, ''],
		['more than 1 MB', { listProductId: ['x'.repeat(1_100_000)] }, 413, ''],
		['101 ids', { listProductId: IDS }, 413, 'listProductId has 101 ids; the maximum is 100.'],
	])('refuse %s', async (_, body, status, said) => {
		const response = await callsTo(await testSandbox()).post(PATH, body);
		expect(response.status).toBe(status);
		const message = said || expect.any(String);
		expect(await response.json()).toMatchObject({ success: false, status, message });
	});

	it('take 100 ids, and refuse another content type and other methods', async () => {
		const sandbox = await testSandbox();
		const { post, starRating } = callsTo(sandbox);
		expect((await starRating(IDS.slice(1))).status).toBe(200);
		const form = await post(PATH, '{"listProductId":[]}', { 'content-type': 'text/plain' });
		expect(form.status).toBe(415);
		const get = await fetch(sandbox.url + PATH);
		expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
	});
});

describe('authorization', () => {
	it.each(['starRating', 'productReviewData'] as const)('%s needs an accepted bearer token', async (name) => {
		const sandbox = await testSandbox({ token: ['first', 'second'], products: PRODUCTS });
		expect(sandbox.token).toBe('first');
		const statuses = [];
		for (const authorization of ['Bearer first', 'bearer second', 'Bearer third', 'Basic first', '']) {
			const given = name === 'starRating' ? ['a'] : 'a';
			statuses.push((await callsTo(sandbox)[name](given, { authorization })).status);
		}
		expect(statuses).toEqual([200, 200, 401, 401, 401]);
	});

	it('says in JSON that a token is missing', async () => {
		const { url } = await testSandbox();
		const response = await fetch(`${url}/api/v1/getStarRating`, { method: 'POST', body: '{}' });
		expect(response.headers.get('www-authenticate')).toBe('Bearer');
		const message = 'Send "Authorization: Bearer <ACCESS_TOKEN>".';
		expect(await response.json()).toEqual({ success: false, status: 401, message });
	});
});

describe('conditional requests and compression', () => {
	const LONG = { pid: 'p', name: 'P', reviews: [{ rating: 5, body: 'x'.repeat(3_000) }] };

	it.each(['crawlerReviews', 'productReviewData'] as const)('%s answers 304 until a change', async (name) => {
		let now = START;
		const sandbox = await testSandbox({ products: [LONG], now: () => now });
		const calls = callsTo(sandbox);
		const ask = (headers: Record<string, string> = {}) =>
			name === 'crawlerReviews'
				? calls.crawlerReviews('p', {}, { headers })
				: calls.productReviewData('p', headers);

		const first = await ask();
		const etag = first.headers.get('etag') ?? '';
		expect(first.headers.get('last-modified')).toBe('Fri, 01 May 2026 12:00:00 GMT');
		expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
		const second = await ask({ 'if-none-match': `"other", ${etag}` });
		expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', etag]);

		now += 3_600_000;
		sandbox.store.createReview('p', { rating: 4 });
		const third = await ask({ 'if-none-match': etag });
		const modified = third.headers.get('last-modified');
		expect([third.status, modified]).toEqual([200, 'Fri, 01 May 2026 13:00:00 GMT']);
	});

	it.each([
		['p', 'br, gzip;q=0.5', 'gzip'],
		['p', 'gzip;q=0, identity', null],
		['small', 'gzip', null],
	])('the answer about %s, where %s is accepted, is compressed with %s', async (pid, accepted, encoding) => {
		const { crawlerReviews } = callsTo(await testSandbox({ products: [LONG, { pid: 'small', name: 'S' }] }));
		const response = await crawlerReviews(pid, {}, { headers: { 'accept-encoding': accepted } });
		expect((await response.json()).pid).toBe(pid);
		expect(response.headers.get('content-encoding')).toBe(encoding);
	});
});

describe('access tokens', () => {
	const mint = async (url: string, query: string) => {
		const response = await fetch(`${url}/api/v1/authToken?${query}`);
		return { status: response.status, ...(await response.json()) } as Record<string, unknown>;
	};

	it('are given for the API key, and expire', async () => {
		let now = START;
		const lines: string[] = [];
		const log = (line: string) => lines.push(line);
		const options = { apiKey: 'canary-key', tokenLifetime: 5_000, now: () => now, products: PRODUCTS, log };
		const sandbox = await testSandbox(options);
		const [short, long] = await Promise.all(
			['api_key=canary-key', 'api_key=canary-key&expiresIn=2'].map((query) => mint(sandbox.url, query)),
		);
		expect(short).toMatchObject({ status: 200, success: true, authToken: expect.any(String) });
		const statusWith = async (token: unknown) =>
			(await callsTo({ ...sandbox, token: String(token) }).productReviewData('a')).status;
		const statuses = () =>
			Promise.all([short?.['authToken'], long?.['authToken'], sandbox.token].map(statusWith));
		expect(await statuses()).toEqual([200, 200, 200]);
		now += 5_000;
		expect(await statuses()).toEqual([401, 200, 200]);
		now += 2 * 86_400_000;
		expect(await statuses()).toEqual([401, 401, 200]);
		for (const query of ['', 'api_key=', 'api_key=other'])
			expect(await mint(sandbox.url, query)).toMatchObject({ status: 401, success: false });
		expect((await mint(sandbox.url, 'api_key=canary-key&expiresIn=0'))['status']).toBe(400);
		expect(lines.join()).not.toMatch(/canary|tok_/);
	});
});

it('operation 3 may be at an address of its own, and at no other', async () => {
	const sandbox = await testSandbox({ crawlerPort: 0, products: PRODUCTS });
	const { crawlerUrl } = sandbox;
	expect(crawlerUrl).not.toBe(sandbox.url);
	const first = callsTo(sandbox);
	const second = callsTo({ ...sandbox, url: crawlerUrl });
	const answers = [first, second].map(async ({ starRating, productReviewData, crawlerReviews }) => {
		const all = await Promise.all([starRating(['a']), productReviewData('a'), crawlerReviews('a')]);
		return all.map(({ status, headers }) => [status, headers.get('content-type')?.split(';')[0]]);
	});
	const [json, page] = [
		[200, 'application/json'],
		[404, 'text/html'],
	];
	expect(await Promise.all(answers)).toEqual([
		[json, json, page],
		[page, page, json],
	]);
	expect(sandbox.requests.count()).toBe(3);
	const { port } = new URL(crawlerUrl);
	await expect(testSandbox({ crawlerPort: Number(port) })).rejects.toThrow('The port is in use');
});
