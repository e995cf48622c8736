import type { ReviewsClient } from 'product-reviews-client';
import { createClock } from 'product-reviews-test-support/clock';
import { memoryInUse } from 'product-reviews-test-support/memory';
import { expect, test } from 'vitest';
import { parseOptions } from '../../../src/options/parse-options.js';
import { createProductOutcomes } from '../../../src/outcomes/product-outcomes.js';
import { createReviewService } from '../../../src/service/create-review-service.js';
import { createMemoryStore } from '../../../src/store/memory-store.js';
import { answer } from '../../support/service/payload.js';
import { createSession } from '../../support/unit/session.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PRODUCTS = 1_000;
const VIEWS = 1_000_000;
const BATCH = 500;
const MEGABYTE = 1_048_576;

/** A dev server whose week takes as long as its work. Its service is down for an hour each day. */
function startWeek() {
	const clock = createClock();
	const start = clock.now();
	const since = () => clock.now() - start;
	let requests = 0;
	let failures = 0;
	const isDown = () => Math.floor((since() % DAY) / HOUR) === 12;
	const client = {
		async getCrawlerReviews(pid) {
			requests += 1;
			if (isDown()) throw new TypeError('fetch failed');
			return answer({ pid });
		},
		getProductReviewData: () => expect.unreachable(),
		getStarRatings: async () => new Map(),
		prioritize() {},
	} satisfies ReviewsClient;
	const options = parseOptions({ maxAge: '12h' });
	const service = createReviewService(client);
	const store = createMemoryStore();
	const session = createSession({
		service,
		store,
		options,
		outcomes: createProductOutcomes(),
		now: clock.now,
		monotonicNow: since,
		command: 'dev',
		onFailure: () => {
			failures += 1;
		},
	});
	return { clock, session, requests: () => requests, failures: () => failures };
}

/**
 * The product of a view. As in a shop, most views are of few products: the product of rank n is viewed n times less often
 * than the first. Every product is viewed at least once an hour or so.
 */
function productOf(index: number): string {
	const share = (index * GOLDEN) % 1;
	return `p-${Math.floor((PRODUCTS + 1) ** share) - 1}`;
}

/** Its multiples are spread evenly, however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

test('a week of a dev server, a million views: memory stays flat, and no reviews are lost', async () => {
	const { clock, session, requests, failures } = startWeek();
	const view = (pid: string) => session.source.getProductReviews(pid);
	for (let index = 0; index < PRODUCTS; index++) await view(`p-${index}`);
	let lost = 0;
	let memory: number | undefined;
	for (let index = 0; index < VIEWS; index += BATCH) {
		clock.pass((7 * DAY * BATCH) / VIEWS);
		const views = await Promise.all(Array.from({ length: BATCH }, (_, of) => view(productOf(index + of))));
		for (const product of views) lost += product?.reviews.length === 1 ? 0 : 1;
		if (index === VIEWS / 10) memory = (await memoryInUse()).heap;
	}
	expect(lost).toBe(0);
	expect(requests()).toBeGreaterThan(10_000);
	expect(failures()).toBeGreaterThan(1_000);
	expect((await memoryInUse()).heap - (memory ?? 0)).toBeLessThan(10 * MEGABYTE);
}, 240_000);
