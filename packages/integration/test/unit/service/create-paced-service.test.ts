import { createReviewsClient } from 'product-reviews-client';
import { type FaultRule, type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPacedService } from '../../../src/service/create-paced-service.js';
import { createReviewService } from '../../../src/service/create-review-service.js';
import { unpack } from '../../../src/store/pack.js';

const PIDS = Array.from({ length: 200 }, (_, index) => `p-${index}`);
let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({
		seed: false,
		latency: 10,
		products: PIDS.map((pid) => ({ pid, name: pid, reviews: [{ rating: 5, body: `About ${pid}.` }] })),
	});
});

afterEach(() => sandbox.close());

/** Fetches all products, and tells how that went. @param isPaced false sends sixteen at once whatever happens. */
async function fetchAll(rule?: FaultRule, isPaced = true) {
	if (rule) sandbox.faults.add(rule);
	sandbox.requests.reset();
	// Pauses a hundred times shorter than the real ones.
	const random = () => Math.random() / 100;
	const options = { baseUrl: sandbox.url, wsid: sandbox.wsid, retries: 20, random };
	const service = isPaced
		? createPacedService(options, 16)
		: createReviewService(createReviewsClient(options), 16);
	const fetched = await Promise.allSettled(PIDS.map((pid) => service.fetch('reviews', pid)));
	const isRight = fetched.map(
		(one, index) =>
			one.status === 'fulfilled' &&
			one.value.packed !== undefined &&
			JSON.stringify(unpack(one.value.packed)).includes(`"About ${PIDS[index]}."`),
	);
	return {
		right: isRight.filter(Boolean).length,
		refused: sandbox.requests.count() - sandbox.requests.count({ status: 200 }),
		most: sandbox.requests.maxInFlight,
	};
}

test('a sandbox that copes gets sixteen at once', async () => {
	const { most, ...others } = await fetchAll();
	expect(others).toEqual({ right: 200, refused: 0 });
	// A machine that is busy otherwise makes the sandbox look slow.
	expect(most).toBeGreaterThan(10);
});

test('a sandbox that refuses more than four at once refuses few, and all products come', async () => {
	const rule: FaultRule = { kind: 'status', status: 429, above: 4 };
	const paced = await fetchAll(rule);
	expect(paced.right).toBe(200);
	// Sixteen at once use up the client's budget of retries.
	const unpaced = await fetchAll(undefined, false);
	expect(paced.refused).toBeLessThan(unpaced.refused / 3);
});

test('a sandbox that refuses each tenth: all products come', async () => {
	expect(await fetchAll({ kind: 'status', status: 503, every: 10 })).toMatchObject({
		right: 200,
		refused: 22,
	});
});
