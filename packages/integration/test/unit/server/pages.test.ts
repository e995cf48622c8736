import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DAY, MINUTE, NO_TOKEN, pidsOf, settled, startLive } from '../../support/unit/live.js';

async function startShowing(options: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
	const live = startLive(options);
	await live.view(['p-1'], (request) => request.answer({ headers }));
	const fresh = () => live.source.freshness?.('reviews', 'p-1') ?? expect.fail();
	return { ...live, state: () => fresh().state, changedAt: () => fresh().changedAt ?? 0 };
}

test('what is fresh is not asked for, what is stale is shown while it is, and what is older is waited for', async () => {
	const { shown, request, pass, state, asked, source } = await startShowing();
	await pass(MINUTE - 1);
	expect(await shown()).toBe(4.5);
	expect(asked).toHaveLength(1);
	await pass(1);
	expect([await shown(), state()]).toEqual([4.5, 'stale']);
	// An answer that cannot be read replaces no good one.
	await (await request()).answer({ count: 0 });
	expect([await shown(), state()]).toEqual([4.5, 'stale']);
	await pass(MINUTE);
	await shown();
	await (await request()).answer({ average: 3 });
	expect([await shown(), state()]).toEqual([3, 'fresh']);
	await pass(DAY + 1);
	const page = source.getProductReviews('p-1');
	await (await request()).answer({ average: 2 });
	expect((await page)?.aggregate?.average).toBe(2);
	expect(vi.getTimerCount()).toBe(0);
});

describe('a service that does not answer for 800 ms', () => {
	test('leaves a page without reviews, and its request goes on for the pages after it', async () => {
		const { shown, request, pass, source, asked, states } = startLive();
		const page = source.getProductReviews('p-1');
		await pass(799);
		expect(await shown()).toBe('waiting');
		await pass(1);
		expect(await page).toBeUndefined();
		expect(states(['p-1'])).toEqual(new Set(['missing']));
		// Nobody waits twice for one request.
		expect(await shown()).toBeUndefined();
		await (await request()).answer();
		expect(await shown()).toBe(4.5);
		expect(asked).toHaveLength(1);
	});

	test('leaves it with the last good ones, up to "staleIfError"', async () => {
		const { pass, source } = await startShowing({ staleIfError: '2d' });
		await pass(2 * DAY - 800);
		const page = source.getProductReviews('p-1');
		await pass(800);
		expect((await page)?.aggregate?.average).toBe(4.5);
		await pass(DAY);
		const late = source.getProductReviews('p-1');
		await pass(800);
		expect(await late).toBeUndefined();
	});

	test('is waited for once by a page with many products', async () => {
		const { source, pass, shown } = startLive();
		const first = source.getProductReviews('p-1');
		await pass(800);
		await first;
		for (const pid of ['p-2', 'p-3', 'p-4']) expect(await shown(pid)).toBeUndefined();
		await pass(800);
		expect(await shown('p-5')).toBe('waiting');
	});
});

describe('a service that fails', () => {
	test('for all products is left alone, and the log says so once a minute', async () => {
		const { view, asked, warnings, pass } = startLive();
		await view(pidsOf(100), (request) => request.answerStatus(503));
		expect(asked).toHaveLength(24);
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toContain('The service failed for the product "p-0"');
		expect(warnings[0]).not.toContain('canary');
		await pass(MINUTE);
		await view(['p-1000'], (request) => request.answerStatus(503));
		expect(warnings).toHaveLength(2);
	});

	test.each([
		[{}, 'REVIEWS_WSID in the environment of the server'],
		[{ wsid: 'W-1001' }, 'the option "wsid" of productReviews()'],
	])('by a refusal: the log says what to check, and where that was set', async (options, origin) => {
		const { source, open, view, warnings, pass } = startLive(options);
		await view(['p-1'], (request) => request.answerStatus(400));
		expect(warnings[0]).toContain(`Check the website ID "W-1001" (${origin}) and the id of the product.`);
		await pass(MINUTE);
		void source.getReviewData('p-1');
		await settled();
		// The token is looked up once more when it is refused.
		for (; open.length > 0; await settled()) await open[0]?.answerStatus(401);
		expect(warnings[1]).toContain('Check REVIEWS_TOKEN in the environment of the server');
		expect(warnings.join()).not.toContain('canary');
	});
});

test('no more products than "maxProducts" are asked for at once', async () => {
	const { source, open, asked, pass } = startLive({ concurrency: 1, onDemand: { maxProducts: 10 } });
	for (const pid of pidsOf(100)) void source.getProductReviews(pid);
	await pass(800);
	for (let count = 0; count < 100; count++) {
		await open[0]?.answer();
		await settled();
	}
	expect(asked).toHaveLength(10);
});

test('a service that knows validators is asked whether something changed', async () => {
	const { shown, request, pass, state, changedAt } = await startShowing({}, { etag: '"one"' });
	const since = changedAt();
	for (let count = 0; count < 3; count++) {
		await pass(MINUTE + 1);
		expect(await shown()).toBe(4.5);
		const again = await request();
		expect(again.headers.get('if-none-match')).toBe('"one"');
		await again.answerStatus(304);
		expect([state(), changedAt()]).toEqual(['fresh', since]);
	}
});

test('a change of a product, or of all, is asked for before a page shows it', async () => {
	const { shown, request, source, asked, state } = await startShowing();
	source.forget?.(['p-1']);
	expect(state()).toBe('stale');
	const page = source.getProductReviews('p-1');
	await (await request()).answer({ average: 3 });
	expect((await page)?.aggregate?.average).toBe(3);
	source.forget?.(undefined);
	expect(await shown()).toBe('waiting');
	expect(asked).toHaveLength(3);
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

test('a server with an API key requests a token, again after a 401, and each operation at its address', async () => {
	const minted: string[] = [];
	vi.stubGlobal('fetch', async (url: string) => Response.json({ authToken: `token-${minted.push(url)}` }));
	onTestFinished(() => void vi.unstubAllGlobals());
	const environment = {
		...NO_TOKEN,
		REVIEWS_API_KEY: 'canary-key',
		REVIEWS_BASE_URL_CRAWLER_HTML: 'https://html.example/x',
	};
	const { source, request, warnings } = startLive({}, environment);
	const data = source.getReviewData('p-1');
	const first = await request();
	expect([first.origin, first.headers.get('authorization')]).toEqual([
		'https://reviews.example',
		'Bearer token-1',
	]);
	await first.answerStatus(401);
	const second = await request();
	expect(second.headers.get('authorization')).toBe('Bearer token-2');
	await second.answerStatus(404);
	expect((await data)?.pid).toBe('p-1');
	void source.getProductReviews('p-1');
	expect(await request()).toMatchObject({ origin: 'https://html.example', path: '/x/api/llmRvwHTML' });
	expect(minted).toEqual(Array(2).fill('https://reviews.example/api/v1/authToken?api_key=canary-key'));
	expect(warnings.join()).not.toContain('canary');
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

test.each([-DAY, 365 * DAY])('a clock set by %i ms takes no reviews away, and dates changes', async (by) => {
	const { shown, request, pass, state, changedAt } = await startShowing();
	const before = changedAt();
	vi.setSystemTime(Date.now() + by);
	expect([await shown(), state()]).toEqual([4.5, 'fresh']);
	await pass(MINUTE + 1);
	expect([await shown(), state()]).toEqual([4.5, 'stale']);
	await (await request()).answer({ average: 3 });
	expect(changedAt()).toBe(before + by + MINUTE + 1);
});

test.each([
	['a year', String(365 * 86_400)],
	['ten thousand years', '315360000000'],
	['a date in a century', new Date('2126-11-21T12:00:00Z').toUTCString()],
])('a pause of %s ends after five minutes, with two requests that others wait for', async (_name, pause) => {
	const { view, shown, pass, source, asked, open } = startLive();
	await view(['p-1'], (request) => request.answer());
	await pass(2 * MINUTE);
	await view(['p-1'], (request) => request.answerStatus(429, { 'retry-after': pause }));
	for (let minute = 0; minute < 4; minute++) {
		await pass(MINUTE);
		expect(await shown('p-1')).toBe(4.5);
		expect(await shown('p-2')).toBeUndefined();
	}
	expect(asked).toHaveLength(2);
	await pass(MINUTE + 10_000);
	for (const pid of ['p-1', 'p-2', 'p-3']) void source.getProductReviews(pid);
	await settled();
	expect(asked.slice(2)).toEqual(['p-1', 'p-2']);
	const [known, unknown] = open;
	await known?.answer({ average: 3 });
	await unknown?.answer();
	expect(await shown('p-1')).toBe(3);
	expect(asked.slice(2)).toEqual(['p-1', 'p-2', 'p-3']);
});
