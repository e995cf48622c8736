import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from 'product-reviews-test-support/listen';
import { messageOfNow, OTHER_SECRET, SECRET, send } from 'product-reviews-test-support/signing';
import { afterAll, expect, test } from 'vitest';

const PACKAGE = join(import.meta.dirname, '../../..');
const RUNNER = join(PACKAGE, 'test/fixtures/run-examples.mjs');
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const DOCS = join(PACKAGE, '../../docs/src/content/docs');
const PAGES = globSync('{deploy,fresh}/*.{md,mdx}', { cwd: DOCS }).map((page) =>
	readFileSync(join(DOCS, page), 'utf8'),
);

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

/** A host's deploy hook, and how often it was called. */
let calls = 0;
const server = createServer((request, response) => {
	calls += request.method === 'POST' ? 1 : 0;
	response.end();
});
const hook = await listen(server);

const files = EXAMPLES.map(([file]) => join(PACKAGE, 'examples', file));
const env = { ...process.env, REVIEWS_WEBHOOK_SECRET: SECRET, DEPLOY_HOOK_URL: `${hook.url}/`, PORT: '0' };
const child = fork(RUNNER, files, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
const ended = once(child, 'exit').then(() => Promise.reject(new Error('The examples ended.')));
const [ports] = (await Promise.race([once(child, 'message'), ended])) as [readonly number[]];
ended.catch(() => {});

afterAll(async () => {
	child.kill('SIGKILL');
	await hook.close();
});

test.each(EXAMPLES)('the example %s takes what is signed alone, and calls the hook', async (file, path) => {
	const url = `http://127.0.0.1:${ports[EXAMPLES.findIndex(([name]) => name === file)]}${path}`;
	const message = messageOfNow();
	calls = 0;
	expect(await send(url, messageOfNow({ secret: OTHER_SECRET }))).toBe(401);
	expect(await send(url, { ...message, headers: { 'content-type': 'application/json' } })).toBe(401);
	expect(calls).toBe(0);
	for (let time = 0; time < 2; time += 1) {
		expect(await send(url, message)).toBe(202);
		expect(calls).toBe(1);
	}
});

const SHOWN = [...EXAMPLES.map(([file]) => file), 'receive-reviews.js', 'collecting-server.js'];
test.each(SHOWN)('the documentation shows the example %s as it is', (file) => {
	const block = `\`\`\`js\n${readFileSync(join(PACKAGE, 'examples', file), 'utf8')}\`\`\`\n`;
	expect(PAGES.some((page) => page.includes(block))).toBe(true);
	if (file === 'receive-reviews.js') expect(README).toContain(block);
});
