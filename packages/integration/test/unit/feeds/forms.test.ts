import { expect, test } from 'vitest';
import { FormsAudit } from '../../../src/feeds/write-feeds.js';
import type { ProductFacts } from '../../../src/render/fragment.js';

const PID = { pid: 'p-1' };
const LIST = {
	...PID,
	component: 'ReviewList',
	display: 'visible',
	count: 12,
	shown: 10,
	isAll: false,
	sort: 'newest',
} as const;
const SCHEMA = {
	...PID,
	component: 'ReviewSchema',
	id: undefined,
	count: 12,
	listed: 10,
	sort: 'newest',
} as const;
const OWN = { ...PID, component: 'own-markup' } as const;
const RATING = { average: 4.5, count: 12 };

type Form = Parameters<FormsAudit['addForm']> extends [string, ...infer Others] ? Others : never;

test.each<[what: string, facts: readonly ProductFacts[], forms: readonly Form[], rules: readonly string[]]>([
	['the same numbers', [LIST, SCHEMA], [[RATING], [{ ...RATING, average: 4.505 }], [undefined]], []],
	['another number on the page', [LIST, { ...SCHEMA, count: 11 }], [[RATING]], ['forms-differ']],
	['another number in a feed', [LIST], [[RATING], [{ average: 4.5, count: 13 }]], ['forms-differ']],
	['another average', [LIST], [[RATING], [{ ...RATING, average: 4.52 }]], ['forms-differ']],
	['more reviews in the feed', [LIST], [[RATING, 11]], ['feed-lists-more']],
	['as many reviews in the feed', [LIST], [[RATING, 10]], []],
	['a list of all reviews', [{ ...LIST, isAll: true }], [[RATING, 11]], []],
	[
		'a list of all reviews that nobody sees',
		[{ ...LIST, display: 'hidden', isAll: true }],
		[[RATING, 1]],
		['feed-lists-more'],
	],
	['own markup', [OWN, SCHEMA], [[RATING, 11]], []],
	['no page of its own', [{ ...PID, component: 'StarRating', count: 11 }], [[RATING, 11]], []],
])('%s', (_what, facts, forms, rules) => {
	const audit = new FormsAudit();
	audit.addPage('/products/kettle/', facts.slice(0, 1));
	audit.addPage('/products/kettle/', facts);
	audit.addPage('/', [
		{ ...PID, component: 'StarRating', count: facts[0] && 'count' in facts[0] ? (facts[0].count ?? 0) : 12 },
	]);
	for (const form of forms) audit.addForm('p-1', ...form);
	audit.addForm('p-2', RATING, 3);
	expect(audit.findings).toEqual(rules.map((rule) => ({ rule, page: '/products/kettle/', pids: ['p-1'] })));
});
