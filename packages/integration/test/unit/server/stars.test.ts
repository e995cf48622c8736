import { expect, test } from 'vitest';
import { ENVIRONMENT, MINUTE, NO_TOKEN, pidsOf, settled, startLive } from '../../support/unit/live.js';

const STARS = '/api/v1/getStarRating';
const REVIEWS = '/api/llmRvwHTML';
const PIDS = pidsOf(10);

const ratings = (pids: readonly string[], average: number) =>
	Object.fromEntries(pids.map((pid, index) => [pid, { average, count: index + 1 }]));

function start(environment?: typeof NO_TOKEN) {
	const live = startLive({}, environment);
	const view = async (pids: readonly string[] = PIDS) => {
		const stars = pids.map(async (pid) => (await live.source.getStarRating?.(pid))?.average);
		await settled();
		return Promise.all(stars);
	};
	return {
		...live,
		view,
		async viewAnswered(average: number, pids = PIDS) {
			const page = view(pids);
			await (await live.request()).answerStars(ratings(pids, average));
			return page;
		},
		viewReviews: live.view,
		state: (pid: string) => live.source.freshness?.('rating', pid).state,
	};
}

const all = (average: number) => PIDS.map(() => average);

test('ten stars on a page are one request of operation 1, whoever views them at the same time', async () => {
	const { view, request, asked } = start();
	const pages = Array.from({ length: 50 }, () => view());
	const open = await request();
	expect(open).toMatchObject({ path: STARS, pid: PIDS.join() });
	expect(open.headers.get('authorization')).toBe('Bearer canary-token');
	await open.answerStars(ratings(PIDS, 4));
	for (const page of pages) expect(await page).toEqual(all(4));
	expect(asked).toHaveLength(1);
});

test('they are remembered like reviews, and asked for again in one list', async () => {
	const { view, viewAnswered, request, pass, state, asked } = start();
	await viewAnswered(4);
	await pass(MINUTE - 1);
	expect(await view()).toEqual(all(4));
	expect([asked.length, state('p-3')]).toEqual([1, 'fresh']);
	await pass(1);
	expect(state('p-3')).toBe('stale');
	const page = view();
	const open = await request();
	expect(await page).toEqual(all(4));
	await open.answerStars(ratings(PIDS, 3));
	expect(await view()).toEqual(all(3));
	expect(asked).toHaveLength(2);
	// When the service fails, those that were shown last are shown.
	await pass(2 * MINUTE);
	void view();
	await (await request()).answerStatus(503);
	expect(await view()).toEqual(all(3));
	expect([asked.length, state('p-1')]).toEqual([3, 'stale']);
});

test('a product that the service knows nothing of has none, and is not asked for again at once', async () => {
	const { view, request, asked, state } = start();
	const page = view(['p-1', 'p-2']);
	await (await request()).answerStars({
		'p-1': { average: 4, count: 1 },
		'p-2': { average: 0, count: 0 },
	});
	expect(await page).toEqual([4, undefined]);
	expect(await view(['p-1', 'p-2', 'p-1'])).toEqual([4, undefined, 4]);
	expect([asked.length, state('p-2')]).toEqual([1, 'fresh']);
});

test.each([
	['that the page shows, too, bring its rating', ENVIRONMENT],
	['are asked for in place of it without a token', NO_TOKEN],
])('reviews of the product %s', async (_what, environment) => {
	const { view, source, request, asked, state } = start(environment);
	const stars = view(['p-1']);
	if (environment === ENVIRONMENT) void source.getProductReviews('p-1');
	const open = await request();
	expect(open.path).toBe(REVIEWS);
	await open.answer();
	expect(await stars).toEqual([4.5]);
	expect(await view(['p-1'])).toEqual([4.5]);
	expect([asked.length, state('p-1')]).toEqual([1, 'fresh']);
});

test('reviews that are remembered bring a rating where the service fails, with one request for all', async () => {
	const { view, viewReviews, request, pass, asked } = start();
	await viewReviews(PIDS, (request) => request.answer());
	await pass(2 * MINUTE);
	const page = view();
	await (await request()).answerStatus(503);
	expect(await page).toEqual(all(4.5));
	expect(asked).toHaveLength(11);
});

test('an id for which the service refuses the whole list costs known products nothing', async () => {
	const { view, viewAnswered, open, pass } = start();
	await viewAnswered(4);
	await pass(2 * MINUTE);
	const page = view([...PIDS, 'made-up']);
	// Each half of the list that holds the id is refused, down to the id alone.
	for (await settled(); open.length > 0; await settled()) {
		const [request] = open;
		if (request?.pid.includes('made-up')) await request.answerStatus(400);
		else await request?.answerStars(ratings(request.pid.split(','), 3));
	}
	expect((await page).at(-1)).toBeUndefined();
	expect(await view()).toEqual(all(3));
});
