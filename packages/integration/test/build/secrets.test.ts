import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { startSandbox } from 'product-reviews-sandbox';
import { SECRET } from 'product-reviews-test-support/signing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open-database.js';
import { decode } from '../../src/store/values.js';
import { type BuiltServer, startBuiltServer } from '../support/build/built-server.js';
import { type BuildProject, createProject } from '../support/build/project.js';

const TOKEN = 'canary-7f3a/9+b1==token';
const HOOK_PATH = '/hooks/canary-hook-4c1d';
let project: BuildProject;
let service: Sandbox;
let outputs: string;
let dist: string[];

beforeAll(async () => {
	project = createProject('review-data-store');
	service = await startSandbox({ token: TOKEN });
	const run = { service: service.url, options: { products: ['p-1', 'p-2'] }, pages: ['p-1'] };
	const environment = { REVIEWS_TOKEN: TOKEN };
	const good = await project.build({ ...run, environment });
	expect(good.status, good.output).toBe(0);
	expect(service.requests.count({ operation: 'productReviewData', status: 200 })).toBe(1);
	dist = project.files().map((path) => project.read(path));
	// What is said of a failure is where secrets leak.
	service.faults.add({ kind: 'status', status: 500 });
	const bad = await project.build({
		...run,
		options: { ...run.options, onError: 'fail', maxAge: 0, retries: 0, sendTokenForReviews: true },
		environment,
	});
	expect(bad.status).toBe(1);
	outputs = good.output + bad.output;
});

afterAll(async () => {
	project.remove();
	await service.close();
});

/** Secrets, in the forms in which they could be written somewhere. */
const FORMS = [
	TOKEN,
	encodeURIComponent(TOKEN),
	Buffer.from(TOKEN).toString('base64'),
	JSON.stringify(TOKEN),
	SECRET.slice('whsec_'.length),
	HOOK_PATH,
];

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

function storedTexts(): string[] {
	const file = filesBelow(join(project.root, '.cache')).find((path) => path.endsWith('.db'));
	const database = openDatabase(String(file), () => {});
	const rows = database
		.prepare('SELECT * FROM entries JOIN contents USING (account, kind, pid)')
		.all() as Record<string, string | number | Uint8Array>[];
	database.close();
	return rows.flatMap((row) => [
		...Object.values(row).map(String),
		decode(Number(row['codec']), row['value'] as Uint8Array).toString(),
	]);
}

test('the token is nowhere in dist, the cache, the store or the log', () => {
	const texts = [
		outputs,
		...storedTexts(),
		...filesBelow(join(project.root, 'dist')).map((path) => readFileSync(path, 'latin1')),
		...filesBelow(join(project.root, '.cache')).map((path) => readFileSync(path, 'latin1')),
		...filesBelow(join(project.root, '.astro')).map((path) => readFileSync(path, 'latin1')),
	];
	expect(texts.length).toBeGreaterThan(8);
	for (const text of texts) for (const form of FORMS) expect(text).not.toContain(form);
});

test('no absolute path is in dist, the store or our log lines', () => {
	const ours = outputs.split('\n').filter((line) => line.includes('[astro-product-reviews]'));
	expect(ours.length).toBeGreaterThan(3);
	const texts = [...ours, ...storedTexts(), ...dist];
	for (const text of texts) expect(text).not.toContain(project.root);
});

describe('a site with pages on demand and a webhook', () => {
	const site = createProject('on-demand-store');
	let output: string;

	beforeAll(async () => {
		service.faults.clear();
		const built = await site.build({
			service: service.url,
			options: { token: TOKEN, webhook: { deployHookEnv: 'DEPLOY_HOOK_URL' } },
			environment: {
				REVIEWS_TOKEN: TOKEN,
				REVIEWS_WEBHOOK_SECRET: SECRET,
				DEPLOY_HOOK_URL: `https://host.example${HOOK_PATH}`,
			},
		});
		expect(built.status, built.output).toBe(0);
		output = built.output;
	});

	afterAll(() => site.remove());

	test('no secret is in what was built, the cache or the log', () => {
		const files = ['dist', '.cache', '.astro'].flatMap((folder) => filesBelow(join(site.root, folder)));
		expect(files.some((path) => path.includes('/server/'))).toBe(true);
		const texts = [output, ...files.map((path) => readFileSync(path, 'latin1'))];
		for (const name of ['REVIEWS_TOKEN', 'REVIEWS_WEBHOOK_SECRET']) expect(texts.join()).toContain(name);
		for (const text of texts) for (const form of FORMS) expect(text).not.toContain(form);
	});

	test('the server takes it from its own environment, and says it nowhere', async () => {
		const environment = { REVIEWS_BASE_URL: service.url, REVIEWS_WSID: 'W-1001' };
		const own = async (server: BuiltServer) => (await fetch(`${server.url}/own/p-1.json`)).text();
		const known = await startBuiltServer(site.root, { ...environment, REVIEWS_TOKEN: TOKEN });
		const unknown = await startBuiltServer(site.root, environment);
		try {
			const text = await own(known);
			expect(JSON.parse(text)).toMatchObject({
				rating: { average: expect.any(Number) },
				data: { pid: 'p-1' },
			});
			expect(JSON.parse(await own(unknown)).data).toBeUndefined();
			await expect.poll(unknown.log).toContain('needs an access token');
			service.faults.add({ kind: 'status', status: 401 });
			await fetch(`${known.url}/own/p-2.json`);
			await expect.poll(known.log).toContain('The service failed');
			for (const form of FORMS) expect(text + known.log()).not.toContain(form);
		} finally {
			await Promise.all([known.stop(), unknown.stop()]);
		}
	});
});
