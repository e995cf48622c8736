import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from 'product-reviews-sandbox';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createProject, readFiles, UPDATE_LINE } from '../support/build/project.js';
import { type BuildReceiver, startReceiver } from '../support/build/receiver.js';
import { productIds, publish } from '../support/build/service.js';

const PIDS = productIds(12);
const KEY = 'canary-api-key-of-the-store';
const HEADER = 'x-reviews-api-key';
const DAY = 86_400_000;
const lines: string[] = [];
let ahead = 0;

/** A service with two origins, keys instead of tokens, and events with a key instead of a signature. */
const service = await startSandbox({
	seed: false,
	products: PIDS.map((pid) => ({ pid, name: pid, reviews: 2 })),
	...{ wsid: 'k2j4h5k2j3h4k5', crawlerPort: 0, apiKey: KEY, token: 'none-of-the-store' },
	now: () => Date.now() + ahead,
	log(line) {
		lines.push(line);
		// Its tokens are valid for 30 days. The first one expires in the middle of the build.
		if (linesOf('getProductReviewData', 200) === 4) ahead = 31 * DAY;
	},
});
afterAll(service.close);
const project = createProject('updated-store', { pages: PIDS, options: { products: PIDS, concurrency: 2 } });
afterAll(project.remove);

const linesOf = (path: string, status: number) =>
	lines.filter((line) => line.includes(`${path} `) && line.includes(` ${status} `)).length;
const minted = () => linesOf('/api/v1/authToken', 200);
const fileOf = (pid: string) => `products/${pid}/index.html`;
const outputs: string[] = [];
let receiver: BuildReceiver;

beforeAll(async () => {
	const variables = [
		`REVIEWS_BASE_URL=${service.url}`,
		`REVIEWS_BASE_URL_CRAWLER_HTML=${service.crawlerUrl}`,
		`REVIEWS_WSID=${service.wsid}`,
		`REVIEWS_API_KEY=${KEY}`,
	];
	writeFileSync(join(project.root, '.env'), `${variables.join('\n')}\n`);
	outputs.push(await project.build({ options: { logRequests: true } }));
});

afterAll(() => receiver?.close());

test('a build with four variables asks both origins, and gets another token when the first one expires', () => {
	expect([minted(), linesOf('/api/v1/authToken', 401)]).toEqual([2, 0]);
	expect(linesOf('getProductReviewData', 401)).toBeGreaterThan(0);
	expect([linesOf('getProductReviewData', 200), linesOf('llmRvwHTML', 200)]).toEqual([
		PIDS.length,
		PIDS.length,
	]);
	const [output = ''] = outputs;
	for (const url of [`${service.url}/api/v1/getProductReviewData`, `${service.crawlerUrl}/api/llmRvwHTML`])
		expect(output).toContain(`${url} "p-1": 200 in`);
	for (const pid of PIDS) expect(project.read(fileOf(pid)).match(/"@type":"Review"/g)).toHaveLength(2);
});

test('doctor names the addresses that it asked, and no secret', async () => {
	const { status, printed, errors } = await project.command(['doctor', '--json']);
	expect(status, printed + errors).toBe(0);
	const { findings } = JSON.parse(printed) as { findings: { check: string; text: string }[] };
	const textsOf = (check: string) => findings.filter((one) => one.check === check).map(({ text }) => text);
	expect(textsOf('Reachable')).toEqual([`${service.crawlerUrl} and ${service.url} respond`]);
	expect(textsOf('Reviews')[0]).toContain(` from ${service.crawlerUrl}`);
	expect(textsOf('Ratings')[0]).toContain(` from ${service.url}`);
	expect(textsOf('API key')).toEqual([`set (${KEY.length} characters), from .env`]);
	expect(textsOf('Token')).toEqual(['requested with the API key when it is needed', 'accepted']);
	outputs.push(printed);
});

test('a key that is refused is said with what to check, and asked with once', async () => {
	const environment = {
		...{ REVIEWS_BASE_URL: service.url, REVIEWS_BASE_URL_CRAWLER_HTML: service.crawlerUrl },
		...{ REVIEWS_WSID: service.wsid, REVIEWS_API_KEY: 'canary-wrong-key-of-nobody' },
	};
	const other = createProject('updated-store', { pages: PIDS, options: { products: PIDS }, environment });
	onTestFinished(other.remove);
	const { status, output } = await other.tryBuild();
	expect(status, output).toBe(1);
	const said = `[GET ${service.url}/api/v1/authToken] No token for the API key: the service refuses the key (status 401).`;
	expect(output).toContain(`${said} Check that it is the API key from the dashboard`);
	expect(output).toContain('[PR_TOKEN_UNUSABLE]');
	expect(linesOf('/api/v1/authToken', 401)).toBe(1);
	expect(output).not.toContain('canary');
});

test('an event with the key brings an edit onto the page within a second, and one about colors asks for nothing', async () => {
	const environment = { ...cleanEnvironment(), REVIEWS_WEBHOOK_SECRET: undefined };
	const options = ['--immediate', '--key-header', HEADER, '--ids', 'data.review.pid'];
	receiver = await startReceiver(project, { line: UPDATE_LINE, environment }, options, ['--env-file=.env']);
	const { webhooks, requests } = service;
	webhooks.add({ url: receiver.url, keyHeader: HEADER, ids: 'data.review.pid' });
	const times: number[] = [];
	for (const number of [1, 2]) {
		const editedAt = performance.now();
		publish(service, 'p-3', `Edit ${number}.`);
		const isShown = () => project.read(fileOf('p-3')).includes(`Edit ${number}.`);
		await vi.waitUntil(isShown, { timeout: 60_000, interval: 5 });
		times.push(performance.now() - editedAt);
		await receiver.idle();
	}
	// On a machine that is busy with other tests, a run of the update alone takes longer as well.
	const startedAt = performance.now();
	await project.update(['p-3']);
	const alone = performance.now() - startedAt;
	expect(Math.min(...times), `${times}, alone ${alone}`).toBeLessThan(Math.max(1_000, 3 * alone));
	await webhooks.settled();
	expect(webhooks.deliveries.map(({ status }) => status)).toEqual([202, 202]);

	const [before, rebuilds] = [minted(), await receiver.idle()];
	requests.reset();
	webhooks.send('css_update');
	await webhooks.settled();
	expect(webhooks.deliveries.at(-1)).toMatchObject({ type: 'css_update', status: 202 });
	expect([await receiver.idle(), requests.count(), minted()]).toEqual([rebuilds, 0, before]);
});

test('a replay of an event without an id costs a conditional request, and many at once few more', async () => {
	const rebuilds = await receiver.idle();
	service.requests.reset();
	const body = JSON.stringify({ type: 'rating_update', data: { review: { pid: 'p-3' } } });
	const replay = async (key = KEY) => {
		const headers = { 'content-type': 'application/json', [HEADER]: key };
		return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
	};
	expect(await replay('canary-wrong-key-of-nobody')).toBe(401);
	expect(new Set(await Promise.all(Array.from({ length: 20 }, () => replay())))).toEqual(new Set([202]));
	const runs = (await receiver.idle()) - rebuilds;
	expect(runs).toBeGreaterThan(0);
	expect(runs).toBeLessThanOrEqual(3);
	const asked = service.requests.all.filter(({ operation }) => operation === 'crawlerReviews');
	expect(asked.map(({ status, pids }) => [status, ...pids])).toEqual(Array(runs).fill([304, 'p-3']));
});

test('neither the key nor a token is in what was written or said', () => {
	const files = ['dist', '.cache'].flatMap((folder) => [...readFiles(join(project.root, folder)).values()]);
	const texts = [...outputs, receiver.output(), ...files.map((file) => file.toString('latin1'))];
	for (const text of texts)
		for (const secret of [KEY, encodeURIComponent(KEY), 'tok_']) expect(text).not.toContain(secret);
});
