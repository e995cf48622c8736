import { describe, expect, test } from 'vitest';
import { DAY, MINUTE, type OpenRequest, pidsOf, settled, startKnowing } from '../../support/unit/live.js';

const TWENTY = pidsOf(20);

type Reply = (request: OpenRequest) => Promise<void>;
const reviews: Reply = (request) => request.answer();
const notFound: Reply = (request) => request.answerStatus(404);
const empty: Reply = (request) => request.answerEmpty();
const lacking =
	(isLost: (pid: string) => boolean, reply = notFound): Reply =>
	(request) =>
		isLost(request.pid) ? reply(request) : reviews(request);

/** Such a server, and views of pages that wait for the service: their products are known to have changed. */
async function start(pids: readonly string[] = TWENTY) {
	const live = await startKnowing(pids);
	const viewAnew = (reply: Reply, views = pids) => {
		live.source.forget?.(views);
		return live.view(views, reply);
	};
	return { ...live, viewAnew };
}

describe.each([
	['404', notFound],
	['no reviews', empty],
])('a service that suddenly answers %s', (_name, reply) => {
	test('for all products takes none of their reviews from pages, and one line an hour says so', async () => {
		const { view, viewAnew, pass, warnings } = await start();
		// Four are plausible. The fifth tells that they are not.
		expect((await viewAnew(reply)).length).toBe(16);
		expect(await view(TWENTY, reply)).toEqual(TWENTY);
		for (let round = 0; round < 5; round++) {
			await pass(2 * MINUTE);
			expect(await viewAnew(reply)).toEqual(TWENTY);
		}
		expect(warnings).toEqual([
			'[astro-product-reviews] According to the service, 5 products lost all reviews within a day. So many at once (over 20 % of 20) look like a fault of the service; what was shown last is shown, and the service is asked again. If the reviews are really gone, restart the server. Products: "p-0", "p-1", "p-2", "p-3", "p-4". [PR_REVIEWS_VANISHED]',
		]);
		for (let day = 0; day < 3; day++) {
			await pass(DAY);
			expect(await viewAnew(reply)).toEqual(TWENTY);
		}
		expect(warnings).toHaveLength(4);
	});

	test('for a few of many is believed', async () => {
		const pids = pidsOf(40);
		const { viewAnew, warnings } = await start(pids);
		expect(await viewAnew(lacking((pid) => pids.indexOf(pid) < 8, reply))).toEqual(pids.slice(8));
		expect(warnings).toEqual([]);
	});
});

test('each product is asked for again after ten seconds, and shown as the service says once it works', async () => {
	const { view, viewAnew, pass, asked, states } = await start();
	await viewAnew(notFound);
	const before = asked.length;
	await view(TWENTY, notFound);
	expect(asked.length).toBe(before);
	await pass(MINUTE + 10_000);
	await view(TWENTY, notFound);
	expect(asked.length).toBe(before + TWENTY.length);
	await pass(10_000);
	await viewAnew(reviews);
	expect(states(TWENTY)).toEqual(new Set(['fresh']));
	// Now one that has really none is believed again.
	expect(await viewAnew(lacking((pid) => pid === 'p-3'))).toEqual(TWENTY.filter((pid) => pid !== 'p-3'));
});

test('losses of single products, day by day, are all believed; made-up ids do not count', async () => {
	const { view, viewAnew, pass, warnings } = await start();
	expect(await view(pidsOf(50, 'made-up'), notFound)).toEqual([]);
	for (let gone = 1; gone <= 12; gone++) {
		await pass(DAY / 3);
		expect(await viewAnew(lacking((pid) => TWENTY.indexOf(pid) < gone))).toEqual(TWENTY.slice(gone));
	}
	expect(warnings).toEqual([]);
});

test('stars that a list suddenly lacks are shown on', async () => {
	const { source, open, pass, warnings } = await startKnowing([]);
	const stars = Object.fromEntries(TWENTY.map((pid) => [pid, { average: 4.5, count: 2 }]));
	const view = async (sent: typeof stars) => {
		source.forget?.(undefined);
		const shown = Promise.all(TWENTY.map((pid) => source.getStarRating?.(pid)));
		await settled();
		await open[0]?.answerStars(sent);
		return (await shown).filter((rating) => rating?.average === 4.5).length;
	};
	expect(await view(stars)).toBe(20);
	expect(await view({})).toBeGreaterThanOrEqual(16);
	await pass(11_000);
	expect(await view({})).toBe(20);
	expect(warnings).toHaveLength(1);
});

const GOOD = pidsOf(20, 'good');
const MADE_UP = pidsOf(60, 'made-up');

test.each<[string, Reply]>([
	['404', notFound],
	['no reviews', empty],
	['400', (request) => request.answerStatus(400)],
	['500', (request) => request.answerStatus(500)],
	['what cannot be read', (request) => request.answer({ count: 0 })],
])('ids answered with %s cost known products nothing, and little memory', async (_name, answer) => {
	const options = { onDemand: { maxProducts: GOOD.length } };
	const { view, states, asked, source, pass } = await startKnowing(GOOD, options);
	await view(MADE_UP, answer);
	expect(states(GOOD)).toEqual(new Set(['fresh']));
	const known = asked.filter((pid) => source.freshness?.('reviews', pid).state !== 'missing');
	// Half as many are remembered on their own.
	expect(known.length).toBeLessThanOrEqual(1.5 * GOOD.length);
	await pass(2 * MINUTE);
	await view(pidsOf(30, 'more'), answer);
	const renewed: string[] = [];
	await view(GOOD, (request) => {
		renewed.push(request.pid);
		return request.answer();
	});
	expect(renewed).toEqual(GOOD);
});

test('24 failures of made-up ids do not hide a product that is asked for the first time, while known ones are answered', async () => {
	const { view, pass } = await startKnowing(GOOD);
	for (let round = 0; round < 5; round++) {
		await view(pidsOf(40, `made-up-${round}`), (request) => request.answerStatus(500));
		await pass(MINUTE + 1);
		const pids = ['good-1', `new-${round}`];
		expect(await view(pids, reviews)).toEqual(pids);
	}
});

test('a known product goes before all made-up ids that wait', async () => {
	const { source, open, pass } = await startKnowing(GOOD, { concurrency: 2 });
	await pass(2 * MINUTE);
	for (const pid of MADE_UP) void source.getProductReviews(pid);
	await settled();
	void source.getProductReviews('good-7');
	await settled();
	expect(open.map(({ pid }) => pid)).toEqual(['made-up-0', 'made-up-1']);
	await open[0]?.answerStatus(404);
	expect(open.map(({ pid }) => pid)).toEqual(['made-up-1', 'good-7']);
});

test('made-up ids that hang do not keep pages of known products from waiting for theirs', async () => {
	const { source, pass, shown } = await startKnowing(GOOD);
	void source.getProductReviews('made-up');
	await pass(800);
	source.forget?.(['good-1']);
	expect(await shown('good-1')).toBe('waiting');
});

test('in an outage with more viewed products than "maxProducts" at least so many are shown', async () => {
	const many = pidsOf(150, 'good');
	const { view, pass } = await startKnowing(many, { onDemand: { maxProducts: 100 } });
	await pass(2 * MINUTE);
	for (let round = 0; round < 3; round++) {
		expect((await view(many, (request) => request.answerStatus(503))).length).toBeGreaterThanOrEqual(100);
		await pass(MINUTE);
	}
});
