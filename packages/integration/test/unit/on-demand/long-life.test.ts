import { memoryInUse } from 'product-reviews-test-support/memory';
import { expect, test } from 'vitest';
import { createLiveSource } from '../../../src/on-demand/create-live-source.js';
import { toLiveSettings } from '../../../src/on-demand/live-settings.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { answer } from '../../support/service/payload.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const PRODUCTS = 1_000;
const VIEWS = 1_000_000;
const MEGABYTE = 1_048_576;

const ENVIRONMENT: Record<string, string> = {
	REVIEWS_BASE_URL: 'https://reviews.example',
	REVIEWS_WSID: 'W-1001',
	REVIEWS_TOKEN: 'canary-token',
};

/** A server whose week takes as long as its work. Its service is down for an hour each day, and busy for another. */
function startWeek() {
	const start = Date.parse('2026-11-21T12:00:00Z');
	const { html, jsonld } = answer();
	let time = 0;
	let requests = 0;
	let warnings = 0;
	const timers = new Set<() => void>();
	const hourOfDay = () => Math.floor((time % DAY) / HOUR);
	const isDown = () => hourOfDay() === 3;
	const isBusy = () => hourOfDay() === 9;
	const answerTo = (pid: string) =>
		pid.startsWith('made-up')
			? new Response(null, { status: pid.endsWith('7') ? 500 : 404 })
			: Response.json({ status: 200, pid, dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld });
	const source = createLiveSource(
		toLiveSettings(parseOptions({ retries: 0, onDemand: { most: 1_200, fresh: '6h' } })),
		{
			getSecret: (name) => ENVIRONMENT[name],
			async fetch(input, init) {
				requests += 1;
				if (isDown()) throw new TypeError('fetch failed');
				if (isBusy()) return new Response(null, { status: 429, headers: { 'retry-after': '31536000' } });
				const pid = new URL(String(input)).searchParams.get('pid');
				if (pid !== null) return answerTo(pid);
				const { listProductId } = JSON.parse(String(init?.body)) as { listProductId: string[] };
				return Response.json({ data: listProductId.map((pid) => ({ pid, avgrtng: 4.5, prtng: 2 })) });
			},
			now: () => start + time,
			monotonicNow: () => time,
			schedule(callback, milliseconds) {
				const fire = () => {
					timers.delete(fire);
					callback();
				};
				timers.add(fire);
				const handle = milliseconds === 0 ? setImmediate(fire) : undefined;
				return () => {
					timers.delete(fire);
					if (handle) clearImmediate(handle);
				};
			},
			warn: () => {
				warnings += 1;
			},
		},
	);
	return {
		source,
		timers,
		requests: () => requests,
		warnings: () => warnings,
		isWell: () => !isDown() && !isBusy(),
		pass(milliseconds: number) {
			time += milliseconds;
		},
	};
}

test('a week of a server, a million views: memory stays flat, no timer is left, and no reviews are lost', async () => {
	const week = startWeek();
	const { source, pass, timers } = week;
	const view = async (index: number): Promise<number | undefined> => {
		const pid = `p-${(index * 7_919) % PRODUCTS}`;
		if (index % 10 === 1) return (await source.getStarRating?.(pid))?.average;
		return (await source.getProductReviews(pid))?.aggregate?.average;
	};
	for (let index = 0; index < PRODUCTS; index++) {
		await source.getProductReviews(`p-${index}`);
		await source.getStarRating?.(`p-${index}`);
	}
	let lost = 0;
	let memory: number | undefined;
	const batch = 500;
	for (let index = 0; index < VIEWS; index += batch) {
		pass((7 * DAY * batch) / VIEWS);
		const views = Array.from({ length: batch }, (_, of) => view(index + of));
		views.push(source.getProductReviews(`made-up-${index}`).then(() => 4.5));
		views.push(source.getProductReviews(`made-up-${index}7`).then(() => 4.5));
		for (const average of await Promise.all(views)) lost += average === 4.5 ? 0 : 1;
		// A webhook names products, and once a day all of them, but for while the service is down.
		if (index % (20 * batch) === 0 && week.isWell()) source.forget?.([`p-${index % PRODUCTS}`]);
		if (index % (VIEWS / 7) < batch) source.forget?.(undefined);
		if (index === VIEWS / 10) memory = (await memoryInUse()).heap;
	}
	expect(lost).toBe(0);
	expect(timers.size).toBeLessThan(20);
	expect(week.requests()).toBeGreaterThan(10_000);
	expect(week.warnings()).toBeLessThan(7 * 24 * 60);
	expect((await memoryInUse()).heap - (memory ?? 0)).toBeLessThan(10 * MEGABYTE);
}, 120_000);
