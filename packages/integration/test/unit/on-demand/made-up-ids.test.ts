import { expect, test } from 'vitest';
import { MINUTE, type OpenRequest, pidsOf, settled, startKnowing } from '../../support/unit/live.js';

const GOOD = pidsOf(20, 'good');
const MADE_UP = pidsOf(200, 'made-up');

test.each<[string, (request: OpenRequest) => Promise<void>]>([
	['404', (request) => request.answerStatus(404)],
	['no reviews', (request) => request.answerEmpty()],
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
		expect(await view(pids, (request) => request.answer())).toEqual(pids);
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
