import { cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { providers } from '../../src/providers/shipped/index.js';
import { type AstroRun, type BuildProject, createProject } from '../support/build/project.js';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';
import { run } from '../support/cli/command.js';

const LISTED = productIds(12);
/** Of the listed products, p-12 is on no page. */
const SETUP = { pages: LISTED.slice(0, 11), options: { retries: 0 }, environment: TOKEN };

const { project, service } = await startShop('store', LISTED, SETUP);

/** The same project with all that it has by now: its store, Astro's caches, the built site. */
function createCopy(): BuildProject {
	const options = { products: LISTED, ...SETUP.options };
	const copy = createProject('store', { ...SETUP, service: service.url, options });
	onTestFinished(copy.remove);
	cpSync(project.root, copy.root, { recursive: true });
	return copy;
}

beforeAll(async () => {
	service.store.addProduct({ pid: 'p-17', name: 'Product 17' });
	service.faults.add({ kind: 'status', status: 503, pid: 'p-3', operation: 'crawlerReviews', times: 1 });
	const output = await project.build({ options: { logRequests: 'build', retries: 2 } });
	// The option logs each request of the build.
	const lines = [...output.matchAll(/GET http:\/\/127[^\n]*/g)].map(([line]) => line);
	const ofP3 = lines.filter((line) => line.includes('"p-3"'));
	expect(lines).toHaveLength(LISTED.length + 1);
	expect(ofP3[0]).toMatch(/llmRvwHTML "p-3": 503 in [\d,]+ ms, .*, try 1 \[PR_SERVICE_ERROR\]$/);
	expect(ofP3[1]).toMatch(/llmRvwHTML "p-3": 200 in [\d,]+ ms, .*, try 2$/);
	expect(output).not.toContain(service.token);
});

type Finding = Readonly<
	Record<'group' | 'check' | 'state' | 'text', string> & { next?: string; code?: string }
>;

/** What it finds wrong, as `group/check`, and everything else that it says. */
async function diagnose(given: AstroRun = {}, args: readonly string[] = [], at = project) {
	const { environment } = at.buildCommand(given);
	const { status, output, errors } = await run(['doctor', '--json', ...args], { cwd: at.root, environment });
	expect(output, errors).toMatch(/^\{/);
	const { findings, next }: { findings: Finding[]; next: string[] } = JSON.parse(output);
	const nameOf = ({ group, check }: Finding) => `${group}/${check}`;
	const of = (state: string) => findings.filter((finding) => finding.state === state).map(nameOf);
	const find = (name: string) => findings.find((finding) => nameOf(finding) === name);
	return { status, next, problems: of('problem'), warnings: of('warning'), find };
}

/** Path, size and time of every file below a folder. */
const describeFiles = (folder: string) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => {
			const { size, mtimeMs } = statSync(join(parentPath, name));
			return [join(parentPath, name), size, mtimeMs];
		});

test('a sound project has nothing wrong, in 80 columns without colors, and stays as it is', async () => {
	const before = describeFiles(project.root);
	const { status, printed, errors } = await project.command(['doctor']);
	expect(describeFiles(project.root)).toEqual(before);
	expect([status, errors], printed).toEqual([0, '']);
	expect(printed).toContain('✓ Reviews       2 ratings for "p-1" in ');
	expect(printed).toContain('Everything is in order.');
	expect(printed.split('\n').filter((line) => line.length > 80)).toEqual([]);
	expect(printed).not.toContain('\u001b');
	expect(printed).not.toContain(service.token);
});

test('programs are told where each value came from, and never a secret', async () => {
	const { token } = service;
	writeFileSync(join(project.root, '.env'), `REVIEWS_TOKEN=${token}\nREVIEWS_WSID=W-other\n`);
	const environment = { ...project.buildCommand().environment, REVIEWS_TOKEN: undefined };
	// From elsewhere, as a script may run it.
	const { status, output, errors } = await run(['doctor', '--json', '--root', project.root], { environment });
	expect(status, errors).toBe(0);
	rmSync(join(project.root, '.env'));
	expect(JSON.parse(output)).toMatchObject({
		verdict: 'ok',
		settings: [
			{ id: 'baseUrl', shown: service.url, origin: 'the environment' },
			{ id: 'wsid', shown: 'W-1001', origin: 'the environment', hides: '.env' },
			{ id: 'token', shown: `set (${token.length} characters)`, origin: '.env' },
			{ id: 'webhookSecret' },
		],
	});
	expect(output + errors).not.toContain(token);
});

const set = (name: string, value: string) => ({ environment: { [`REVIEWS_${name}`]: value } });
const AWAY = 'http://127.0.0.1:1';
const NOTHING_SET = { environment: { REVIEWS_BASE_URL: '', REVIEWS_WSID: '', REVIEWS_TOKEN: '' } };

test.each<[string, AstroRun, readonly string[], string]>([
	['the website ID is wrong', set('WSID', 'W-9'), ['Service/Website ID'], '"W-9" from the environment'],
	['the service is away', set('BASE_URL', AWAY), ['Service/Reachable'], 'PR_SERVICE_UNREACHABLE'],
	['nothing is set', NOTHING_SET, ['Configuration/Service', 'Configuration/Website ID'], 'PR_NOT_CONFIGURED'],
	['an option is invalid', { options: { concurrency: 0 } }, ['Project/Astro config'], '"concurrency"'],
])('%s', async (_what, given, problems, says) => {
	const found = await diagnose(given);
	expect([found.status, found.problems]).toEqual([1, problems]);
	const said = problems.map(found.find).flatMap((finding) => Object.values(finding ?? {}));
	expect(said.join('\n')).toContain(says);
});

test('the service that is away is looked for where its URL comes from, and the last build had another one', async () => {
	const found = await diagnose(set('BASE_URL', AWAY));
	expect(found.find('Service/Reachable')?.text).toContain(
		'Check REVIEWS_BASE_URL in the environment or in .env and the network.',
	);
	expect(found.find('Last build/Account')?.text).toBe(
		`The last build used the service at ${service.url}, but the settings say ${AWAY}.`,
	);
	const other = await diagnose(set('WSID', 'W-9'));
	expect(other.find('Last build/Account')?.text).toBe(
		'The last build used the website ID "W-1001", but the settings say "W-9".',
	);
	expect(other.find('Cache/Account')).toBeUndefined();
});

test('a provider of this package that is away is looked for in its options', async () => {
	const shop = createProject('store', {
		pages: ['128'],
		options: { provider: providers.wooCommerce({ url: AWAY }), products: ['128'], retries: 0 },
	});
	onTestFinished(shop.remove);
	const { output } = await shop.tryBuild();
	const advice = 'Check the option "url" of providers.wooCommerce(), and the network.';
	expect(output).toContain(advice);
	expect(output).not.toContain('Fix the provider');
	const { next, find } = await diagnose({}, [], shop);
	expect(find('Service/Reachable')?.code).toBe('PR_PROVIDER_FAILED');
	expect(next[0]).toBe(advice);
});

test('pages that ask for products without reviews have their components', async () => {
	const setup = { ...SETUP, pages: ['kettle'], atEnd: onTestFinished };
	const { project: shop, service: own } = await startShop('store', ['p-1'], setup);
	await shop.build({ options: { products: ['kettle', 'p-1'] } });
	const { problems, find } = await diagnose({ options: { products: ['kettle', 'p-1'] } }, [], shop);
	expect(own.requests.all.length).toBeGreaterThan(0);
	expect(problems).toEqual([]);
	expect(find('Last build/Pages')?.text).toBe(
		'No page shows reviews, since the service has none of the products on the pages: "kettle".',
	);
	const without = { options: { products: ['kettle'], onError: 'omit' } };
	own.faults.add({ kind: 'status', status: 500, pid: 'kettle', operation: 'crawlerReviews' });
	await shop.build({ ...without, environment: { REVIEWS_CHANGED: 'kettle' } });
	expect((await diagnose(without, [], shop)).find('Last build/Pages')?.state).toBe('warning');
});

test('no component is placed, and nothing is fetched for none', async () => {
	const setup = { ...SETUP, pages: [], atEnd: onTestFinished };
	const { project: bare } = await startShop('store', LISTED, setup);
	const output = await bare.build({ options: { logRequests: 'dev' } });
	const found = await diagnose({}, [], bare);
	expect(output).not.toContain('llmRvwHTML');
	expect(found.status).toBe(1);
	expect(found.problems).toEqual(['Product/On pages', 'Last build/Pages']);
	expect(found.next.join('\n')).toContain('<ProductReviews pid={product.id} />');
});

describe('why has one product none?', () => {
	const ask = (pid: string, given?: AstroRun, at = project) => diagnose(given, ['--product', pid], at);

	test('it is neither listed nor rated, or on no page', async () => {
		expect(await ask('p-17')).toMatchObject({
			status: 1,
			problems: ['Product/In the list', 'Product/On pages'],
			warnings: ['Product/Reviews', 'Product/Cached'],
		});
		expect(await ask('p-12')).toMatchObject({ problems: ['Product/On pages'], warnings: [] });
	});

	test('the service fails for it: cached reviews are shown, or none', async () => {
		const copy = createCopy();
		service.faults.add({ kind: 'status', status: 500, pid: 'p-5', operation: 'crawlerReviews' });
		const output = await copy.build({ environment: { REVIEWS_CHANGED: 'p-5' } });
		expect(output).toContain('[PR_SERVICE_ERROR]');
		const stale = await ask('p-5', {}, copy);
		rmSync(join(copy.root, '.cache'), { recursive: true });
		await copy.build({ options: { onError: 'omit' } });
		service.faults.clear();
		const failed = await ask('p-5', { options: { onError: 'omit' } }, copy);
		expect(stale.problems).toEqual(['Service/Reviews']);
		expect(stale.warnings).toEqual(['Product/Cached', 'New reviews/Stale', 'New reviews/Waiting']);
		expect(failed.problems).toEqual(['Product/Last build']);
		expect(failed.find('Product/Last build')?.text).toContain('500');
	});

	test('the service has others by now', async () => {
		publish(service, 'p-9', 'A new one.');
		const found = await ask('p-9');
		expect(found).toMatchObject({ status: 0, warnings: ['New reviews/Outdated'] });
		expect(found.next).toEqual(['Run "npx astro-product-reviews update p-9".']);
		expect(found.find('New reviews/Each build')?.text).toContain('older than 7 d');
	});
});

test('a store whose server renders its pages has none with reviews in its build, and nothing is wrong', async () => {
	const server = createProject('on-demand-store', { service: service.url, options: { products: ['p-1'] } });
	onTestFinished(server.remove);
	await server.build();
	const { problems, find } = await diagnose({}, [], server);
	expect(problems).toEqual([]);
	expect(find('Last build/Pages')?.text).toMatch(
		/^none with reviews in the build; a server needs REVIEWS_BASE_URL/,
	);
});
