import { createClock } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { pack } from '../../../src/records/packed.js';
import { Revalidation } from '../../../src/reviews/freshness.js';
import { isOutdated } from '../../../src/reviews/parts.js';
import { createMemoryStore } from '../../support/unit/cache.js';
import { record } from '../../support/unit/record.js';

const RATING = { average: 4.5, count: 2, questionCount: 3 };

/** A store with the reviews of "p-1", fetched a minute ago. */
function createSetup(aggregate: ReturnType<typeof record>['aggregate'] = { average: 4.5, count: 2 }) {
	const clock = createClock();
	const store = createMemoryStore(clock.now);
	const fetch = () => {
		const { revision } = store.markOf('p-1');
		store.put('p-1', 'reviews', pack(record({ aggregate }), aggregate), { fetchedAt: clock.now(), revision });
	};
	fetch();
	clock.pass(60_000);
	const service = { fetchRatings: async () => new Map() };
	const settings = { mode: 'age', service, store, warn() {}, advise: () => undefined } as const;
	const revalidation = new Revalidation(settings);
	return {
		clock,
		store,
		fetch,
		says: (rating: Partial<typeof RATING> | undefined) =>
			revalidation.compare(['p-1'], new Map(rating && [['p-1', { ...RATING, ...rating }]])),
		isOutdated() {
			const stored = store.entry('p-1', 'reviews') ?? expect.unreachable('It is stored.');
			return isOutdated(stored, store.markOf('p-1'));
		},
	};
}

test.each<[string, boolean, (Partial<typeof RATING> | undefined)[], Parameters<typeof createSetup>[0]?]>([
	['nothing is known', false, []],
	['the ratings are those of the reviews, and stay so', false, [{}, {}, {}]],
	['there are more', true, [{ count: 3 }]],
	['the average is another', true, [{ average: 4.4 }]],
	['it is rounded otherwise', false, [{ average: 4.333333, count: 3 }], { average: 4.33, count: 3 }],
	['there are none any more', true, [{ count: 0, average: 0 }]],
	['the service knows nothing of it', true, [undefined]],
	['questions were added since they were last asked for', true, [{}, { questionCount: 4 }]],
	['they moved since they were last asked for', true, [{}, { count: 3 }]],
	['it is gone since they were last asked for', true, [{}, undefined]],
])('what is stored is outdated where %s: %s', (_what, expected, ratings, aggregate) => {
	const { says, isOutdated, store } = createSetup(aggregate);
	for (const rating of ratings) says(rating);
	expect(isOutdated()).toBe(expected);
	expect(store.marked()).toEqual(expected ? ['p-1'] : []);
});

test('what is outdated is so until it is fetched, also when a build fails in between, or where it is marked as changed', () => {
	const { says, isOutdated, fetch, clock, store } = createSetup();
	says({ count: 3 });
	clock.pass(1_000);
	says({ count: 3 });
	expect(isOutdated()).toBe(true);
	fetch();
	expect(isOutdated()).toBe(false);
	clock.pass(1_000);
	says({ count: 3 });
	expect(isOutdated()).toBe(false);
	store.mark(['p-1', 'p-2'], 'event');
	says({ count: 3 });
	expect(isOutdated()).toBe(true);
	// No clock decides.
	clock.pass(-10_000);
	fetch();
	expect(isOutdated()).toBe(false);
});
