import { readFileSync } from 'node:fs';
import {
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from 'product-reviews-client';
import { describe, expect, test, vi } from 'vitest';
import { kindOf } from '../../../src/base/failures.js';
import type { ProductStore } from '../../../src/cache/product-store.js';
import {
	CODES_OF_KINDS,
	type FailureKind,
	ReviewPayloadError,
	ReviewServiceError,
} from '../../../src/errors.js';
import { pack } from '../../../src/records/packed.js';
import {
	consequenceOf,
	type FailureCase,
	judgeFailures,
	STORED_STATES,
} from '../../../src/reviews/fetch-policy.js';
import { holdsReviews } from '../../../src/reviews/parts.js';
import { createProductResults } from '../../../src/reviews/results.js';
import { areFewVanished, BuildGuard } from '../../../src/reviews/vanish-guard.js';
import { createMemoryStore } from '../../support/unit/cache.js';

const OPTIONS = ['stale', 'omit', 'fail'] as const;
const DOCUMENT = new URL('../../../../../docs/src/content/docs/reference/failures.md', import.meta.url);

/** Each case of the table in the documentation, with what comes of it. */
function documentedCases() {
	const cases: { of: FailureCase; cell: string }[] = [];
	for (const row of readFileSync(DOCUMENT, 'utf8').split('\n')) {
		const columns = row.split('|').map((cell) => cell.trim());
		const [, kinds = '', products = '', stored = '', ...cells] = columns;
		if (!/^(any|few|many)$/.test(products)) continue;
		for (const kind of kinds.replaceAll('`', '').split(', '))
			for (const isFew of products === 'any' ? [true, false] : [products === 'few'])
				for (const state of stored.split(', '))
					for (const [at, onError] of OPTIONS.entries())
						cases.push({ of: { kind, stored: state, onError, isFew } as FailureCase, cell: cells[at] ?? '' });
	}
	return cases;
}

/** What a cell says, such as "no reviews, a warning (`failed`)". */
function readCell(cell: string, onError: FailureCase['onError']) {
	const [, ends, shows, log, status] =
		/^(?:(\*\*the build ends\*\*)|(.+), (.+)) \(`(.+)`\)$/.exec(cell) ?? [];
	if (!ends) {
		const words = { 'the cached reviews': 'the cached reviews', 'no message': 'nothing' };
		const meant = (text = '') => words[text as keyof typeof words] ?? text;
		return { shows: meant(shows), status, log: meant(log), endsBuild: false };
	}
	return { shows: onError === 'fail' ? 'an error' : 'no reviews', status, log: 'an error', endsBuild: true };
}

describe('what comes of a failure', () => {
	test('is what the table in the documentation says, for each kind, number, state and option', () => {
		const cases = documentedCases();
		expect(cases.map(({ of }) => ({ of, ...consequenceOf(of) }))).toEqual(
			cases.map(({ of, cell }) => ({ of, ...readCell(cell, of.onError) })),
		);
		const every = Object.keys(CODES_OF_KINDS).length * 2 * STORED_STATES.length * OPTIONS.length;
		expect(new Set(cases.map(({ of }) => JSON.stringify(of))).size).toBe(every);
		expect(cases).toHaveLength(every);
	});

	// 100 products: up to 10 unusable answers are few.
	test.each<[FailureKind, number, string, number, (typeof OPTIONS)[number], boolean]>([
		['unreadable', 10, 'some', 100, 'stale', false],
		['unreadable', 11, 'some', 100, 'stale', true],
		['unreadable', 11, 'some', 220, 'stale', false],
		['unreadable', 11, 'some', 219, 'stale', true],
		['unreadable', 1, 'some', 100, 'fail', true],
		['unreadable', 10, 'no', 10, 'stale', false],
		['wrong-product', 10, 'some', 100, 'stale', false],
		['foreign-answer', 10, 'some', 100, 'stale', false],
		// Where every answer is foreign, something else than the service answers.
		['foreign-answer', 1, 'no', 1, 'stale', true],
		['foreign-answer', 1, 'no', 1, 'omit', false],
		['network', 1, 'some', 100, 'stale', true],
		['network', 100, 'no', 100, 'omit', false],
		['vanished', 1, 'some', 100, 'stale', true],
	])('%s for %i products, %s others for %i, "%s": ends: %s', (kind, count, other, of, onError, ends) => {
		const outcomes = createProductResults();
		const error = new ReviewServiceError('', '', { kind });
		for (let index = 0; index < of; index++) {
			outcomes.reviews.settle(`p-${index}`, 'fetched');
			if (index < count)
				outcomes.reviews.failures.push({ pid: `p-${index}`, reason: '', stale: false, error });
			else if (other === 'some') outcomes.reviews.addAnswer(`p-${index}`, {});
		}
		// It fails for the review data of the same products, too, and of others what is stored is shown.
		outcomes['review-data'].failures.push({ pid: 'p-0', reason: '', stale: false, error });
		for (let index = 0; index < 50; index++)
			outcomes.reviews.failures.push({ pid: `p-${index}`, reason: '', stale: true, error });
		const { stale, leftOut, ending } = judgeFailures(outcomes, onError);
		const lost = count + 1;
		expect([stale.length, leftOut.length, ending.length]).toEqual(ends ? [50, 0, lost] : [50, lost, 0]);
	});
});

test.each([
	[4, 4, true],
	[5, 24, false],
	[5, 25, true],
	[20, 100, true],
	[21, 100, false],
])('%i of %i products that lost all reviews are few: %s', (count, of, expected) => {
	expect(areFewVanished(count, of)).toBe(expected);
});

test.each<[FailureKind, readonly number[]]>([
	['unreadable', [0, 99, 204, 399, 600, 999]],
	['refused', [400, 401, 403]],
	['client-error', [402, 404, 407, 409, 428, 499]],
	['timeout', [408]],
	['rate-limited', [429]],
	['server-error', [500, 503, 599]],
])('of the kind %s are the statuses %j', (kind, statuses) => {
	for (const status of statuses) expect(kindOf(new ReviewsHttpError('', { status })), `${status}`).toBe(kind);
});

test.each<[FailureKind, string, unknown]>([
	['rate-limited', 'a long Retry-After', new ReviewsPausedError('', { until: 0, reason: 'retry-after' })],
	['other', 'a rest after many failures', new ReviewsPausedError('', { until: 0, reason: 'failures' })],
	['network', 'a broken connection', new ReviewsNetworkError('')],
	['timeout', 'silence', new ReviewsTimeoutError('', { scope: 'try', limit: 1 })],
	['foreign-answer', "a gateway's page", new ReviewsResponseError('', { reason: 'foreign' })],
	['foreign-answer', 'a redirect', new ReviewsResponseError('', { reason: 'redirect' })],
	['unreadable', 'what is no JSON', new ReviewsResponseError('', { reason: 'not-json' })],
	['unreadable', 'more than is allowed', new ReviewsResponseError('', { reason: 'too-large' })],
	['unreadable', 'reviews that cannot be read', new ReviewPayloadError('', '')],
	['vanished', 'a loss that is not believed', new ReviewServiceError('', '', { kind: 'vanished' })],
	['other', 'any other error', new Error('')],
	['other', 'nothing', undefined],
])('of the kind %s is %s', (kind, _what, error) => {
	expect(kindOf(error)).toBe(kind);
});

/** A store of so many products with reviews, of which all have been looked at, and so many that lost them. */
function createSetup(products: number, lost: number, waits: boolean) {
	const store = createMemoryStore();
	const pids = Array.from({ length: products }, (_, index) => `p-${index}`);
	const stamp = { fetchedAt: 1_000, revision: 0 };
	for (const pid of pids) store.put(pid, 'reviews', pack(pid, { count: 2, average: 4 }), stamp);
	store.put('empty', 'reviews', pack('empty'), stamp);
	const losses = new BuildGuard({
		seen: () => [...pids, 'empty', 'unknown'],
		store,
		part: 'reviews',
		waits,
	});
	const doubted = () => pids.filter((pid) => store.entry(pid, 'reviews')?.fetchedAt === 0);
	return { losses, doubted, lost: pids.slice(0, lost) };
}

// A fifth is believed.
test.each([
	[50, 10, true],
	[20, 4, true],
	[20, 5, false],
])('of %i products, %i losses wait for the end of the list: %s', async (products, count, expected) => {
	for (const end of ['decide', 'a minute'] as const) {
		vi.useFakeTimers({ toFake: ['setTimeout'] });
		const { losses, lost } = createSetup(products, count, true);
		let known = 0;
		const judged = lost.map((pid) => losses.accept(pid).finally(() => known++));
		await vi.advanceTimersByTimeAsync(59_999);
		expect(known).toBe(0);
		if (end === 'decide') losses.decide();
		else vi.advanceTimersByTime(1);
		expect(new Set(await Promise.all(judged))).toEqual(new Set([expected]));
		vi.useRealTimers();
	}
});

test('losses without a list are believed one by one, and doubted when there are too many', async () => {
	const { losses, lost, doubted } = createSetup(20, 6, false);
	const believed: boolean[] = [];
	for (const pid of lost) believed.push(await losses.accept(pid));
	expect(believed).toEqual([true, true, true, true, false, false]);
	expect(doubted()).toEqual(lost.slice(0, 4));
	// Those of one moment are judged alike.
	const other = createSetup(20, 6, false);
	const judged = await Promise.all(other.lost.map((pid) => other.losses.accept(pid)));
	expect(new Set(judged)).toEqual(new Set([false]));
});

test.each([
	[false, [undefined, 'not JSON', 'null', '7', '{"count":0}']],
	[true, ['{"count":1}', '{"count":0,"questionCount":2}']],
])('that it holds reviews is %s of the summaries %j', (expected, summaries) => {
	for (const summary of summaries) expect(holdsReviews({ summary }), summary).toBe(expected);
});

test.each<[boolean, string, (store: ProductStore) => void]>([
	[true, 'nobody marked it', () => {}],
	[true, 'an event did', (store) => store.mark(['p-1'], 'event')],
	[false, 'a person did', (store) => store.mark(['p-1'], 'person')],
	[
		false,
		'a person did, and an event afterwards',
		(store) => {
			store.mark(['p-1'], 'person');
			store.mark(['p-1'], 'event');
		},
	],
	[
		true,
		'it was fetched since a person did',
		(store) => {
			store.mark(['p-1'], 'person');
			store.touch('p-1', 'reviews', { revision: store.markOf('p-1').revision });
			store.mark(['p-1'], 'event');
		},
	],
])('that no reviews are left is a loss: %s, where %s', (expected, _who, mark) => {
	const store = createMemoryStore();
	store.put('p-1', 'reviews', pack({}, { count: 2 }), { fetchedAt: 1_000, revision: 0 });
	mark(store);
	const losses = new BuildGuard({ seen: () => [], store, part: 'reviews', waits: false });
	const stored = store.entry('p-1', 'reviews') ?? expect.unreachable('It is stored.');
	expect(losses.looksVanished('p-1', stored)).toBe(expected);
});
