import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onceEach } from '../support/build/once-each.js';
import { type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';

const GOOD = ['good', 'listing', 'own-markup', 'joined', 'priced'];
const BAD = [
	'hidden-only',
	'hidden-stars',
	'no-reviews',
	'two-products',
	'twice',
	'shown-less',
	'filtered',
	'without-price',
	'without-currency',
];
const FINDINGS = [
	{ rule: 'hidden-only', page: '/hidden-only/', pids: ['p-1'] },
	{ rule: 'hidden-only', page: '/hidden-stars/', pids: ['p-1'] },
	{ rule: 'low-ratings-hidden', page: '/filtered/', pids: ['p-1'] },
	{ rule: 'offer-without-price', page: '/without-price/', pids: ['p-1'] },
	{ rule: 'offer-without-currency', page: '/without-currency/', pids: ['p-1'] },
	{ rule: 'schema-without-reviews', page: '/no-reviews/', pids: ['p-1'] },
	{ rule: 'several-products', page: '/two-products/', pids: ['p-1', 'p-2'] },
	{ rule: 'schema-twice', page: '/twice/', pids: ['p-1'] },
	{ rule: 'different-ids', page: '/twice/', pids: ['p-1'] },
	{ rule: 'schema-lists-more', page: '/shown-less/', pids: ['p-1'] },
];

const projects: BuildProject[] = [];
let service: Sandbox;

beforeAll(async () => {
	service = await startService(productIds(2));
});

afterAll(async () => {
	for (const project of projects) project.remove();
	await service.close();
});

const build = onceEach(
	async (
		pages: readonly string[],
		options: Record<string, unknown> = {},
		config: Record<string, unknown> = {},
	) => {
		const project = createProject('audited-pages');
		projects.push(project);
		const result = await project.build({
			service: service.url,
			options: { products: productIds(2), ...options },
			config,
			pages,
			environment: { REVIEWS_TOKEN: service.token },
		});
		return {
			...result,
			project,
			report: join(project.root, '.cache/product-reviews/product-reviews-report.json'),
		};
	},
);

const readReport = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

describe('the audit', () => {
	test.each([
		['one page after the other', {}],
		['eight pages at once', { build: { concurrency: 8 } }],
	])('warns of pages that break rules, and of no other, rendered %s', async (_how, config) => {
		const { status, output, report } = await build([...GOOD, ...BAD], {}, config);
		expect(status).toBe(0);
		expect(readReport(report)).toMatchObject({ version: expect.any(String), audit: { pages: 14 } });
		expect(readReport(report).audit.findings).toHaveLength(FINDINGS.length);
		expect(readReport(report).audit.findings).toEqual(expect.arrayContaining(FINDINGS));
		for (const page of BAD) expect(output).toContain(`"/${page}/"`);
		for (const page of GOOD) expect(output).not.toContain(`"/${page}/"`);
	});

	test('fails the build with audit "error", after it has said what and where', async () => {
		const { status, output, report } = await build(BAD, { audit: 'error' });
		expect(status).toBe(1);
		expect(output).toContain('The audit of the reviews found something wrong with 9 pages');
		expect(output).toContain(
			'2 pages: reviews are in the source of the page, but nobody can see them: "/hidden-only/", "/hidden-stars/".',
		);
		expect(output).toContain('1 page: <ReviewSchema> has an offer without a currency: "/without-currency/".');
		expect(readReport(report).audit.findings).toHaveLength(FINDINGS.length);
	});

	test('lets a build pass that has nothing wrong with audit "error"', async () => {
		const { status, report } = await build(GOOD, { audit: 'error' });
		expect(status).toBe(0);
		expect(readReport(report).audit).toEqual({ pages: 5, findings: [] });
	});

	test('does not look with audit "off"', async () => {
		const { status, output, report } = await build(BAD, { audit: 'off' });
		expect(status).toBe(0);
		expect(output).not.toContain('"/hidden-only/"');
		expect(existsSync(report)).toBe(true);
		expect(readReport(report).audit).toEqual({ pages: 0, findings: [] });
	});

	test('a node that joins another by its id is written as asked', async () => {
		const { project } = await build(GOOD, { audit: 'error' });
		const [, text = ''] =
			/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(project.read('joined/index.html')) ??
			[];
		expect(JSON.parse(text)).toMatchObject({
			'@type': 'ProductGroup',
			'@id': 'https://shop.example/#product',
			aggregateRating: { reviewCount: 2 },
		});
	});
});
