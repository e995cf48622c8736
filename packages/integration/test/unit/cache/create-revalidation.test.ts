import { createClock } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { createRevalidation } from '../../../src/cache/create-revalidation.js';
import { createMemoryStore } from '../../../src/store/memory-store.js';
import { pack } from '../../../src/store/pack.js';
import { record } from '../../support/unit/record.js';

const RATING = { average: 4.5, count: 2, questionCount: 3 };

/** A store with the reviews of "p-1", fetched a minute ago. */
function createSetup(aggregate: ReturnType<typeof record>['aggregate'] = { average: 4.5, count: 2 }) {
	const clock = createClock();
	const store = createMemoryStore();
	const reviews = store.table('reviews');
	const fetch = () => reviews.put('p-1', pack(record({ aggregate }), aggregate), clock.now());
	fetch();
	clock.pass(60_000);
	const revalidation = createRevalidation(store, clock.now);
	return {
		clock,
		revalidation,
		/** The reviews are fetched now. */
		fetch,
		says: (rating: Partial<typeof RATING> | undefined) =>
			revalidation.compare(['p-1'], new Map(rating && [['p-1', { ...RATING, ...rating }]])),
		isOutdated: () => revalidation.isOutdated('p-1', reviews.entry('p-1')?.fetchedAt ?? Number.NaN),
	};
}

test('nothing known is nothing outdated', () => {
	expect(createSetup().isOutdated()).toBe(false);
	expect(createSetup().revalidation.isOutdated('another', 0)).toBe(false);
});

describe('ratings', () => {
	test('that are those of the reviews, or as they were, leave them current', () => {
		const { says, isOutdated } = createSetup();
		for (let build = 0; build < 3; build++) says({});
		expect(isOutdated()).toBe(false);
	});

	test('whose average is rounded otherwise leave them current', () => {
		const { says, isOutdated } = createSetup({ average: 4.33, count: 3 });
		says({ average: 4.333333, count: 3 });
		expect(isOutdated()).toBe(false);
	});

	test.each([{ count: 3 }, { average: 4.4 }, { count: 0, average: 0 }, undefined])(
		'that are others (%j) outdate them',
		(rating) => {
			const { says, isOutdated } = createSetup();
			says(rating);
			expect(isOutdated()).toBe(true);
		},
	);

	test.each([{ questionCount: 4 }, { count: 3 }, { average: 4.4 }, undefined])(
		'that moved since they were last asked for (%j) outdate them',
		(rating) => {
			const { says, isOutdated } = createSetup();
			says({});
			says(rating);
			expect(isOutdated()).toBe(true);
		},
	);

	test('keep them outdated until they are fetched, also when a build fails in between', () => {
		const { says, isOutdated, fetch, clock } = createSetup();
		says({ count: 3 });
		clock.pass(1_000);
		says({ count: 3 });
		expect(isOutdated()).toBe(true);
		fetch();
		expect(isOutdated()).toBe(false);
		clock.pass(1_000);
		says({ count: 3 });
		expect(isOutdated()).toBe(false);
	});

	test('of a product without any, and without stored reviews, are fine', () => {
		const { says, isOutdated, revalidation } = createSetup(undefined);
		says({ count: 0, average: Number.NaN });
		expect(isOutdated()).toBe(true);
		revalidation.compare(['unknown'], new Map());
		expect(revalidation.isOutdated('unknown', 0)).toBe(false);
	});
});

test('a product that is marked stays so until it is fetched', () => {
	const { revalidation, isOutdated, fetch, clock } = createSetup();
	revalidation.mark(['p-1', 'p-2']);
	expect(isOutdated()).toBe(true);
	clock.pass(5);
	fetch();
	expect(isOutdated()).toBe(false);
});
