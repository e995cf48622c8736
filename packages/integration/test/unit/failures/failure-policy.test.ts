import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from 'product-reviews-client';
import { describe, expect, test } from 'vitest';
import {
	FAILURE_KINDS,
	type FailureKind,
	ReviewPayloadError,
	ReviewServiceError,
} from '../../../src/errors.js';
import {
	areFewVanished,
	consequenceOf,
	type FailureCase,
	judgeFailures,
	kindOf,
	STORED_STATES,
} from '../../../src/failures/policy.js';
import { createProductOutcomes } from '../../../src/outcomes/outcomes.js';

const OPTIONS = ['stale', 'omit', 'fail'] as const;
const DOCUMENT = new URL('../../../../../docs/src/content/docs/builds/failures.md', import.meta.url);

/** Each case of the table in the documentation, with what comes of it. */
function documentedCases(): { of: FailureCase; cell: string }[] {
	const rows = readFileSync(fileURLToPath(DOCUMENT), 'utf8').split('\n');
	return rows.flatMap((row) => {
		const [kinds, products = '', stored, ...cells] = row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim());
		if (!/^(any|few|many)$/.test(products)) return [];
		return (kinds ?? '').split(', ').flatMap((kind) =>
			(products === 'any' ? [true, false] : [products === 'few']).flatMap((isFew) =>
				(stored ?? '').split(', ').flatMap((state) =>
					OPTIONS.map((onError, at) => {
						const of = { kind: kind.replaceAll('`', ''), stored: state, onError, isFew };
						return { of: of as FailureCase, cell: cells[at] ?? '' };
					}),
				),
			),
		);
	});
}

/** What a cell says, such as "no reviews, a warning (`failed`)". */
function readCell(cell: string, onError: FailureCase['onError']) {
	const [, ends, shows, log, status] =
		/^(?:(\*\*the build ends\*\*)|(.+), (.+)) \(`(.+)`\)$/.exec(cell) ?? [];
	if (!ends) return { shows, status, log: log === 'nothing is said' ? 'nothing' : log, endsBuild: false };
	return { shows: onError === 'fail' ? 'an error' : 'no reviews', status, log: 'an error', endsBuild: true };
}

describe('what comes of a failure', () => {
	test('is what the table in the documentation says, for each kind, number, state and option', () => {
		const cases = documentedCases();
		expect(cases.map(({ of }) => ({ of, ...consequenceOf(of) }))).toEqual(
			cases.map(({ of, cell }) => ({ of, ...readCell(cell, of.onError) })),
		);
		const every = FAILURE_KINDS.length * 2 * STORED_STATES.length * OPTIONS.length;
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
	])(
		'%s for %i products, with %s other answers for %i, and "%s": the build ends: %s',
		(kind, count, other, of, onError, ends) => {
			const outcomes = createProductOutcomes();
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
			expect([stale.length, leftOut.length, ending.length]).toEqual([
				50,
				ends ? 0 : count + 1,
				ends ? count + 1 : 0,
			]);
		},
	);
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

const STATUSES: readonly (readonly [FailureKind, readonly number[]])[] = [
	['unreadable', [0, 99, 204, 399, 600, 999]],
	['refused', [400, 401, 403]],
	['client-error', [402, 404, 407, 409, 428, 499]],
	['timeout', [408]],
	['rate-limited', [429]],
	['server-error', [500, 503, 599]],
];

test.each<[FailureKind, string, unknown]>([
	...STATUSES.flatMap(([kind, statuses]) =>
		statuses.map((status): [FailureKind, string, unknown] => [
			kind,
			`status ${status}`,
			new ReviewsHttpError('', { status }),
		]),
	),
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
