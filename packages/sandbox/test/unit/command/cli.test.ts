import { fileURLToPath } from 'node:url';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, it } from 'vitest';
import { readCommand } from '../../../src/command/read-command.js';
import { testSandbox } from '../../support/test-sandbox.js';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

const run = (...args: string[]) => runNodeInTest([CLI, ...args]);

it.each(['SIGINT', 'SIGTERM'] as const)('serves, logs, and ends cleanly on %s', async (signal) => {
	const template = 'https://shop.example/p/{pid}.html';
	const { child, output, ended } = run(
		'--port',
		'0',
		'--token',
		"it's-mine",
		'--wsid',
		'W-7',
		'--product-url',
		template,
	);
	await expect.poll(output).toContain('Press Ctrl+C to stop.');
	expect(output()).toContain('W-7');
	expect(output()).toContain("-H 'Authorization: Bearer it'\\''s-mine'");
	const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output()) ?? [];
	const response = await fetch(`${url}/api/llmRvwHTML?wsid=W-7&pid=p-1&ihtml=true`);
	expect((await response.json()).html).toContain('href="https://shop.example/p/p-1.html"');
	await expect.poll(output).toMatch(/GET \/api\/llmRvwHTML pid=p-1 200 \d+\.\d KB \d+ ms\n/);
	child.kill(signal);
	expect(await ended).toBe(0);
	expect(output()).not.toMatch(/Warning|Error/);
});

it('says that a port is in use', async () => {
	const { port } = await testSandbox();
	const { output, ended } = run('--port', String(port), '--seed', 'none');
	expect(await ended).toBe(1);
	expect(output()).toBe(
		`The sandbox cannot listen on 127.0.0.1:${port}. The port is in use: choose another one, or 0 for a free one.\n`,
	);
});

it('says that a flag is unknown', async () => {
	const { output, ended } = run('--prot', '4400');
	expect(await ended).toBe(1);
	expect(output()).toMatch(/^Unknown option '--prot'.*\n.*--help for all options\.\n$/s);
});

it('helps', async () => {
	const { output, ended } = run('--help');
	expect(await ended).toBe(0);
	expect(output()).toContain('--product-url');
});

it.each([
	['--port', '70000'],
	['--port', '44x'],
	['--latency', '1.5'],
	['--seed', 'abc'],
	['--token', 'two words'],
	['--product-url', 'https://shop.example/'],
	['--public-url', 'reviews.example'],
	['--public-url', 'ftp://reviews.example'],
])('refuses %s %s', (flag, value) => {
	expect(() => readCommand([flag, value])).toThrow(flag);
});

it('has defaults', () => {
	expect(readCommand([])).toEqual({ port: 4400, seed: 1001, latency: 0 });
	expect(readCommand(['--seed', 'none', '--data', 'x.db'])).toMatchObject({ seed: false, data: 'x.db' });
});
