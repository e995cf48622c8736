import { fileURLToPath } from 'node:url';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, it } from 'vitest';
import { greeting, readCommand } from '../../src/command.js';
import { type NewWebhook, startSandbox } from '../../src/index.js';
import { testSandbox } from '../support/test-sandbox.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

const run = (...args: string[]) => runNodeInTest([CLI, ...args]);

it('serves, logs, prints what a caller needs, and ends cleanly on SIGTERM', async () => {
	const { child, output, says, ended } = run(
		...['--port', '0', '--token', "it's-mine", '--wsid', 'W-7', '--webhook', 'http://localhost:1/a'],
		...['--product-url', 'https://shop.example/p/{pid}.html', '--webhook-secret', SECRET],
	);
	await says(/Press Ctrl\+C to stop\./);
	const [, port] = /^REVIEWS_BASE_URL=http:\/\/127\.0\.0\.1:(\d+)$/m.exec(output()) ?? [];
	const lines = [
		`REVIEWS_BASE_URL=http://127.0.0.1:${port}`,
		'REVIEWS_WSID=W-7',
		"REVIEWS_TOKEN=it's-mine",
		'# In place of the token: REVIEWS_API_KEY=sandbox-api-key-1001',
		`REVIEWS_WEBHOOK_SECRET=${SECRET}`,
	];
	expect(output()).toContain(`\nPut these lines into the .env of your store:\n\n${lines.join('\n')}\n\n`);
	expect(output()).toContain('Sends webhooks to http://localhost:1/a\n');
	expect(output()).toContain("-H 'Authorization: Bearer it'\\''s-mine'");
	const response = await fetch(`http://127.0.0.1:${port}/api/llmRvwHTML?wsid=W-7&pid=p-1&ihtml=true`);
	expect((await response.json()).html).toContain('href="https://shop.example/p/p-1.html"');
	await says(/GET \/api\/llmRvwHTML pid=p-1 200 \d+\.\d KB \d+ ms\n/);
	child.kill('SIGTERM');
	expect(await ended).toBe(0);
	expect(output()).not.toMatch(/Warning|Error/);
});

it('prints the variables of another address, and of webhooks without a signature', async () => {
	const webhook = { url: 'http://localhost:1/a' };
	const variables = async (...webhooks: NewWebhook[]) => {
		const sandbox = await testSandbox({ crawlerPort: 0, webhooks });
		expect(greeting(sandbox)).toContain(
			`\nREVIEWS_BASE_URL=${sandbox.url}\nREVIEWS_BASE_URL_CRAWLER_HTML=${sandbox.crawlerUrl}\n`,
		);
		return greeting(sandbox).match(/^REVIEWS_(?:API|WEBHOOK).*$/gm);
	};
	const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
	expect(await variables()).toBeNull();
	expect(await variables({ ...webhook, signed: false })).toBeNull();
	expect(await variables({ ...webhook, keyHeader: 'x-key' })).toEqual([
		'REVIEWS_API_KEY=sandbox-api-key-1001',
	]);
	expect(await variables({ ...webhook, secret: SECRET }, { url: `${webhook.url}/b`, secret: other })).toEqual(
		[`REVIEWS_WEBHOOK_SECRET=${SECRET} ${other}`],
	);
});

it('names the Node that it needs', async () => {
	const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'22.12.0'})`;
	const program = runNodeInTest(['--no-experimental-sqlite', '--import', old, CLI]);
	expect(await program.ended).toBe(1);
	expect(program.errors()).toBe(
		'product-reviews-sandbox needs Node 22.13 or later, but this is Node 22.12.0. Install the current LTS version: https://nodejs.org\n',
	);
});

it('says that a port is in use', async () => {
	const { port } = await testSandbox();
	await expect(startSandbox({ port, seed: false })).rejects.toThrow(
		`The sandbox cannot listen on 127.0.0.1:${port}. The port is in use. Set another one with --port or the option "port"; 0 picks a free one.`,
	);
});

it.each([
	[['--port', '70000'], '--port'],
	[['--port', '44x'], '--port'],
	[['--latency', '1.5'], '--latency'],
	[['--seed', 'abc'], '--seed'],
	[['--token', 'two words'], '--token'],
	[['--product-url', 'https://shop.example/'], '--product-url'],
	[['--public-url', 'reviews.example'], '--public-url'],
	[['--public-url', 'ftp://reviews.example'], '--public-url'],
	[['--webhook-secret', SECRET], 'need a --webhook <url>'],
	[['--webhook-key-header', 'x-key'], 'need a --webhook <url>'],
	[['--token-lifetime', '-1'], '--token-lifetime'],
	[['--crawler-port', '70000'], '--crawler-port'],
])('refuses %j', (args, message) => {
	expect(() => readCommand(args)).toThrow(message);
});

it('has defaults, and takes several webhooks', () => {
	expect(readCommand(['--help'])).toBe('help');
	expect(readCommand([])).toEqual({ port: 4400, seed: 1001, latency: 0 });
	expect(readCommand(['--seed', 'none', '--data', 'x.db'])).toMatchObject({ seed: false, data: 'x.db' });
	const [one, other] = ['http://localhost:1/a', 'http://localhost:1/b'];
	const args = ['--webhook', one, '--webhook-secret', SECRET, '--webhook', other, '--allow-remote-webhooks'];
	expect(readCommand(args)).toMatchObject({
		webhooks: [one, other].map((url) => ({ url, secret: SECRET })),
		allowRemoteWebhooks: true,
	});
	const unsigned = ['--webhook', one, '--webhook-unsigned', '--webhook-ids', 'a.b'];
	const key = ['--webhook-key-header', 'x-key'];
	const service = ['--api-key', 'k', '--token-lifetime', '5000', '--crawler-port', '0'];
	expect(readCommand([...unsigned, ...key, ...service])).toMatchObject({
		webhooks: [{ url: one, keyHeader: 'x-key', signed: false, ids: 'a.b' }],
		...{ apiKey: 'k', tokenLifetime: 5_000, crawlerPort: 0 },
	});
});
