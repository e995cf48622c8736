import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { SECRET, send } from 'product-reviews-test-support/signing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/build/built-server.js';
import { startDeployHook, type TestDeployHook } from '../support/build/deploy-hook.js';
import { ASTRO_MAJOR, type BuildProject, createProject } from '../support/build/project.js';
import { startService } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const PATH = '/api/reviews/webhook';
const HOOK_PATH = '/hooks/canary-hook-4c1d';
let project: BuildProject;
let service: Sandbox;
let hook: TestDeployHook;
let output: string;
let server: BuiltServer | undefined;

beforeAll(async () => {
	project = createProject('webhook-site');
	service = await startService(['p-1']);
	hook = await startDeployHook();
	const built = await project.build({
		service: service.url,
		options: {
			products: ['p-1'],
			webhook: { path: PATH, deployHookEnv: 'DEPLOY_HOOK_URL' },
		},
		environment: secrets(),
	});
	output = built.output;
	expect(built.status, output).toBe(0);
});

afterAll(async () => {
	project.remove();
	hook.close();
	await service.close();
});

beforeEach(() => {
	hook.calls.length = 0;
	hook.status = 200;
});

afterEach(async () => {
	await server?.stop();
	server = undefined;
});

const secrets = () => ({
	REVIEWS_WEBHOOK_SECRET: SECRET,
	DEPLOY_HOOK_URL: hook.url + HOOK_PATH,
});

async function start(environment: Record<string, string> = {}) {
	server = await startBuiltServer(project.root, { ...secrets(), ...environment });
	return server;
}

describe('the endpoint of a built site', () => {
	test('calls the deploy hook for a signed event, once', async () => {
		const { url, log } = await start();
		const event = signedEvent('p-1');
		expect(await send(url + PATH, event)).toBe(202);
		expect(await send(url + PATH, event)).toBe(202);
		expect(hook.calls).toEqual([`POST ${HOOK_PATH}`]);
		await expect.poll(log).toContain('Reviews changed: "p-1".');
	});

	test('does nothing for what is not genuine', async () => {
		const { url } = await start();
		const signature = { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` };
		expect(await send(url + PATH, signedEvent('p-1', signature))).toBe(401);
		expect((await fetch(url + PATH)).status).toBe(405);
		expect(hook.calls).toEqual([]);
	});

	test('has the sender try again while the deploy hook fails', async () => {
		const { url, log } = await start();
		hook.status = 500;
		expect(await send(url + PATH, signedEvent('p-1'))).toBe(503);
		await expect.poll(log).toMatch(/An event was rejected.* http:\/\/127\.0\.0\.1:\d+\/… answered 500\./);
		hook.status = 200;
		expect(await send(url + PATH, signedEvent('p-1'))).toBe(202);
		expect(hook.calls).toHaveLength(2);
		expect(log()).not.toContain('canary');
	});

	test.each(['REVIEWS_WEBHOOK_SECRET', 'DEPLOY_HOOK_URL'])('says that %s is missing', async (name) => {
		const { url, log } = await start({ [name]: '' });
		expect(await send(url + PATH, signedEvent('p-1'))).toBe(503);
		await expect
			.poll(log)
			.toContain(
				`The webhook is not set up, so events are rejected: The environment variable ${name} is not set.`,
			);
		expect(hook.calls).toEqual([]);
	});

	test.runIf(ASTRO_MAJOR > 6)(
		'purges the cached pages that show the product, or all where anything may have changed',
		async () => {
			const { url } = await start();
			const visit = async (path: string) => {
				const response = await fetch(`${url}/${path}`);
				return `${await response.text()} ${response.headers.get('x-astro-cache')}`;
			};
			expect(await visit('reviews/reviews:p-1')).toBe('1 MISS');
			expect(await visit('reviews/reviews:p-1')).toBe('1 HIT');
			expect(await visit('reviews/reviews:p-2')).toBe('2 MISS');

			expect(await send(url + PATH, signedEvent('p-1'))).toBe(202);
			expect(await visit('reviews/reviews:p-1')).toBe('3 MISS');
			expect(await visit('reviews/reviews:p-2')).toBe('2 HIT');

			expect(await send(url + PATH, signedEvent())).toBe(202);
			expect(await visit('reviews/reviews:p-1')).toBe('4 MISS');
			expect(await visit('reviews/reviews:p-2')).toBe('5 MISS');
		},
	);
});

test('no secret is in what was built, in the cache or in the log', () => {
	const texts = project.files().map((path) => readFileSync(join(project.root, 'dist', path), 'latin1'));
	expect(texts.some((text) => text.includes('REVIEWS_WEBHOOK_SECRET'))).toBe(true);
	for (const text of [...texts, output]) {
		for (const secret of [SECRET, SECRET.slice('whsec_'.length), HOOK_PATH]) {
			expect(text).not.toContain(secret);
		}
	}
});

test('a site without an adapter is built without it, and says where events are received', async () => {
	const bare = createProject('store');
	try {
		const { status, output } = await bare.build({
			service: service.url,
			options: { products: ['p-1'], webhook: {} },
			pages: ['p-1'],
		});
		expect(status, output).toBe(0);
		expect(output.match(/events at .*/g)).toEqual([
			expect.stringContaining('events at /api/reviews/webhook are received in "astro dev" only'),
		]);
		expect(bare.files().filter((path) => path.includes('webhook'))).toEqual([]);
	} finally {
		bare.remove();
	}
});
