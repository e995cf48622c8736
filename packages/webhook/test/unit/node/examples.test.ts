import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenInTest } from 'product-reviews-test-support/listen';
import { messageOfNow, OTHER_SECRET, SECRET, send } from 'product-reviews-test-support/signing';
import { describe, expect, onTestFinished, test } from 'vitest';

const PACKAGE = join(import.meta.dirname, '../../..');
const RUNNER = join(PACKAGE, 'test/fixtures/run-example.mjs');
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');

/** Each with the path of the events, where it has one of its own. */
const EXAMPLES = [
	['netlify/functions/reviews.js', '/api/reviews'],
	['api/reviews.js', '/api/reviews'],
	['cloudflare/worker.js', '/'],
	['src/pages/api/reviews.js', '/api/reviews'],
	['hono-server.js', '/reviews'],
	['express-server.js', '/reviews'],
	['http-server.js', '/'],
] as const;

/** A host's deploy hook that counts how often it is called. */
async function startDeployHook() {
	let calls = 0;
	const server = createServer((request, response) => {
		calls += request.method === 'POST' ? 1 : 0;
		response.end();
	});
	const { url } = await listenInTest(server);
	return { url: `${url}/`, calls: () => calls };
}

async function runExample(file: string, deployHookUrl: string): Promise<string> {
	const child = fork(RUNNER, [join(PACKAGE, 'examples', file)], {
		env: { ...process.env, REVIEWS_WEBHOOK_SECRET: SECRET, DEPLOY_HOOK_URL: deployHookUrl, PORT: '0' },
		execArgv: [],
		silent: true,
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
	onTestFinished(() => void child.kill('SIGKILL'));
	const ended = once(child, 'exit').then(() => {
		throw new Error(`The example ended: ${output}`);
	});
	const [{ port }] = await Promise.race([once(child, 'message'), ended]);
	return `http://127.0.0.1:${port}`;
}

describe.each(EXAMPLES)('the example %s', (file, path) => {
	test('takes what is signed, calls the deploy hook, and takes nothing else', async () => {
		const hook = await startDeployHook();
		const url = (await runExample(file, hook.url)) + path;
		const message = messageOfNow();
		expect(await send(url, messageOfNow({ secret: OTHER_SECRET }))).toBe(401);
		expect(await send(url, { ...message, headers: { 'content-type': 'application/json' } })).toBe(400);
		expect(hook.calls()).toBe(0);
		expect(await send(url, message)).toBe(202);
		expect(hook.calls()).toBe(1);
		expect(await send(url, message)).toBe(202);
		expect(hook.calls()).toBe(1);
	});
});

test.each([...EXAMPLES.map(([file]) => file), 'receive-reviews.js', 'collecting-server.js'])(
	'the README shows the example %s as it is',
	(file) => {
		const text = readFileSync(join(PACKAGE, 'examples', file), 'utf8');
		expect(README.includes(`\`\`\`js\n${text}\`\`\`\n`)).toBe(true);
	},
);
