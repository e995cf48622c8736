import { settled } from 'product-reviews-test-support/settled';
import { expect, test } from 'vitest';
import { startLive } from '../../support/unit/live.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

test('200 pages at once make one request', async () => {
	const { source, request, asked, timers } = startLive();
	const pages = Array.from({ length: 200 }, () => source.getProductReviews('p-1'));
	await (await request()).answer();
	for (const reviews of await Promise.all(pages)) expect(reviews?.aggregate?.average).toBe(4.5);
	expect(asked).toEqual(['p-1']);
	expect(timers.size).toBe(0);
});

test('what is fresh is not asked for', async () => {
	const { shown, request, pass, asked } = startLive();
	void shown();
	await (await request()).answer();
	await pass(MINUTE);
	expect(await shown()).toBe(4.5);
	expect(asked).toHaveLength(1);
});

test('what is stale is shown at once, while it is asked for', async () => {
	const { shown, request, pass, source } = startLive();
	void shown();
	await (await request()).answer();
	await pass(MINUTE + 1);
	expect(await shown()).toBe(4.5);
	expect(source.freshness?.('reviews', 'p-1').state).toBe('stale');
	await (await request()).answer({ average: 3 });
	expect(await shown()).toBe(3);
	expect(source.freshness?.('reviews', 'p-1').state).toBe('fresh');
});

test('older than that, a page waits for it', async () => {
	const { shown, request, pass, source } = startLive();
	void shown();
	await (await request()).answer();
	await pass(DAY + 1);
	const page = source.getProductReviews('p-1');
	await (await request()).answer({ average: 3 });
	expect((await page)?.aggregate?.average).toBe(3);
});

test('after 800 ms a page shows nothing, and the request goes on for the pages after it', async () => {
	const { shown, request, pass, source, asked } = startLive();
	const page = source.getProductReviews('p-1');
	await pass(799);
	expect(await shown()).toBe('waiting');
	await pass(1);
	expect(await page).toBeUndefined();
	expect(source.freshness?.('reviews', 'p-1').state).toBe('missing');
	// Nobody waits twice for one request.
	expect(await shown()).toBeUndefined();
	await (await request()).answer();
	expect(await shown()).toBe(4.5);
	expect(asked).toHaveLength(1);
});

test('after 800 ms a page shows the last good reviews, up to "maxStale"', async () => {
	const { shown, request, pass, source } = startLive({ maxStale: '2d' });
	void shown();
	await (await request()).answer();
	await pass(2 * DAY - 800);
	const page = source.getProductReviews('p-1');
	await pass(800);
	expect((await page)?.aggregate?.average).toBe(4.5);
	await pass(DAY);
	expect(await shown()).toBeUndefined();
});

test('a page with many products waits for a service that hangs only once', async () => {
	const { source, pass, shown } = startLive();
	const first = source.getProductReviews('p-1');
	await pass(800);
	await first;
	for (const pid of ['p-2', 'p-3', 'p-4']) expect(await shown(pid)).toBeUndefined();
	await pass(800);
	expect(await shown('p-5')).toBe('waiting');
});

test('a product that failed is not asked for again for 10 s', async () => {
	const { shown, request, pass, asked, source } = startLive();
	const page = source.getProductReviews('p-1');
	await (await request()).answerStatus(500);
	expect(await page).toBeUndefined();
	await pass(9_999);
	expect(await shown()).toBeUndefined();
	expect(asked).toHaveLength(1);
	await pass(1);
	void shown();
	await (await request()).answer();
	expect(await shown()).toBe(4.5);
});

test('a service that is down is left alone, and the log says so once a minute', async () => {
	const { source, open, asked, warnings, pass } = startLive();
	for (let count = 0; count < 100; count++) {
		const page = source.getProductReviews(`p-${count}`);
		await settled();
		await open[0]?.answerStatus(503);
		await page;
	}
	expect(asked).toHaveLength(24);
	expect(warnings).toHaveLength(1);
	expect(warnings[0]).toContain('The service failed for the product "p-0"');
	expect(warnings[0]).not.toContain('canary');
	await pass(MINUTE);
	void source.getProductReviews('p-1000');
	await settled();
	await open[0]?.answerStatus(503);
	expect(warnings).toHaveLength(2);
});

test.each([
	[{}, 'REVIEWS_WSID in the environment of the server'],
	[{ wsid: 'W-1001' }, 'the option "wsid" of productReviews()'],
])('a refusal says what to check, and where that was set', async (options, origin) => {
	const { source, request, warnings } = startLive(options);
	void source.getProductReviews('p-1');
	await (await request()).answerStatus(400);
	expect(warnings[0]).toContain(`Check the website id "W-1001" (${origin}) and the id of the product.`);
});

test('a refused token is named by its variable', async () => {
	const { source, open, warnings } = startLive();
	void source.getReviewData('p-1');
	await settled();
	// The token is looked up once more when it is refused.
	for (; open.length > 0; await settled()) await open[0]?.answerStatus(401);
	expect(warnings[0]).toContain('Check REVIEWS_TOKEN in the environment of the server');
	expect(warnings[0]).not.toContain('canary');
});

test('no more requests than "concurrency" are in flight', async () => {
	const { source, open } = startLive({ concurrency: 3 });
	for (let count = 0; count < 20; count++) void source.getProductReviews(`p-${count}`);
	await settled();
	expect(open).toHaveLength(3);
	await open[0]?.answer();
	expect(open).toHaveLength(3);
});

test('while as many products as are remembered are asked for, no more are', async () => {
	const { source, open, asked, pass } = startLive({ concurrency: 1, onDemand: { most: 10 } });
	for (let count = 0; count < 100; count++) void source.getProductReviews(`p-${count}`);
	await pass(800);
	for (let count = 0; count < 100; count++) {
		if (open[0]) await open[0].answer();
		await settled();
	}
	expect(asked).toHaveLength(10);
});

test('no more products are remembered than "most"', async () => {
	const { source, open, asked } = startLive({ onDemand: { most: 10 } });
	for (let count = 0; count < 100; count++) {
		const page = source.getProductReviews(`p-${count}`);
		await settled();
		await open[0]?.answer();
		await page;
	}
	const remembered = asked.filter((pid) => source.freshness?.('reviews', pid).state === 'fresh');
	expect(remembered.length).toBeLessThanOrEqual(10);
	expect(remembered).toContain('p-99');
});

test('a service that knows validators is asked whether something changed', async () => {
	const { shown, request, pass, source } = startLive();
	void shown();
	await (await request()).answer({ headers: { etag: '"one"' } });
	const since = source.freshness?.('reviews', 'p-1').changedAt;
	for (let count = 0; count < 3; count++) {
		await pass(MINUTE + 1);
		expect(await shown()).toBe(4.5);
		const again = await request();
		expect(again.headers.get('if-none-match')).toBe('"one"');
		await again.answerStatus(304);
		expect(source.freshness?.('reviews', 'p-1')).toEqual({ state: 'fresh', changedAt: since });
	}
});

test('the time of the last change is that of another answer', async () => {
	const { shown, request, pass, source } = startLive();
	const changedAt = () => source.freshness?.('reviews', 'p-1').changedAt ?? 0;
	void shown();
	await (await request()).answer();
	const first = changedAt();
	await pass(2 * MINUTE);
	void shown();
	await (await request()).answer();
	expect(changedAt()).toBe(first);
	await pass(2 * MINUTE);
	void shown();
	await (await request()).answer({ average: 3 });
	expect(changedAt()).toBe(first + 4 * MINUTE);
});

test('a product that is known to have changed is asked for again before it is shown', async () => {
	const { shown, request, source, asked } = startLive();
	void shown();
	await (await request()).answer();
	source.forget?.(['p-1']);
	expect(source.freshness?.('reviews', 'p-1').state).toBe('stale');
	const page = source.getProductReviews('p-1');
	await (await request()).answer({ average: 3 });
	expect((await page)?.aggregate?.average).toBe(3);
	source.forget?.(undefined);
	expect(await shown()).toBe('waiting');
	expect(asked).toHaveLength(3);
});

test('what was asked for before a change does not count as fresh after it', async () => {
	const { source, open } = startLive();
	const before = source.getProductReviews('p-1');
	await settled();
	source.forget?.(['p-1']);
	await open[0]?.answer({ average: 2 });
	expect((await before)?.aggregate?.average).toBe(2);
	const after = source.getProductReviews('p-1');
	await settled();
	await open[0]?.answer({ average: 3 });
	expect((await after)?.aggregate?.average).toBe(3);
});

test('a late answer from before a change does not replace the one from after it', async () => {
	const { source, open, shown, pass } = startLive();
	void source.getProductReviews('p-1');
	await settled();
	const [late] = open;
	source.forget?.(['p-1']);
	await pass(1);
	void source.getProductReviews('p-1');
	await settled();
	await pass(1);
	await open[1]?.answer({ average: 3 });
	await late?.answer({ average: 2 });
	expect(await shown()).toBe(3);
});

test('an answer that cannot be read does not replace a good one', async () => {
	const { shown, request, pass } = startLive();
	void shown();
	await (await request()).answer();
	await pass(MINUTE + 1);
	await shown();
	await (await request()).answer({ count: 0 });
	expect(await shown()).toBe(4.5);
});

test('a clock that is set back keeps nothing for years', async () => {
	const { shown, request, pass, asked } = startLive();
	void shown();
	await (await request()).answer();
	await pass(-DAY);
	await shown();
	expect(asked).toHaveLength(2);
});

test('operation 2 is asked with the token of the server, and operation 3 without', async () => {
	const { source, request } = startLive();
	void source.getReviewData('p-1');
	const data = await request();
	expect(data.headers.get('authorization')).toBe('Bearer canary-token');
	await data.answerStatus(404);
	expect((await source.getReviewData('p-1'))?.pid).toBe('p-1');
	void source.getProductReviews('p-1');
	expect((await request()).headers.get('authorization')).toBeNull();
});

test.each([
	[{}, {}, 'REVIEWS_BASE_URL is not set in the environment of the server.'],
	[{ baseUrl: 'https://reviews.example' }, {}, 'REVIEWS_WSID is not set in the environment of the server.'],
	[{ wsid: 'W-1' }, { REVIEWS_BASE_URL: 'ftp://x' }, 'The option baseUrl is not an http address'],
])('a server that lacks settings shows nothing and says what it lacks: %j', async (options, env, message) => {
	const { shown, warnings, asked } = startLive(options, env);
	expect(await shown()).toBeUndefined();
	expect(warnings.join()).toContain(message);
	expect(asked).toEqual([]);
});
