import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { openSqliteLog } from 'product-reviews-webhook/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI } from '../../../cli/test/support/command.js';
import { type AstroRun, type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';

const LISTED = productIds(12);
/** Of the listed products, p-12 is on no page. */
const PAGES = LISTED.slice(0, 11);
const TOKEN = 'sandbox-token';

let service: Sandbox;
let project: BuildProject;
/** Of its build. */
let log: string;

beforeAll(async () => {
	service = await startService(LISTED);
	service.store.addProduct({ pid: 'p-17', name: 'Product 17' });
	project = createProject('store');
	service.faults.add({ kind: 'status', status: 503, pid: 'p-3', operation: 'crawlerReviews', times: 1 });
	const { status, output } = await project.build(runOf({ options: { logRequests: 'build', retries: 2 } }));
	expect(status, output).toBe(0);
	log = output;
});

afterAll(async () => {
	project?.remove();
	await service?.close();
});

function runOf({ options, environment, ...run }: AstroRun = {}): AstroRun {
	return {
		service: service.url,
		pages: PAGES,
		options: { products: LISTED, retries: 0, publish: true, ...options },
		environment: { REVIEWS_TOKEN: TOKEN, ...environment },
		...run,
	};
}

interface Finding {
	readonly group: string;
	readonly check: string;
	readonly state: string;
	readonly text: string;
	readonly next?: string;
	readonly code?: string;
}

/** Runs the real command, with what a build gets. */
async function run(args: readonly string[], given: AstroRun = {}, at = project) {
	const { environment } = at.buildCommand(runOf(given));
	const doctor = runNode([CLI, 'doctor', ...args], { cwd: at.root, env: environment });
	return { status: await doctor.ended, printed: doctor.printed(), errors: doctor.errors() };
}

/** What it finds wrong, as `group/check`, and everything else that it says. */
async function diagnose(given: AstroRun = {}, args: readonly string[] = [], at = project) {
	const { status, printed, errors } = await run(['--json', ...args], given, at);
	const diagnosis = parse(printed, errors);
	const nameOf = ({ group, check }: Finding) => `${group}/${check}`;
	const of = (state: string) => diagnosis.findings.filter((finding) => finding.state === state).map(nameOf);
	const find = (name: string) => diagnosis.findings.find((finding) => nameOf(finding) === name);
	return { ...diagnosis, status, printed, problems: of('problem'), warnings: of('warning'), find };
}

function parse(printed: string, errors: string): { findings: Finding[]; next: string[]; verdict: string } {
	try {
		return JSON.parse(printed);
	} catch {
		throw new Error(`No JSON: ${printed}\n${errors}`);
	}
}

/** Path, size and time of every file below a folder. */
const describeFiles = (folder: string) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => {
			const { size, mtimeMs } = statSync(join(parentPath, name));
			return [join(parentPath, name), size, mtimeMs];
		});

describe('a sound project', () => {
	test('has nothing wrong, in 80 columns without colours, and stays as it is', async () => {
		const before = describeFiles(project.root);
		const { status, printed, errors } = await run([]);
		expect(describeFiles(project.root)).toEqual(before);
		expect(status, printed + errors).toBe(0);
		expect(errors).toBe('');
		expect(printed).toContain('✓ Reviews       2 ratings for "p-1" in ');
		expect(printed).toContain('Everything is in order.');
		expect(printed.split('\n').filter((line) => line.length > 80)).toEqual([]);
		expect(printed).not.toContain('\u001b');
		expect(printed).not.toContain(TOKEN);
	});

	test('says for programs where each value came from, and never a secret', async () => {
		writeFileSync(join(project.root, '.env'), `REVIEWS_TOKEN=${TOKEN}\nREVIEWS_WSID=W-other\n`);
		const { environment } = project.buildCommand(runOf());
		const { REVIEWS_TOKEN: _token, ...others } = environment;
		// From elsewhere, as a script may run it.
		const doctor = runNode([CLI, 'doctor', '--json', '--root', project.root], { env: others });
		expect(await doctor.ended, doctor.output()).toBe(0);
		rmSync(join(project.root, '.env'));
		const { verdict, settings } = JSON.parse(doctor.printed());
		expect(verdict).toBe('ok');
		expect(settings).toMatchObject([
			{ id: 'baseUrl', shown: service.url, origin: 'the environment' },
			{ id: 'wsid', shown: 'W-1001', origin: 'the environment', hides: '.env' },
			{ id: 'token', shown: `set (${TOKEN.length} characters)`, origin: '.env' },
			{ id: 'webhookSecret' },
		]);
		expect(doctor.output()).not.toContain(TOKEN);
	});
});

describe('why are there no reviews at all?', () => {
	test('the token is wrong', async () => {
		const found = await diagnose({ environment: { REVIEWS_TOKEN: 'wrong' } });
		expect(found.status).toBe(1);
		expect(found.problems).toContain('Service/Token');
		expect(found.find('Service/Token')).toMatchObject({ code: 'PR_REQUEST_REFUSED' });
		expect(found.next[0]).toContain('Check the token in the environment');
	});

	test('the website id is wrong', async () => {
		const found = await diagnose({ environment: { REVIEWS_WSID: 'W-9' } });
		expect(found.status).toBe(1);
		expect(found.problems).toContain('Service/Website id');
		expect(found.find('Service/Website id')?.next).toContain('"W-9" from the environment');
	});

	test('the service is unreachable', async () => {
		const found = await diagnose({ environment: { REVIEWS_BASE_URL: 'http://127.0.0.1:1' } });
		expect(found.status).toBe(1);
		expect(found.problems).toEqual(['Service/Reachable']);
		expect(found.find('Service/Reachable')).toMatchObject({ code: 'PR_SERVICE_UNREACHABLE' });
	});

	test('nothing is set', async () => {
		const found = await diagnose({
			environment: { REVIEWS_BASE_URL: '', REVIEWS_WSID: '', REVIEWS_TOKEN: '' },
		});
		expect(found.status).toBe(1);
		expect(found.problems).toEqual(['Configuration/Service', 'Configuration/Website id']);
	});

	test('an option is invalid', async () => {
		const { status, problems, find } = await diagnose({ options: { concurrency: 0 } });
		expect({ status, problems }).toEqual({ status: 1, problems: ['Project/Astro config'] });
		expect(find('Project/Astro config')).toMatchObject({
			code: 'PR_INVALID_OPTIONS',
			next: expect.stringContaining('"concurrency"'),
		});
	});

	test('no component is placed', async () => {
		const bare = createProject('store');
		const { output } = await bare.build(runOf({ pages: [], options: { logRequests: 'dev' } }));
		const found = await diagnose({ pages: [] }, [], bare);
		bare.remove();
		expect(output).not.toContain('llmRvwHTML');
		expect(found.status).toBe(1);
		expect(found.problems).toEqual(['Product/On pages', 'Last build/Pages']);
		expect(found.next.join('\n')).toContain('<ProductReviews pid={product.id} />');
	});
});

describe('why has one product none?', () => {
	const ask = (pid: string, given?: AstroRun, at = project) => diagnose(given, ['--product', pid], at);

	test('it is neither listed nor rated', async () => {
		const found = await ask('p-17');
		expect(found.status).toBe(1);
		expect(found.problems).toEqual(['Product/In the list', 'Product/On pages']);
		expect(found.warnings).toEqual(['Product/Reviews', 'Product/Stored']);
	});

	test('it is on no page', async () => {
		const found = await ask('p-12');
		expect(found.problems).toEqual(['Product/On pages']);
		expect(found.find('Product/In the list')?.state).toBe('ok');
		expect(found.find('Product/Reviews')?.text).toBe('the service has 2 ratings');
	});

	test('an option hides it', async () => {
		const found = await ask('p-2', { options: { display: 'hidden' } });
		expect(found).toMatchObject({ status: 0, problems: [], warnings: ['Product/Display'] });
	});

	test('the service fails for it: stored reviews are shown, or none', async () => {
		const copy = project.copy();
		service.faults.add({ kind: 'status', status: 500, pid: 'p-5', operation: 'crawlerReviews' });
		const { status, output } = await copy.build(runOf({ environment: { REVIEWS_CHANGED: 'p-5' } }));
		expect(status, output).toBe(0);
		expect(output).toContain('[PR_SERVICE_ERROR]');
		const stale = await ask('p-5', {}, copy);
		rmSync(join(copy.root, '.cache'), { recursive: true });
		await copy.build(runOf({ options: { onError: 'omit' } }));
		service.faults.clear();
		const failed = await ask('p-5', { options: { onError: 'omit' } }, copy);
		copy.remove();
		expect(stale.problems).toEqual(['Service/Reviews']);
		expect(stale.warnings).toEqual(['Product/Stored', 'New reviews/Stale', 'New reviews/Waiting']);
		expect(failed.problems).toEqual(['Product/Last build']);
		expect(failed.find('Product/Last build')?.text).toContain('500');
	});
});

describe('why do reviews not renew?', () => {
	const inCopy = async (
		given: AstroRun,
		args: readonly string[],
		change: (copy: BuildProject) => unknown,
	) => {
		const copy = project.copy();
		await change(copy);
		const found = await diagnose(given, args, copy);
		copy.remove();
		return found;
	};
	const invalidate = ({ root }: BuildProject, ...pids: string[]) =>
		runNode([CLI, 'invalidate', '--cache-dir', '.cache/product-reviews', ...pids], {
			cwd: root,
			env: cleanEnvironment(),
		}).ended;

	test('the service has others by now', async () => {
		const review = { rating: 5, author: 'New', body: 'A new one.', status: 'published' } as const;
		service.store.createReview('p-9', review);
		const found = await diagnose({}, ['--product', 'p-9']);
		expect(found).toMatchObject({ status: 0, warnings: ['New reviews/Outdated'] });
		expect(found.next).toEqual(['Run "npx product-reviews publish p-9".']);
		expect(found.find('New reviews/Each build')?.text).toContain('older than 7 d');
	});

	test('what changed was marked, and nothing was built since', async () => {
		const found = await inCopy({}, [], (copy) => invalidate(copy, 'p-1', 'p-2'));
		expect(found.warnings).toEqual(['New reviews/Waiting']);
		expect(found.find('New reviews/Waiting')?.text).toContain('2 products were marked');
	});

	test('the webhook has no secret, or half of one', async () => {
		const options = { webhook: {} };
		const none = await diagnose({ options });
		expect(none.problems).toEqual(['New reviews/Webhook']);
		const half = await diagnose({ options, environment: { REVIEWS_WEBHOOK_SECRET: 'whsec_abc' } });
		expect(half.problems).toEqual(['New reviews/Webhook']);
		expect(half.printed).not.toContain('whsec_abc');
	});

	test('the receiver has changes for which no build ran', async () => {
		const found = await inCopy({}, [], async ({ root }) => {
			const log = openSqliteLog(join(root, '.product-reviews/changes.db'), () => Date.now() - 7_200_000);
			await log.record({
				pids: ['p-1'],
				all: false,
				id: 'e-1',
				type: undefined,
				receivedAt: Date.now() - 7_200_000,
			});
			log.close();
		});
		expect(found.problems).toEqual(['New reviews/Receiver']);
		expect(found.find('New reviews/Receiver')?.text).toContain('1 change received 2 h ago');
	});

	test('pages are altered or gone, the report too', async () => {
		const found = await inCopy({}, [], ({ root }) => {
			rmSync(join(root, 'dist/products/n1/index.html'));
			writeFileSync(join(root, 'dist/products/n2/index.html'), 'restored');
		});
		expect(found.find('Last build/Output')?.text).toContain('1 gone and 1 altered');
		const lost = await inCopy({}, [], ({ root }) =>
			rmSync(join(root, '.cache/product-reviews/product-reviews-report.json')),
		);
		expect(lost.find('Last build/Report')).toMatchObject({ code: 'PR_NO_REPORT' });
	});

	test('the store is damaged', async () => {
		const found = await inCopy({}, [], ({ root }) =>
			writeFileSync(join(root, '.cache/product-reviews/reviews-v7.db'), 'x'.repeat(5_000)),
		);
		expect(found.problems).toContain('Store/File');
		expect(found.find('Store/File')).toMatchObject({ code: 'PR_STORE_UNUSABLE' });
	});
});

test('the option logRequests logs each request of a build', () => {
	const lines = [...log.matchAll(/GET http:\/\/127[^\n]*/g)].map(([line]) => line);
	const ofP3 = lines.filter((line) => line.includes('"p-3"'));
	expect(lines).toHaveLength(LISTED.length + 1);
	expect(ofP3[0]).toMatch(/llmRvwHTML "p-3": 503 in \d+ ms, .*, try 1 \[PR_SERVICE_ERROR\]$/);
	expect(ofP3[1]).toMatch(/llmRvwHTML "p-3": 200 in \d+ ms, .*, try 2$/);
	expect(log).not.toContain(TOKEN);
});
