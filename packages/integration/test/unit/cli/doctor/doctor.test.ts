import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../../src/cli/doctor/diagnose.js';
import type { Facts } from '../../../../src/cli/doctor/facts.js';
import { readList } from '../../../../src/cli/doctor/gather/gather-facts.js';
import { printDiagnosis } from '../../../../src/cli/doctor/run-doctor.js';
import { answered, type Change, factsOf, HOUR, NOW } from '../../../support/cli/facts.js';

/** `group/check: state code` of every finding that is not fine. */
const troubles = (facts: Facts) =>
	diagnose(facts)
		.findings.filter(({ state }) => state !== 'ok')
		.map(({ group, check, state, code }) => [`${group}/${check}:`, state, code].filter(Boolean).join(' '));

const failed = (code: string, reason = 'Bad.') => ({ state: 'failed', trouble: { code, reason } });
const ask = (operations: Change): Change => ({ service: { operations } });
const NONE = ask({ crawlerReviews: answered(0), starRating: answered(0), productReviewData: answered(0) });
const stored = (change: Change): Change => ({ product: { stored: change } });

test('a sound project has neither problems nor warnings', () => {
	expect(diagnose(factsOf())).toMatchObject({ verdict: 'ok', problems: 0, warnings: 0, next: [] });
});

const EMPTY = { ...NONE, ...stored({ count: 0, average: 0 }) };
const LOST = { ...EMPTY, build: { report: { totals: { fetched: 0, missing: 60 } } } };
const ONLY_STARS = { ...ask({ crawlerReviews: answered(0) }), product: { stored: undefined } };
const STALE = { stale: 3, oldest: NOW - 3 * HOUR };
const NO_TOKEN = { settings: { token: { shown: undefined } } };

// What the command finds in real projects is tested with builds.
test.each<[string, Change]>([
	['Configuration/Website id: problem PR_NOT_CONFIGURED', { settings: { wsid: { shown: undefined } } }],
	['Configuration/Product list: problem PR_PRODUCT_LIST_EMPTY', { list: failed('PR_PRODUCT_LIST_EMPTY') }],
	['', { list: { length: undefined, read: 9_000 }, product: { isGiven: true } }],
	['Service/Website id: problem PR_NO_REVIEWS, Product/Reviews: warning', LOST],
	[
		'Service/Website id: problem PR_NO_REVIEWS, Product/Reviews: warning, Product/Stored: warning PR_NOT_STORED',
		ONLY_STARS,
	],
	['Product/Reviews: warning', EMPTY],
	['Product/Stored: problem PR_STORE_UNUSABLE', stored({ isWhole: false })],
	['Product/Dropped parts: warning PR_UNREADABLE_ANSWER', { service: { dropped: { 'text-cut': 2 } } }],
	['New reviews/Stale: warning PR_SERVICE_FAILED', { store: STALE }],
	['New reviews/Stale: problem PR_SERVICE_FAILED', { store: { ...STALE, oldest: NOW - 72 * HOUR } }],
	['New reviews/Output: warning', { store: { newest: NOW - 60_000 } }],
	['New reviews/Output: warning', { build: { newestFile: NOW - 30 * HOUR } }],
	[
		'New reviews/Webhook: problem PR_WEBHOOK_SECRET',
		{ settings: { webhookSecret: { shown: '*', length: 9 } } },
	],
	['Service/Clock: warning', { service: { skew: -900_000 } }],
	['Project/Incremental: warning', { site: { isIncremental: true }, versions: { astro: '7.2.9' } }],
	['', { site: { isIncremental: true } }],
	['', NO_TOKEN],
])('"%s" is found if %j', (expected, change) => {
	expect(troubles(factsOf(change)).join(', ')).toBe(expected);
});

describe('options', () => {
	test.each([
		[
			'Product/Publishers: warning',
			{ publishers: ['Fjell'] },
			{ service: { publishers: ['B', 'FJELL ', undefined] } },
		],
		['Product/Display: warning', { display: 'hidden' }, {}],
		['New reviews/Webhook: problem PR_WEBHOOK_SECRET', { webhook: {} }, {}],
		['Configuration/Token: problem PR_MISSING_TOKEN', { revalidate: 'ratings' }, NO_TOKEN],
	])('are a reason as well: %s with %j', (expected, options, change) => {
		expect(troubles(factsOf(change, options))).toContain(expected);
	});

	test.each([
		[{}, 'fetches products whose ratings changed, and those older than 7 d'],
		[{ revalidate: 'age', maxAge: '2h' }, 'fetches products older than 2 h (maxAge)'],
		[{ revalidate: 'always' }, 'fetches all products'],
	])('say when stored reviews are asked for again: %j', (options, text) => {
		const { findings } = diagnose(factsOf({}, options));
		expect(findings.find(({ check }) => check === 'Each build')?.text).toBe(text);
	});
});

describe('what is printed', () => {
	const list = failed('PR_PRODUCT_LIST_EMPTY', 'odd \u001b[2J\u0007 text');
	const troubled = diagnose(factsOf({ ...NONE, list }, { display: 'hidden', webhook: {} }));

	test('has colours only where they are shown, and nothing that moves the cursor', () => {
		const plain = printDiagnosis(troubled, false);
		const coloured = printDiagnosis(troubled, true);
		expect(plain).toBe(stripVTControlCharacters(plain));
		expect(plain).toContain('odd text');
		expect(coloured).not.toBe(plain);
		expect(stripVTControlCharacters(coloured)).toBe(plain);
		for (const line of plain.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
	});

	test('ends with the verdict, and a next step for everything that is wrong, problems first', () => {
		expect(printDiagnosis(troubled, false)).toMatch(
			/\nFound \d problems and \d warnings\.\n\nNext steps\n {2}1\. /,
		);
		const wrong = troubled.findings.filter(({ state }) => state !== 'ok');
		expect(wrong.length).toBeGreaterThan(3);
		expect(wrong.filter(({ next }) => !next)).toEqual([]);
		const stepsOf = (state: string) => wrong.filter((one) => one.state === state).map(({ next }) => next);
		expect(troubled.next).toEqual([...new Set([...stepsOf('problem'), ...stepsOf('warning')])]);
		expect(printDiagnosis(diagnose(factsOf()), false)).toMatch(/\nEverything is in order\.\n$/);
	});
});

describe('the product list', () => {
	test('is read as far as is needed, and no end is waited for', async () => {
		let given = 0;
		async function* endless() {
			for (;;) yield `p-${++given}`;
		}
		expect(await readList(endless, undefined)).toMatchObject({ state: 'read', first: 'p-1', read: 1 });
		expect(given).toBe(1);
		const list = ['p-1', 'p-2', 'p-3'];
		expect(await readList(list, 'p-2')).toMatchObject({ first: 'p-1', length: 3, read: 2, hasProduct: true });
		expect(await readList(list, 'p-9')).toMatchObject({ read: 3, hasProduct: false });
		async function* hanging(...pids: string[]) {
			yield* pids;
			await new Promise(() => {});
		}
		expect(await readList(() => hanging('p-1'), 'p-9', 20)).toMatchObject({ read: 1, hasProduct: undefined });
		const code = 'PR_PRODUCT_LIST_UNREADABLE';
		expect(await readList(() => hanging(), undefined, 20)).toMatchObject({
			state: 'failed',
			trouble: { code },
		});
	});

	test.each<[string, () => unknown, string]>([
		['is empty', () => [], 'PR_PRODUCT_LIST_EMPTY'],
		['is none', () => undefined, 'PR_PRODUCT_LIST_UNREADABLE'],
		['contains an object', () => [{}], 'PR_INVALID_PRODUCT_ID'],
		['cannot be read', () => Promise.reject(new Error('no catalogue')), 'PR_PRODUCT_LIST_UNREADABLE'],
	])('that %s is a trouble', async (_, source, code) => {
		const read = await readList(source as () => string[], undefined);
		expect(read).toMatchObject({ state: 'failed', trouble: { code } });
	});
});
