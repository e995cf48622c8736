import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createFolder } from 'product-reviews-test-support/folder';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CacheFile } from '../../../src/cache/cache-file.js';
import { PageStore, siteOf } from '../../../src/cache/page-store.js';
import type { ProductStore } from '../../../src/cache/product-store.js';
import { checkList } from '../../../src/cli/doctor.js';
import { Findings, printDiagnosis } from '../../../src/cli/findings.js';
import { readSettings } from '../../../src/cli/settings.js';
import { type Connection, resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProductReviewsUserOptions } from '../../../src/options/schema.js';
import { describeBuild, findConfig, pointToCache, writeManifest } from '../../../src/project/manifest.js';
import { writeReport } from '../../../src/project/report.js';
import type { FragmentRequest, ProductFacts } from '../../../src/render/fragment.js';
import type { Status } from '../../../src/reviews/results.js';
import { startService } from '../../support/build/service.js';
import { run } from '../../support/cli/command.js';
import { CACHE_FILE, createProject, REPORT_FILE } from '../../support/cli/project.js';
import { createCacheFile } from '../../support/unit/cache.js';
import { packRecord } from '../../support/unit/filled-cache.js';
import { reportOf } from '../../support/unit/report.js';

const service = await startService(['p-1']);
const HOUR = 3_600_000;

afterEach(() => void vi.unstubAllGlobals());

type WritePages = (pages: PageStore, finish: (names: readonly string[]) => void) => void;

interface Diagnosis {
	readonly findings: readonly Readonly<Record<string, string>>[];
	readonly next: readonly string[];
}

/** What the last build was, beside what it was in all tests. */
interface Built {
	/** Products of its report, by what became of them. @default p-1 was fetched */
	readonly results?: Readonly<Record<string, Status>>;
	readonly withReviews?: number;
	/** Writes its pages into the cache. @default they are not known */
	readonly pages?: WritePages;
	/** Writes its record. @default it has none */
	readonly by?: ProductReviewsUserOptions;
}

/** What the command finds in a project whose last build has just fetched p-1. */
async function diagnose(
	options: ProductReviewsUserOptions = {},
	change: (store: ProductStore) => void = () => {},
	environment: NodeJS.ProcessEnv = {},
	point = pointToCache,
	{ results = { 'p-1': 'fetched' }, withReviews = 2, pages: writePages, by }: Built = {},
): Promise<Diagnosis> {
	const root = createFolder('doctor');
	const given = { baseUrl: service.url, products: ['p-1'], ...options };
	createProject(root, given);
	const connect = (own: ProductReviewsUserOptions) =>
		resolveConnection(
			{ ...parseOptions({ ...given, ...own }), wsid: own.wsid ?? 'W-1001', token: undefined },
			{},
		);
	const { account } = connect({});
	const cacheFile = join(root, CACHE_FILE);
	const store = createCacheFile(cacheFile).open(account);
	const aggregate = { average: 4.5, count: 2 };
	store.put('p-1', 'reviews', packRecord({ pid: 'p-1', aggregate }), { fetchedAt: Date.now(), revision: 0 });
	change(store);
	store.close();
	mkdirSync(join(root, 'dist/p-1'), { recursive: true });
	writeFileSync(join(root, 'dist/p-1/index.html'), '');
	if (writePages) {
		const cache = CacheFile.strictly(cacheFile);
		const pages = new PageStore(cache, siteOf(cacheFile, join(root, 'dist')));
		writePages(pages, (names) => pages.finish(new Set(names), { id: 'build', account }, false));
		cache.close();
	}
	if (by) writeManifest(cacheFile, buildOf(root, connect(by)));
	const report = reportOf(
		({ reviews }) => {
			for (const [pid, status] of Object.entries(results)) reviews.settle(pid, status);
		},
		{ pagesOf: (pid) => (pid === 'p-1' ? ['/p-1/'] : []), pages: { withReviews } },
	);
	writeReport(join(root, REPORT_FILE), { ...report, builtAt: new Date().toISOString() });
	const token = { REVIEWS_TOKEN: service.token, ...environment };
	point({ root, outDir: join(root, 'dist'), cacheFile });
	const { output, errors } = await run(['doctor', '--json'], { cwd: root, environment: token });
	for (const secret of [service.token, HALF_SECRET]) expect(output, errors).not.toContain(secret);
	return JSON.parse(output);
}

function buildOf(root: string, connection: Connection) {
	const settings = parseOptions({});
	const places = {
		...{ root, outDir: 'dist', folder: 'dist', envFolder: '.', mode: 'production' },
		...{ site: undefined, base: '/', ...findConfig(root, []) },
	};
	const build = { id: 'build', options: settings, settings, connection, changes: undefined };
	return describeBuild({ ...build, places: () => places }, true, Date.now());
}

/** What the command finds, beside what is fine. */
async function troubles(...given: Parameters<typeof diagnose>) {
	const { findings } = await diagnose(...given);
	return findings
		.filter(({ state }) => state !== 'ok')
		.map(({ group, check, state, code }) => [`${group}/${check}:`, state, code].filter(Boolean).join(' '))
		.filter((found) => found !== NOT_BUILT);
}

/** What the command says in a check, and what to do. */
async function said(name: string, built: Built, options?: ProductReviewsUserOptions) {
	const { findings } = await diagnose(options, () => {}, {}, pointToCache, built);
	const found = findings.find(({ group, check }) => `${group}/${check}` === name);
	return found && [found['state'], found['text'], found['next']].filter(Boolean);
}

/** What is said of this project in any case: nothing was built in it. */
const NOT_BUILT = 'Last build/Update: warning';
const AWAY = 'http://127.0.0.1:1';
const WRONG_KEY = { REVIEWS_TOKEN: '', REVIEWS_API_KEY: 'wrong-key' };
const WRONG_TOKEN = { REVIEWS_TOKEN: 'wrong' };
const HALF_SECRET = 'whsec_abc';
const FROM: ProductReviewsUserOptions = { webhook: { from: 'shopify' } };

// What the command finds in whole sites is tested with builds.
test.each<[string, ProductReviewsUserOptions, NodeJS.ProcessEnv]>([
	['', {}, {}],
	['Product/Display: warning', { display: 'hidden' }, {}],
	['New reviews/Webhook: problem PR_WEBHOOK_SECRET', { webhook: {} }, {}],
	['New reviews/Webhook: problem PR_WEBHOOK_SECRET', {}, { REVIEWS_WEBHOOK_SECRET: HALF_SECRET }],
	['New reviews/Webhook: problem PR_WEBHOOK_SECRET', FROM, { REVIEWS_WEBHOOK_SECRET: HALF_SECRET }],
	['', FROM, { REVIEWS_WEBHOOK_SECRET: 'a-secret-of-text' }],
	['Configuration/Token: problem PR_MISSING_TOKEN', { revalidate: 'ratings' }, { REVIEWS_TOKEN: '' }],
	['Service/Token: problem PR_REQUEST_REFUSED', {}, WRONG_TOKEN],
	['', { webhook: { keyHeader: 'x-key' } }, { REVIEWS_TOKEN: '', REVIEWS_API_KEY: service.apiKey }],
	['Service/Token: problem PR_TOKEN_UNUSABLE', {}, WRONG_KEY],
	['Service/Token: problem PR_TOKEN_UNUSABLE', { sendTokenForReviews: true }, WRONG_KEY],
	[
		'Service/Ratings: problem PR_SERVICE_UNREACHABLE',
		{ baseUrl: { default: service.url, starRating: AWAY } },
		{},
	],
	['Configuration/Service: problem PR_INVALID_URL', {}, { REVIEWS_BASE_URL_STAR_RATING: 'stars.example' }],
	[
		'New reviews/Webhook: problem PR_WEBHOOK_SECRET',
		{ webhook: { keyQuery: 'secret' } },
		{ REVIEWS_API_KEY: 'k' },
	],
])('"%s" is found with %j and %j', async (expected, options, environment) => {
	expect(await troubles(options, () => {}, environment)).toEqual([expected].filter(Boolean));
});

test('a component that needs a token is named with its file', async () => {
	const use = (page: string) => (root: string) => {
		mkdirSync(join(root, 'src/pages'), { recursive: true });
		writeFileSync(join(root, 'src/pages/p.astro'), page);
	};
	const point = (change: (root: string) => void): typeof pointToCache => {
		return (given) => {
			change(given.root);
			pointToCache(given);
		};
	};
	const without = { REVIEWS_TOKEN: '' };
	for (const page of ['<ReviewSection pid="p-1" />', 'const data = await getReviewData(pid, Astro);'])
		expect(await troubles({}, () => {}, without, point(use(page)))).toEqual([
			'Configuration/Token: problem PR_MISSING_TOKEN',
		]);
	expect(await troubles({}, () => {}, without, point(use('<ProductReviews pid="p-1" />')))).toEqual([]);
	expect(await troubles({}, () => {}, {}, point(use('<ReviewList pid="p-1" />')))).toEqual([]);
});

test('a cache that no build has pointed to, that is not where the configuration says, or that is damaged', async () => {
	expect(
		await troubles(
			{},
			() => {},
			{},
			() => {},
		),
	).toEqual(['Cache/Place: warning']);
	const elsewhere = (pointed: Parameters<typeof pointToCache>[0]) => {
		const folder = join(pointed.root, 'elsewhere');
		cpSync(dirname(pointed.cacheFile), folder, { recursive: true });
		pointToCache({ ...pointed, cacheFile: join(folder, basename(pointed.cacheFile)) });
	};
	expect(await troubles({}, () => {}, {}, elsewhere)).toEqual(['Cache/Place: warning']);
	const damaged = (pointed: Parameters<typeof pointToCache>[0]) => {
		pointToCache(pointed);
		writeFileSync(pointed.cacheFile, 'x'.repeat(5_000));
	};
	expect(await troubles({}, () => {}, {}, damaged)).toContain('Cache/File: problem PR_CACHE_UNUSABLE');
});

test.each<[string[], ProductReviewsUserOptions]>([
	[['webhookSecret'], {}],
	[['apiKey', 'webhookSecret', 'webhookKey'], { webhook: { keyHeader: 'x-key' } }],
])('with a provider, only %j are read', (ids, options) => {
	const variables = { REVIEWS_WSID: 'W-1', REVIEWS_TOKEN: 'token', REVIEWS_API_KEY: 'key' };
	const given = parseOptions({ ...options, provider: './reviews.mjs' });
	expect(Object.keys(readSettings(given, {}, [{ name: '.env', variables }]))).toEqual(ids);
});

test('a first product without reviews is a fact', async () => {
	const products = ['p-9', 'p-1'];
	const known = (store: ProductStore) =>
		store.put('p-9', 'reviews', packRecord({ pid: 'p-9', aggregate: undefined, reviews: [] }), {
			fetchedAt: Date.now(),
			revision: 0,
		});
	expect(await troubles({ products }, known)).toEqual([]);
});

const UNLIKE =
	'Open the product at your service, and compare its ID with "p-9". If they are the same, check the website ID.';

test('before there is a build, a product without reviews may mean another website ID', async () => {
	const root = createFolder('doctor');
	createProject(root, { baseUrl: service.url, products: ['p-9'] });
	const { output } = await run(['doctor', '--json'], { cwd: root });
	const { findings } = JSON.parse(output) as { findings: Record<string, string>[] };
	const found = findings.filter(({ group, state }) => group === 'Service' && state !== 'ok');
	const text = 'The service has no reviews of "p-9" for "W-1001".';
	expect(found).toMatchObject([{ check: 'Website ID', state: 'warning', text }]);
	expect(found[0]?.['next']).toContain(UNLIKE);
	const texts = findings.map((finding) => Object.values(finding).join(' ')).join('\n');
	expect(texts).toContain('There is no report of a build yet.');
	expect(texts).not.toMatch(/did not finish|ENOENT|\.:/);
});

test('what is set nowhere can be set in a file of the project, or in the environment', async () => {
	const root = createFolder('doctor');
	createProject(root, { baseUrl: service.url, wsid: '' });
	const { output } = await run(['doctor', '--json'], { cwd: root });
	const { next }: Diagnosis = JSON.parse(output);
	const file = `the file .env in the folder "${basename(root)}"`;
	expect(next[0]).toBe(
		`Set REVIEWS_WSID in the environment or in ${file}, wherever you build, or pass the option "wsid" to productReviews().`,
	);
});

test('in a folder of a project, the project above is named', async () => {
	const root = createFolder('doctor');
	createProject(root, { baseUrl: service.url });
	mkdirSync(join(root, 'src'));
	const { output } = await run(['doctor', '--json'], { cwd: join(root, 'src') });
	const { findings }: Diagnosis = JSON.parse(output);
	expect(findings.find(({ check }) => check === 'Astro config')).toMatchObject({
		text: 'There is no Astro project in the folder "src".',
		next: `Run the command in the folder "${basename(root)}" above, where there is one, or name it with --root.`,
	});
});

test('a last build with another website ID or URL is another store', async () => {
	const states = (by: ProductReviewsUserOptions) => said('Last build/Account', { by });
	expect(await states({})).toBeUndefined();
	expect(await states({ wsid: 'W-1' })).toEqual([
		'warning',
		'The last build used the website ID "W-1", but the settings say "W-1001".',
		'If the settings are right, build again.',
	]);
	expect(await states({ baseUrl: 'https://old.example/' })).toEqual([
		'warning',
		`The last build used the service at https://old.example/, but the settings say ${service.url}.`,
		'If the settings are right, build again.',
	]);
});

test('an unreachable service is blamed on the place where its URL comes from', async () => {
	const find = async (given: ProductReviewsUserOptions, environment: NodeJS.ProcessEnv) => {
		const { findings } = await diagnose(given, () => {}, environment);
		return findings.find(({ check }) => check === 'Reachable')?.['text'];
	};
	const check = (where: string) => new RegExp(`Check ${where} and the network\\.`);
	expect(await find({ baseUrl: AWAY }, {})).toMatch(check('the option "baseUrl" of productReviews\\(\\)'));
	const away = { baseUrl: { default: service.url, crawlerHtml: AWAY } };
	expect(await find(away, {})).toMatch(check('the option "baseUrl.crawlerHtml" of productReviews\\(\\)'));
	const variable = { REVIEWS_BASE_URL_CRAWLER_HTML: AWAY };
	expect(await find({}, variable)).toMatch(
		check('REVIEWS_BASE_URL_CRAWLER_HTML in the environment or in .env'),
	);
});

const COMPONENT = { component: 'ProductReviews', props: {}, language: 'en' } as const;
const LIST: ProductFacts = {
	...{ component: 'ProductReviews', display: 'visible', pid: 'p-1' },
	...{ count: 2, shown: 2, isAll: true, sort: 'newest' },
};

/** A page for p-1 that has a component, and shows its reviews if there are any. */
const page = (facts: readonly ProductFacts[], request: FragmentRequest = COMPONENT): WritePages => {
	return (pages, finish) => {
		const dependencies = [{ pid: 'p-1', from: 'reviews', request, held: ['x'] } as const];
		pages.put('p-1', { address: '/p-1/', dependencies, facts });
		finish(['p-1']);
	};
};

describe('no page with reviews', () => {
	const PLACE = 'Place <ProductReviews pid={product.id} /> on the product pages, and build.';
	const shown = (built: Built) => said('Last build/Pages', { withReviews: 0, ...built });

	test('is a matter of the component if no page asks for a product', async () => {
		expect(await shown({ pages: (_pages, finish) => finish([]) })).toEqual([
			'problem',
			'No page of the last build has reviews.',
			PLACE,
		]);
	});

	test('is not if pages ask for products that have none, or for which the service failed', async () => {
		expect(await shown({ pages: page([]), results: { 'p-1': 'missing' } })).toEqual([
			'warning',
			'No page shows reviews, since the service has none of the products on the pages: "p-1".',
		]);
		expect(await shown({ pages: page([]), results: { 'p-1': 'failed' } })).toEqual([
			'warning',
			'No page shows reviews, since the service failed for the products on the pages: "p-1".',
			'Build again when the service responds.',
		]);
	});

	test('may be either if the pages are not known', async () => {
		expect(await shown({ results: { 'p-1': 'failed' } })).toEqual([
			'warning',
			'No page of the last build has reviews.',
		]);
	});
});

test('a few products without reviews among others may have a wrong ID', async () => {
	const find = (missing: readonly string[]) => {
		const results = { 'p-1': 'fetched', ...Object.fromEntries(missing.map((pid) => [pid, 'missing'])) };
		return said('Last build/No reviews', { results: results as Built['results'] & object });
	};
	expect(await find([])).toBeUndefined();
	expect(await find(['p-2'])).toEqual([
		'warning',
		'The service has no reviews of 1 of the 2 products: "p-2".',
		'If "p-2" should have reviews, compare the ID with the one at the service.',
	]);
	expect(await find(['p-2', 'p-3'])).toEqual([
		'warning',
		'The service has no reviews of 2 of the 3 products: "p-2", "p-3".',
		'If "p-2", "p-3" should have reviews, compare the IDs with those at the service.',
	]);
	expect(await find(['p-2', 'p-3', 'p-4', 'p-5'])).toEqual(['ok', '4 of the 5 products have none']);
});

test('reviews without any structured data may mean a layout without a slot', async () => {
	const find = (pages?: WritePages) => said('Last build/Structured data', pages ? { pages } : {});
	expect(await find(page([LIST]))).toEqual([
		'warning',
		'No page has structured data.',
		'If you placed <ReviewSchema slot="head">, check that your layout has <slot name="head" />.',
	]);
	expect(await find(page([LIST], { ...COMPONENT, component: 'ReviewSchema' }))).toBeUndefined();
	expect(await find(page([LIST, { component: 'own-markup', pid: 'p-1' }]))).toBeUndefined();
	expect(await find(page([]))).toBeUndefined();
	expect(await find()).toBeUndefined();
});

test('reviews that are outdated or damaged, and clocks that differ', async () => {
	const whole = packRecord({ pid: 'p-1', aggregate: { average: 4, count: 1 } });
	const put = (packed: typeof whole, fetchedAt: number) => (store: ProductStore) =>
		store.put('p-1', 'reviews', packed, { fetchedAt, revision: 0 });
	expect(await troubles({}, put(whole, Date.now()))).toEqual(['New reviews/Outdated: warning']);
	const damaged = { ...whole, value: whole.value.subarray(1) };
	expect(await troubles({}, put(damaged, 1))).toContain('Product/Cached: problem PR_CACHE_UNUSABLE');
	expect(await troubles({}, (store) => store.mark(['p-1'], 'person'))).toContain(
		'New reviews/Waiting: warning',
	);
	const { fetch } = globalThis;
	vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
		const { body, status, headers } = await fetch(...given);
		const date = new Date(Date.now() + HOUR).toUTCString();
		return new Response(body, { status, headers: { ...Object.fromEntries(headers), date } });
	});
	expect(await troubles()).toEqual(['Service/Clock: warning']);
});

test('a diagnosis is printed in 80 columns, in colors only where there are some, and as what it is', () => {
	const found = new Findings();
	found.in('Service').ok('Reachable', `it answers ${'as it should '.repeat(20)}`);
	const advice = { next: 'Look at it '.repeat(12), code: 'PR_SERVICE_FAILED' } as const;
	found.in('Configuration').problem('Product list', 'odd \u001b[2J\u0007 text', advice);
	found.in('Service').warning('Clock', 'It is late.', advice);
	const diagnosis = found.diagnosis();
	expect(diagnosis).toMatchObject({ verdict: 'problems', problems: 1, warnings: 1 });
	expect(diagnosis.next).toHaveLength(1);
	vi.stubEnv('FORCE_COLOR', '0');
	const plain = printDiagnosis(diagnosis);
	expect(plain).toMatch(
		/\nConfiguration\n {2}✗ Product list {2}odd text\n {18}PR_SERVICE_FAILED\n\nService\n/,
	);
	expect(plain).toContain('\nFound 1 problem and 1 warning.\n\nNext steps\n  1. Look at it');
	expect(plain).toContain('\n  npx astro-product-reviews explain PR_SERVICE_FAILED\n');
	for (const line of plain.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
	vi.stubEnv('FORCE_COLOR', '3');
	const colored = printDiagnosis(diagnosis);
	vi.unstubAllEnvs();
	expect(colored).toContain('\u001b[');
	expect(stripVTControlCharacters(colored)).toBe(plain);
	const fine = new Findings();
	fine.in('Service').ok('Reachable', 'yes');
	expect(printDiagnosis(fine.diagnosis())).toMatch(/Everything is in order\.\n$/);
});

describe('the product list', () => {
	async function* hanging(...pids: string[]) {
		yield* pids;
		await new Promise(() => {});
	}
	const read = (source: unknown, wanted?: string) =>
		checkList(new Findings(), source as () => string[], wanted, 20);

	test('is read as far as the product that is wanted, and not for longer than the patience', async () => {
		let given = 0;
		function* counting() {
			for (;;) yield `p-${++given}`;
		}
		expect(await read(counting)).toMatchObject({ first: 'p-1', read: 1 });
		expect(given).toBe(1);
		const list = ['p-1', 'p-2', 'p-3'];
		expect(await read(list, 'p-2')).toMatchObject({ first: 'p-1', read: 2, hasProduct: true });
		expect(await read(list, 'p-9')).toMatchObject({ read: 3, hasProduct: false });
		expect(await read(() => hanging('p-1'), 'p-9')).toMatchObject({ read: 1, hasProduct: undefined });
	});

	test.each<[string, () => unknown, string]>([
		['is empty', () => [], 'PR_PRODUCT_LIST_EMPTY'],
		['is none', () => undefined, 'PR_PRODUCT_LIST_UNREADABLE'],
		['contains an object', () => [{}], 'PR_INVALID_PRODUCT_ID'],
		['cannot be read', () => Promise.reject(new Error('no catalog')), 'PR_PRODUCT_LIST_UNREADABLE'],
		['hangs', () => hanging(), 'PR_PRODUCT_LIST_UNREADABLE'],
	])('that %s is a problem', async (_, source, code) => {
		const found = new Findings();
		expect(await checkList(found, source as () => string[], undefined, 20)).toBeUndefined();
		expect(found.diagnosis().findings).toMatchObject([{ state: 'problem', code }]);
	});
});
