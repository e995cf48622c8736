import { createClock } from 'product-reviews-test-support/clock';
import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test } from 'vitest';
import { createLiveSource } from '../../../src/on-demand/create-live-source.js';
import { toLiveSettings } from '../../../src/on-demand/live-settings.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { answer } from '../../support/service/payload.js';
import { type RawReply, rawJson, startRawSockets } from '../../support/service/raw-sockets.js';
import { startLive } from '../../support/unit/live.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SECRETS: Record<string, string> = { REVIEWS_WSID: 'W-1001' };

const pidsOf = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

const reviewsOf = (pid: string): RawReply => {
	const { html, jsonld } = answer();
	return rawJson({ status: 200, pid, dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld });
};
const notFound = (): RawReply => rawJson({ status: 404, message: 'Not found' }, '404 Not Found');
const empty = (pid: string): RawReply =>
	rawJson({ status: 200, pid, dataCount: { prtng: 0, avgrtng: 0 }, html: '', jsonld: '' });

/** A server that knows products of a service on a socket. Its clock is the test's. */
async function startKnowing(pids: readonly string[]) {
	let replyTo = reviewsOf;
	const { url, requests } = await startRawSockets(({ pid }) => replyTo(pid));
	const clock = createClock();
	const warnings: string[] = [];
	const source = createLiveSource(toLiveSettings(parseOptions({ retries: 0, baseUrl: url })), {
		getSecret: (name) => SECRETS[name],
		now: clock.now,
		monotonicNow: clock.now,
		warn: (message) => warnings.push(message),
	});
	const isShown = async (pid: string) => (await source.getProductReviews(pid))?.reviews.length === 1;
	/** @returns the products whose pages show reviews. */
	const viewAll = async (views: readonly string[] = pids) => {
		const shown: string[] = [];
		for (const pid of views) if (await isShown(pid)) shown.push(pid);
		return shown;
	};
	/** The same, of pages that wait for the service: their products are known to have changed. */
	const viewAnew = (views: readonly string[] = pids) => {
		source.forget?.(views);
		return viewAll(views);
	};
	await viewAll();
	return {
		source,
		requests,
		warnings,
		viewAll,
		viewAnew,
		pass: clock.pass,
		answers(reply: (pid: string) => RawReply) {
			replyTo = reply;
		},
	};
}

describe.each([
	['404 as JSON', notFound],
	['no reviews', empty],
])('a service that suddenly answers %s', (_name, reply) => {
	test('for all known products takes none of their reviews from pages, and one line says so', async () => {
		const pids = pidsOf(20);
		const { viewAll, viewAnew, answers, pass, warnings } = await startKnowing(pids);
		answers(reply);
		// Four are plausible. The fifth tells that they are not.
		expect((await viewAnew()).length).toBe(16);
		expect(await viewAll()).toEqual(pids);
		for (let round = 0; round < 20; round++) {
			pass(2 * MINUTE);
			expect(await viewAnew()).toEqual(pids);
		}
		expect(warnings).toEqual([
			'[astro-product-reviews] According to the service, 5 products lost all reviews within a day. So many at once (over 20 % of 20) look like a fault of the service; what was shown last is shown, and the service is asked again. If the reviews are really gone, restart the server. Products: "p-0", "p-1", "p-2", "p-3", "p-4". [PR_REVIEWS_VANISHED]',
		]);
	});

	test('for a few of many is believed', async () => {
		const pids = pidsOf(40);
		const { viewAnew, answers, warnings } = await startKnowing(pids);
		answers((pid) => (Number(pid.slice(2)) < 8 ? reply(pid) : reviewsOf(pid)));
		expect(await viewAnew()).toEqual(pids.slice(8));
		expect(warnings).toEqual([]);
	});
});

test('each product is asked for again after ten seconds, and shown as the service says once it works', async () => {
	const pids = pidsOf(20);
	const { viewAnew, viewAll, answers, pass, requests, source } = await startKnowing(pids);
	answers(notFound);
	await viewAnew();
	const asked = requests.length;
	await viewAll();
	expect(requests.length).toBe(asked);
	pass(MINUTE + 10_000);
	await viewAll();
	await expect.poll(() => requests.length).toBe(asked + pids.length);
	answers(reviewsOf);
	pass(10_000);
	await viewAnew();
	expect(new Set(pids.map((pid) => source.freshness?.('reviews', pid).state))).toEqual(new Set(['fresh']));
	// Now one that has really none is believed again.
	answers((pid) => (pid === 'p-3' ? notFound() : reviewsOf(pid)));
	expect(await viewAnew()).toEqual(pids.filter((pid) => pid !== 'p-3'));
});

test('losses of single products, day by day, are all believed', async () => {
	const pids = pidsOf(20);
	const { viewAnew, answers, pass, warnings } = await startKnowing(pids);
	const gone = new Set<string>();
	answers((pid) => (gone.has(pid) ? notFound() : reviewsOf(pid)));
	for (const pid of pids.slice(0, 12)) {
		gone.add(pid);
		pass(DAY / 3);
		expect(await viewAnew()).toEqual(pids.filter((one) => !gone.has(one)));
	}
	expect(warnings).toEqual([]);
});

test('a fault that lasts for a week takes no reviews either, and is said once an hour at most', async () => {
	const pids = pidsOf(20);
	const { viewAnew, viewAll, answers, pass, warnings } = await startKnowing(pids);
	answers(notFound);
	await viewAnew();
	for (let hour = 0; hour < 7 * 24; hour += 2) {
		pass(2 * HOUR);
		// Few visitors come.
		await viewAnew(pids.slice(hour % 18, (hour % 18) + 2));
	}
	expect(await viewAll()).toEqual(pids);
	expect(warnings.length).toBeLessThanOrEqual(7 * 24);
	expect(warnings.at(-1)).toContain('According to the service, 20 products lost all reviews');
});

test('made-up ids, and products that never had reviews, do not count', async () => {
	const pids = pidsOf(10);
	const { viewAnew, viewAll, answers, warnings } = await startKnowing(pids);
	answers((pid) => (pid === 'p-1' || pid.startsWith('made-up') ? notFound() : reviewsOf(pid)));
	expect(await viewAll(pidsOf(50).map((pid) => `made-up-${pid}`))).toEqual([]);
	expect(await viewAnew()).toEqual(pids.filter((pid) => pid !== 'p-1'));
	expect(warnings).toEqual([]);
});

test('stars that a list suddenly lacks are shown on', async () => {
	const pids = pidsOf(20);
	const live = startLive();
	const stars = Object.fromEntries(pids.map((pid) => [pid, { average: 4.5, count: 2 }]));
	const view = async (sent: typeof stars) => {
		live.source.forget?.(undefined);
		const shown = Promise.all(pids.map((pid) => live.source.getStarRating?.(pid)));
		await settled();
		await live.open[0]?.answerStars(sent);
		return (await shown).filter((rating) => rating?.average === 4.5).length;
	};
	expect(await view(stars)).toBe(20);
	expect(await view({})).toBeGreaterThanOrEqual(16);
	await live.pass(11_000);
	expect(await view({})).toBe(20);
	expect(live.warnings).toHaveLength(1);
});
