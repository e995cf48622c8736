import { setImmediate } from 'node:timers/promises';
import { NOW } from 'product-reviews-test-support/clock';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLiveSource } from '../../../src/on-demand/live-source.js';
import { toLiveSettings } from '../../../src/on-demand/settings.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { answer } from '../../support/service/payload.js';
import { DAY, ENVIRONMENT } from '../../support/unit/live.js';
import { memoryInUse } from '../../support/unit/memory.js';

const HOUR = 3_600_000;
const PRODUCTS = 1_000;
const VIEWS = 500_000;
/** Views at the same time. */
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

/** What comes of it, turn by turn. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
	let isSettled = false;
	void promise.finally(() => {
		isSettled = true;
	});
	for (; !isSettled; await setImmediate()) vi.advanceTimersByTime(0);
	return promise;
}

test('a week of a server, half a million views: memory stays flat, no timer is left, and no reviews are lost', async () => {
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
		if (index === VIEWS / 10) memory = (await memoryInUse()).heap;
	}
	expect(lost).toBe(0);
	expect(vi.getTimerCount()).toBeLessThan(20);
	expect(counts.requests).toBeGreaterThan(10_000);
	expect(counts.warnings).toBeLessThan(7 * 24 * 60);
	expect((await memoryInUse()).heap - (memory ?? 0)).toBeLessThan(10 * 1_048_576);
});
