import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { NOW } from 'product-reviews-test-support/clock';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toLiveSettings } from '../../../src/astro/vite-plugins.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { fillLabel } from '../../../src/render/page-labels.js';
import { createLiveSource } from '../../../src/server/live-source.js';
import { answer } from '../../support/service/payload.js';
import { DAY, ENVIRONMENT } from '../../support/unit/live.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in V8's heap that are still reached. Another thread frees buffers some time after a collection: it is waited for. */
async function memoryInUse(): Promise<number> {
	for (let last = Number.POSITIVE_INFINITY; ; ) {
		collectGarbage();
		await setTimeout(20);
		const { heapUsed, arrayBuffers } = process.memoryUsage();
		if (heapUsed + arrayBuffers > 0.99 * last) return heapUsed;
		last = heapUsed + arrayBuffers;
	}
}

const MEGABYTE = 1_048_576;
const HOUR = 3_600_000;
const PRODUCTS = 1_000;
/** All of them take ten seconds. */
const VIEWS = process.env['TEST_FULL'] === '1' ? 500_000 : 200_000;
const BATCH = 500;

/** A server whose week takes as long as its work. Its service is down for an hour each day, and busy for another. */
function startWeek() {
	const { html, jsonld } = answer();
	const counts = { requests: 0, warnings: 0 };
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: NOW });
	onTestFinished(() => void vi.useRealTimers());
	const hourOfDay = () => Math.floor(((Date.now() - NOW) % DAY) / HOUR);
	const source = createLiveSource(
		toLiveSettings(parseOptions({ retries: 0, onDemand: { maxProducts: 1_000, maxAge: '6h' } })),
		{
			getSecret: (name) => ENVIRONMENT[name],
			async fetch(input, init) {
				counts.requests += 1;
				if (hourOfDay() === 3) throw new TypeError('fetch failed');
				if (hourOfDay() === 9)
					return new Response(null, { status: 429, headers: { 'retry-after': '31536000' } });
				const pid = new URL(String(input)).searchParams.get('pid');
				if (pid?.startsWith('made-up')) return new Response(null, { status: pid.endsWith('7') ? 500 : 404 });
				if (pid !== null)
					return Response.json({ status: 200, pid, dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld });
				const { listProductId } = JSON.parse(String(init?.body)) as { listProductId: string[] };
				return Response.json({ data: listProductId.map((pid) => ({ pid, avgrtng: 4.5, prtng: 2 })) });
			},
			warn: () => void counts.warnings++,
		},
	);
	return { source, counts, isWell: () => hourOfDay() !== 3 && hourOfDay() !== 9 };
}

async function settled<Value>(promise: Promise<Value>): Promise<Value> {
	let isSettled = false;
	void promise.finally(() => {
		isSettled = true;
	});
	for (; !isSettled; await setImmediate()) vi.advanceTimersByTime(0);
	return promise;
}

test(`a week of a server, ${VIEWS} views: memory stays flat, no timer is left, and no reviews are lost`, async () => {
	const { source, counts, isWell } = startWeek();
	const view = async (index: number): Promise<number | undefined> => {
		const pid = `p-${(index * 7_919) % PRODUCTS}`;
		if (index % 10 === 1) return (await source.getStarRating(pid))?.average;
		return (await source.getProductReviews(pid))?.aggregate?.average;
	};
	for (let index = 0; index < PRODUCTS; index++) {
		await settled(source.getProductReviews(`p-${index}`));
		await settled(source.getStarRating(`p-${index}`));
	}
	let lost = 0;
	let memory: number | undefined;
	for (let index = 0; index < VIEWS; index += BATCH) {
		vi.advanceTimersByTime((7 * DAY * BATCH) / VIEWS);
		const views = Array.from({ length: BATCH }, (_, of) => view(index + of));
		const madeUp = ['', '7'].map((end) => source.getProductReviews(`made-up-${index}${end}`));
		for (const average of await settled(Promise.all(views))) lost += average === 4.5 ? 0 : 1;
		await settled(Promise.all(madeUp));
		// A webhook names products, and once a day all of them, but for while the service is down.
		if (index % (20 * BATCH) === 0 && isWell()) source.forget?.([`p-${index % PRODUCTS}`]);
		if (index % (VIEWS / 7) < BATCH) source.forget?.(undefined);
		if (index === VIEWS / 10) memory = await memoryInUse();
	}
	expect(lost).toBe(0);
	expect(vi.getTimerCount()).toBeLessThan(20);
	expect(counts.requests).toBeGreaterThan(10_000);
	expect(counts.warnings).toBeLessThan(7 * 24 * 60);
	expect((await memoryInUse()) - (memory ?? 0)).toBeLessThan(10 * MEGABYTE);
});

const LONG = 'a long name '.repeat(10);

test.each<[string, times: number, label: (index: number) => [label: string, rating: number]]>([
	['that name the product of each page', 50_000, (index) => [`{rating} for ${index}, ${LONG}`, 4]],
	['of ratings of many digits', 100_000, (index) => ['{rating}', 1 + index / 1e6]],
])('labels %s are not kept for ever', (_what, times, labelOf) => {
	const held = [0, 1].map((round) => {
		// Others in each round.
		for (let index = round * times; index < (round + 1) * times; index++) {
			const [label, rating] = labelOf(index);
			fillLabel(label, { rating }, 'en');
		}
		collectGarbage();
		return process.memoryUsage().heapUsed;
	});
	expect(((held[1] ?? 0) - (held[0] ?? 0)) / MEGABYTE).toBeLessThan(5);
});
