import { expect, test } from 'vitest';
import { createAudit, describeFindings, type PageFinding } from '../../../src/audit/audit.js';

const SCHEMA = {
	component: 'ReviewSchema',
	pid: 'p-1',
	id: undefined,
	count: 1,
	listed: 1,
	sort: 'as-sent',
} as const;

test('a page may show what was asked for outside of it', () => {
	const audit = createAudit();
	audit.addOwnMarkup('p-1');
	expect(audit.add('/kettle/', [SCHEMA])).toBe(true);
});

test('every page is counted, and each finding names its page', () => {
	const audit = createAudit();
	expect(audit.add('/', [])).toBe(true);
	expect(audit.add('/kettle/', [SCHEMA])).toBe(false);
	expect({ pages: audit.pages, findings: audit.findings }).toEqual({
		pages: 2,
		findings: [{ rule: 'schema-without-reviews', page: '/kettle/', pids: ['p-1'] }],
	});
});

test('a line for each rule says what is wrong, where, and what to do', () => {
	const findings: PageFinding[] = [
		...Array.from({ length: 1_200 }, (_, index) => ({
			rule: 'hidden-only' as const,
			page: `/p-${index + 1}/`,
			pids: [`p-${index + 1}`],
		})),
		{ rule: 'schema-twice', page: '/\u202eevil\u0007/', pids: ['x'] },
	];
	expect(describeFindings(findings)).toMatchInlineSnapshot(`
		[
		  "1,200 pages: reviews are in the source of the page, but nobody can see them: "/p-1/", "/p-2/", "/p-3/", "/p-4/", "/p-5/" and 1,195 more. Search engines treat that as hidden text: set \`display="visible"\` on <ProductReviews>. This is fine only if the widget of the service shows the same reviews.",
		  "1 page: <ReviewSchema> is used twice for the same product: "/evil/". Remove one.",
		]
	`);
});

test('nothing found is nothing said', () => {
	expect(describeFindings([])).toEqual([]);
});
