import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { BuildReport } from '../../../../integration/src/report/build-report.js';
import { reportOf, variedReport } from '../../../../integration/test/support/unit/report.js';
import { createReportPage } from '../../../src/report-page/create-report-page.js';

/** The visible text of a section, without its tags. */
function textOf(page: string, id: string): string {
	const [, section = ''] = new RegExp(`<section id="${id}".*?</h2>(.*?)</section>`, 's').exec(page) ?? [];
	return section
		.replace(/<[^>]+>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}

test('says of every part of a build how it went', () => {
	const page = createReportPage(variedReport());
	expect(page).toContain('<a href="#failed">2 failed answers</a>');
	expect(page).toContain('<a href="#stale">2 stale answers</a>');
	expect(page).toContain('<a href="#dropped">2 products with dropped parts</a>');
	expect(page).toContain('<a href="#audit">2 audit findings</a>');
	expect(textOf(page, 'states')).toContain('fetched the service sent reviews 25 1');
	expect(textOf(page, 'failed')).toContain('p-13 reviews no answer within 10 s, in 5 attempts');
	expect(textOf(page, 'failed')).toContain('p-17 reviews unreadable the answer is not JSON');
	expect(textOf(page, 'stale')).toContain('p-2 review data 502 Bad Gateway On /products/p-2/ , / ');
	expect(textOf(page, 'dropped')).toContain('rating that is not a number from 1 to 5 3');
	expect(textOf(page, 'dropped')).toContain('p-5 address that is not http(s) (2)');
	expect(textOf(page, 'audit')).toContain(
		'Add &lt;ProductReviews&gt; or &lt;ReviewList&gt; of the same product.',
	);
	expect(textOf(page, 'audit')).toContain('/category/kitchen/ p-1 and 2 other products');
	expect(textOf(page, 'times')).toContain('the slowest 7.6 s');
	expect(textOf(page, 'times')).toMatch(
		/5 to 10 s 3 .*Slowest answers Product Request Time p-39 reviews 7\.6 s/,
	);
	expect(textOf(page, 'pages')).toContain('p-0 4 /products/p-0/ , / , /category/kitchen/ and 1 more');
	expect(textOf(page, 'pages')).toContain('On no page No page shows reviews of 1 product. p-3');
	expect(textOf(page, 'build')).toContain('Pages reused 32 of 40');
});

test('says of a build without trouble that nothing needs attention', () => {
	const page = createReportPage(reportOf(({ reviews }) => reviews.settle('p-1', 'unchanged')));
	expect(page).toContain('Nothing needs attention.');
	expect(page).toContain('Nothing found on 2 audited pages.');
	expect(page).toContain('The service was not asked.');
	expect(page).not.toMatch(/id="(?:failed|stale|dropped)"/);
});

test('says of a build that asked for nothing that it did', () => {
	expect(createReportPage(reportOf(() => {}))).toContain('No page and no list asked for reviews.');
});

test('its policy allows its own stylesheet and nothing else, and nothing in it needs more', () => {
	const page = createReportPage(variedReport());
	const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
	const hash = createHash('sha256').update(style).digest('base64');
	expect(page).toContain(
		`content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
	);
	expect(page).not.toMatch(/<script|<link|<img|<iframe| style=| on\w+=|url\(|@import/);
	expect(
		[...page.matchAll(/ (?:href|src)="([^"]*)"/g)].every(([, address]) => address?.startsWith('#')),
	).toBe(true);
});

const HOSTILE = '"><img src=x onerror=alert(1)></style><script>alert(2)</script>\u202e\u0000\n&amp;\'';

test('whatever a stranger wrote is text', () => {
	const page = createReportPage(hostileReport());
	for (const text of ['<img', '<script', '\u202e', '\u0000']) expect(page).not.toContain(text);
	expect(page.match(/<\/style>/g)).toHaveLength(1);
	expect(page).toContain('&lt;script&gt;');
});

function hostileReport(): BuildReport {
	const report = reportOf(
		({ reviews }) => {
			for (const [index, status] of (['fetched', 'stale', 'failed', 'unreadable'] as const).entries()) {
				reviews.addRequest(`${index}${HOSTILE}`, 5, 1);
				reviews.settle(`${index}${HOSTILE}`, status, HOSTILE);
			}
			reviews.settle('\u200b', 'failed', '');
			reviews.addAnswer(`0${HOSTILE}`, { 'text-cut': 1 });
		},
		{
			pagesOf: () => [`/${HOSTILE}/`],
			audit: { pages: 1, findings: [{ rule: 'schema-twice', page: HOSTILE, pids: [HOSTILE] }] },
		},
	);
	return { ...report, version: HOSTILE, builtAt: HOSTILE };
}

test.each([
	['100,000 products', 100_000, (index: number) => `product-${index}`, 250_000],
	['products with the worst ids', 2_000, (index: number) => `${index}${'"&\''.repeat(100)}`, 3_000_000],
])('the page of %s, all of which failed, has a limit', (_what, number, name, most) => {
	const pids = Array.from({ length: number }, (_, index) => name(index));
	const report = reportOf(
		({ reviews }) => {
			for (const [index, pid] of pids.entries()) {
				reviews.addRequest(pid, index / 100, 1);
				reviews.settle(pid, index % 2 === 0 ? 'failed' : 'stale', `HTTP 503 ${pid}`);
				reviews.addAnswer(pid, { 'text-cut': 1 });
			}
		},
		{
			pagesOf: (pid) => ['a', 'b', 'c', 'd'].map((folder) => `/${folder}/${pid}/`),
			audit: {
				pages: number,
				findings: pids.map((pid) => ({ rule: 'schema-twice', page: `/a/${pid}/`, pids: [pid] })),
			},
		},
	);
	const page = createReportPage(report);
	expect(Buffer.byteLength(page)).toBeLessThan(most);
	for (const more of [number / 2 - 100, number - 100, number - 50, number - 500]) {
		expect(page).toContain(`and ${more.toLocaleString('en')} more, which <code>report --json</code> lists`);
	}
});
