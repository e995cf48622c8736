import { join } from 'node:path';
import { startSandbox } from 'product-reviews-sandbox';
import { SECRET } from 'product-reviews-test-support/signing';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/cache/open-database.js';
import { CACHE_FILE } from '../../src/constants.js';
import { decode } from '../../src/records/packed.js';
import { type BuildProject, type BuiltServer, createProject, readFiles } from '../support/build/project.js';

const TOKEN = 'canary-7f3a/9+b1==token';
const HOOK_PATH = '/hooks/canary-hook-4c1d';
const service = await startSandbox({ token: TOKEN });
const project = createProject('review-data-store', {
	service: service.url,
	options: { products: ['p-1', 'p-2'] },
	pages: ['p-1'],
	environment: { REVIEWS_TOKEN: TOKEN },
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

/** Every file of these folders of a project by its path, as text. */
const textsIn = ({ root }: BuildProject, ...folders: readonly string[]) =>
	folders.flatMap((folder) => [...readFiles(join(root, folder))].map(([, text]) => text.toString('latin1')));

function storedTexts(): string[] {
	const file = join(project.root, '.cache/product-reviews', CACHE_FILE);
	const database = openDatabase(file, () => {});
	const rows = database
		.prepare('SELECT * FROM products JOIN payloads USING (account, part, pid)')
		.all() as Record<string, string | number | Uint8Array>[];
	database.close();
	return rows.flatMap((row) => [
		...Object.values(row).map(String),
		decode(Number(row['codec']), row['value'] as Uint8Array).toString(),
	]);
}

test('the token is nowhere in dist, the cache, the store or the log, and no absolute path in what leaves the machine', async () => {
	const good = await project.build();
	expect(service.requests.count({ operation: 'productReviewData', status: 200 })).toBe(1);
	const dist = textsIn(project, 'dist');
	// What is said of a failure is where secrets leak.
	service.faults.add({ kind: 'status', status: 500 });
	const options = { onError: 'fail', maxAge: 0, retries: 0, sendTokenForReviews: true };
	const bad = await project.tryBuild({ options });
	expect(bad.status).toBe(1);
	const outputs = good + bad.output;
	const texts = [outputs, ...dist, ...storedTexts(), ...textsIn(project, 'dist', '.cache', '.astro')];
	expect(texts.length).toBeGreaterThan(8);
	for (const text of texts) for (const form of FORMS) expect(text).not.toContain(form);

	const ours = outputs.split('\n').filter((line) => line.includes('[astro-product-reviews]'));
	expect(ours.length).toBeGreaterThan(3);
	for (const text of [...ours, ...storedTexts(), ...dist]) expect(text).not.toContain(project.root);
});

test('a site with pages on demand and a webhook has no secret; its server takes it from its own environment, and says it nowhere', async () => {
	const site = createProject('on-demand-store', { service: service.url });
	onTestFinished(site.remove);
	service.faults.clear();
	const output = await site.build({
		options: { token: TOKEN, webhook: { deployHookEnv: 'DEPLOY_HOOK_URL' } },
		environment: {
			REVIEWS_TOKEN: TOKEN,
			REVIEWS_WEBHOOK_SECRET: SECRET,
			DEPLOY_HOOK_URL: `https://host.example${HOOK_PATH}`,
		},
	});
	const texts = [output, ...textsIn(site, 'dist/client', 'dist/server', '.cache', '.astro')];
	for (const name of ['REVIEWS_TOKEN', 'REVIEWS_WEBHOOK_SECRET']) expect(texts.join()).toContain(name);
	for (const text of texts) for (const form of FORMS) expect(text).not.toContain(form);

	const own = async (server: BuiltServer) => (await fetch(`${server.url}/own/p-1.json`)).text();
	const known = await site.serve({ REVIEWS_TOKEN: TOKEN });
	onTestFinished(known.stop);
	const unknown = await site.serve();
	onTestFinished(unknown.stop);
	const text = await own(known);
	const rating = { average: expect.any(Number) };
	expect(JSON.parse(text)).toMatchObject({ rating, data: { pid: 'p-1' } });
	expect(JSON.parse(await own(unknown)).data).toBeUndefined();
	await expect.poll(unknown.log).toContain('needs an access token');
	service.faults.add({ kind: 'status', status: 401 });
	await fetch(`${known.url}/own/p-2.json`);
	await expect.poll(known.log).toContain('The service failed');
	for (const form of FORMS) expect(text + known.log()).not.toContain(form);
});
