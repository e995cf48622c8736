import { settled } from 'product-reviews-test-support/settled';
import { expect, test } from 'vitest';
import { startLive } from '../../support/unit/live.js';

const MINUTE = 60_000;
const STARS = '/api/v1/getStarRating';
const PIDS = Array.from({ length: 10 }, (_, index) => `p-${index}`);
const NO_TOKEN = { REVIEWS_BASE_URL: 'https://reviews.example', REVIEWS_WSID: 'W-1001' };

const ratings = (pids: readonly string[], average = 4) =>
	Object.fromEntries(pids.map((pid, index) => [pid, { average, count: index + 1 }]));

type Live = ReturnType<typeof startLive>;

const viewAll = ({ source }: Live, pids: readonly string[] = PIDS) =>
	Promise.all(pids.map(async (pid) => (await source.getStarRating?.(pid))?.average));

/** A listing whose stars are answered. */
async function view(live: Live, average: number, pids: readonly string[] = PIDS) {
	const page = viewAll(live, pids);
	await (await live.request()).answerStars(ratings(pids, average));
	return page;
}

test('ten stars on a page are one request of operation 1', async () => {
	const live = startLive();
	const page = viewAll(live);
	const request = await live.request();
	expect(request).toMatchObject({ path: STARS, pid: PIDS.join() });
	expect(request.headers.get('authorization')).toBe('Bearer canary-token');
	await request.answerStars(ratings(PIDS));
	expect(await page).toEqual(PIDS.map(() => 4));
	expect(live.asked).toHaveLength(1);
});

test('they are remembered like reviews, and asked for again in one list', async () => {
	const live = startLive();
	await view(live, 4);
	await live.pass(MINUTE);
	expect(await viewAll(live)).toEqual(PIDS.map(() => 4));
	expect(live.asked).toHaveLength(1);
	expect(live.source.freshness?.('rating', 'p-3').state).toBe('fresh');
	await live.pass(1);
	expect(live.source.freshness?.('rating', 'p-3').state).toBe('stale');
	const page = viewAll(live);
	const request = await live.request();
	expect(await page).toEqual(PIDS.map(() => 4));
	await request.answerStars(ratings(PIDS, 3));
	expect(await viewAll(live)).toEqual(PIDS.map(() => 3));
	expect(live.asked).toHaveLength(2);
});

test('views of the same stars at the same time are one request', async () => {
	const live = startLive();
	const pages = Array.from({ length: 50 }, () => viewAll(live));
	await (await live.request()).answerStars(ratings(PIDS));
	for (const page of pages) expect(await page).toEqual(PIDS.map(() => 4));
	expect(live.asked).toHaveLength(1);
});

test('250 of them are three requests', async () => {
	const live = startLive();
	const pids = Array.from({ length: 250 }, (_, index) => `p-${index}`);
	void viewAll(live, pids);
	await settled();
	expect(live.open.map(({ pid }) => pid.split(',').length)).toEqual([100, 100, 50]);
});

test('a product that the service knows nothing of has none, and is not asked for again at once', async () => {
	const live = startLive();
	const page = viewAll(live, ['p-1', 'p-2']);
	await (await live.request()).answerStars({
		'p-1': { average: 4, count: 1 },
		'p-2': { average: 0, count: 0 },
	});
	expect(await page).toEqual([4, undefined]);
	expect(await viewAll(live, ['p-1', 'p-2', 'p-1'])).toEqual([4, undefined, 4]);
	expect(live.asked).toHaveLength(1);
	expect(live.source.freshness?.('rating', 'p-2').state).toBe('fresh');
});

test('when the service fails, those that were shown last are shown', async () => {
	const live = startLive();
	await view(live, 4);
	await live.pass(2 * MINUTE);
	void viewAll(live);
	await (await live.request()).answerStatus(503);
	expect(await viewAll(live)).toEqual(PIDS.map(() => 4));
	expect(live.source.freshness?.('rating', 'p-1').state).toBe('stale');
	expect(live.asked).toHaveLength(2);
});

test('reviews of the product that the page shows, too, bring its rating', async () => {
	const live = startLive();
	const rating = live.source.getStarRating?.('p-1');
	void live.source.getProductReviews('p-1');
	const request = await live.request();
	expect(request.path).toBe('/api/llmRvwHTML');
	await request.answer();
	expect((await rating)?.average).toBe(4.5);
	expect((await live.source.getStarRating?.('p-1'))?.average).toBe(4.5);
	expect(live.asked).toHaveLength(1);
});

test('reviews that are no longer fresh do not make a request for each star', async () => {
	const live = startLive();
	for (const pid of PIDS) {
		void live.source.getProductReviews(pid);
		await (await live.request()).answer();
	}
	await live.pass(2 * MINUTE);
	const page = viewAll(live);
	await (await live.request()).answerStatus(503);
	expect(await page).toEqual(PIDS.map(() => 4.5));
	expect(live.asked).toHaveLength(11);
});

test('reviews that are remembered bring the stars for which the service failed', async () => {
	const live = startLive();
	void live.source.getProductReviews('p-1');
	await (await live.request()).answer();
	await live.pass(2 * MINUTE);
	const page = live.source.getStarRating?.('p-1');
	await (await live.request()).answerStatus(503);
	expect((await page)?.average).toBe(4.5);
});

test('a product that is known to have changed is asked for again', async () => {
	const live = startLive();
	await view(live, 4);
	live.source.forget?.(['p-1']);
	expect(live.source.freshness?.('rating', 'p-1').state).toBe('stale');
	const page = live.source.getStarRating?.('p-1');
	await (await live.request()).answerStars(ratings(['p-1'], 2));
	expect((await page)?.average).toBe(2);
});

test('an id for which the service refuses the whole list costs known products nothing', async () => {
	const live = startLive({ retries: 0 });
	await view(live, 4);
	await live.pass(2 * MINUTE);
	const page = viewAll(live, [...PIDS, 'made-up']);
	// Each half of the list that holds the id is refused, down to the id alone.
	for (await settled(); live.open.length > 0; await settled()) {
		const [request] = live.open;
		if (request?.pid.includes('made-up')) await request.answerStatus(400);
		else await request?.answerStars(ratings(request.pid.split(','), 3));
	}
	expect((await page).at(-1)).toBeUndefined();
	expect(await viewAll(live)).toEqual(PIDS.map(() => 3));
});

test('without a token stars are asked for as reviews', async () => {
	const live = startLive({}, NO_TOKEN);
	const page = live.source.getStarRating?.('p-1');
	const request = await live.request();
	expect(request.path).toBe('/api/llmRvwHTML');
	await request.answer();
	expect((await page)?.average).toBe(4.5);
	expect(live.source.freshness?.('rating', 'p-1').state).toBe('fresh');
});
