import { expect, test } from 'vitest';
import { productIds, startShop, TOKEN } from '../support/build/service.js';

const GOOD = ['good', 'listing', 'own-markup', 'joined', 'priced'];
const FINDINGS = [
	{ rule: 'hidden-only', page: '/hidden-only/', pids: ['p-1'] },
	{ rule: 'hidden-only', page: '/hidden-stars/', pids: ['p-1'] },
	{ rule: 'low-ratings-hidden', page: '/filtered/', pids: ['p-1'] },
	{ rule: 'offer-without-price', page: '/without-price/', pids: ['p-1'] },
	{ rule: 'offer-without-currency', page: '/without-currency/', pids: ['p-1'] },
	{
		...{ rule: 'product-price', page: '/wrong-product/', pids: ['p-1'] },
		written: ['offers[1].price is "1.299,00"'],
	},
	{ rule: 'product-value', page: '/wrong-product/', pids: ['p-1'], written: ['weight is "NaN"'] },
	{ rule: 'schema-without-reviews', page: '/no-reviews/', pids: ['p-1'] },
	{ rule: 'several-products', page: '/two-products/', pids: ['p-1', 'p-2'] },
	{ rule: 'schema-twice', page: '/twice/', pids: ['p-1'] },
	{ rule: 'different-ids', page: '/twice/', pids: ['p-1'] },
	{ rule: 'schema-lists-more', page: '/shown-less/', pids: ['p-1'] },
];
const BAD = [...new Set(FINDINGS.map(({ page }) => page.slice(1, -1)))];

const { project } = await startShop('audited-pages', productIds(2), { environment: TOKEN });

async function build(pages: readonly string[], options: Record<string, unknown> = {}, config = {}) {
	return { ...(await project.tryBuild({ options, config, pages })), report: project.report() };
}

test('the audit warns of pages that break rules, and of no other, also of pages rendered at once', async () => {
	const { status, output, report } = await build([...GOOD, ...BAD], {}, { build: { concurrency: 8 } });
	expect(status, output).toBe(0);
	expect(report).toMatchObject({ version: expect.any(String), audit: { pages: 15 } });
	expect(report.audit.findings).toHaveLength(FINDINGS.length);
	expect(report.audit.findings).toEqual(expect.arrayContaining(FINDINGS));
	for (const page of BAD) expect(output).toContain(`"/${page}/"`);
	for (const page of GOOD) expect(output).not.toContain(`"/${page}/"`);
});

test('it lets a build pass that has nothing wrong, such as a node that joins another by its id', async () => {
	const { status, output, report } = await build(GOOD, { audit: 'error' });
	expect(status, output).toBe(0);
	expect(report.audit).toEqual({ pages: 5, findings: [] });
	const page = project.read('joined/index.html');
	expect(
		JSON.parse(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(page)?.[1] ?? ''),
	).toMatchObject({
		'@type': 'ProductGroup',
		'@id': 'https://shop.example/#product',
		aggregateRating: { reviewCount: 2 },
	});
});

test('it fails the build with audit "error", after it has said what and where', async () => {
	const { status, output, report } = await build(BAD, { audit: 'error' });
	expect(status).toBe(1);
	expect(output).toContain('The audit of the reviews found something wrong with 10 pages');
	expect(output).toContain(
		'2 pages: reviews are in the source of the page, but nobody can see them: "/hidden-only/", "/hidden-stars/".',
	);
	expect(output).toContain('1 page: <ReviewSchema> has an offer without a currency: "/without-currency/".');
	expect(output).toContain(
		'1 page: a price of the product is not a number above zero: "/wrong-product/" (offers[1].price is "1.299,00").',
	);
	expect(report.audit.findings).toHaveLength(FINDINGS.length);
});
