import { spawn } from 'node:child_process';
import { dirname, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import manifest from '../../../../integration/package.json' with { type: 'json' };
import { createFilledStore } from '../../../../integration/test/support/unit/filled-store.js';
import { readCommand } from '../../../src/commands/read-command.js';
import { CLI, runCli } from '../../support/command.js';

describe('the command', () => {
	test.each(['--help', '-h'])('helps with %s, in 80 columns', async (flag) => {
		const { status, output, errors } = await runCli(['store', flag]);
		expect({ status, errors }).toEqual({ status: 0, errors: '' });
		for (const word of ['ls', 'show', 'rm', 'vacuum', 'invalidate', 'report', '--cache-dir']) {
			expect(output).toContain(word);
		}
		expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
	});

	test('says its version', async () => {
		expect(await runCli(['--version'])).toEqual({ status: 0, output: `${manifest.version}\n`, errors: '' });
	});

	test('finds the store of a project, and errors are on standard error', async () => {
		const { file } = createFilledStore(['p-1']);
		const cwd = dirname(dirname(file));
		const found = await runCli(['store', 'ls', '--cache-dir', relative(cwd, dirname(file))], { cwd });
		expect(found).toMatchObject({ status: 0, errors: '' });
		expect(found.output).toContain('"p-1"\n1 product, ');
		expect(await runCli(['store', 'show', 'p-7', '--store', file], { cwd })).toEqual({
			status: 1,
			output: '',
			errors: expect.stringMatching(
				/^The product "p-7" is not in the store\.\nList .*\nPR_NOT_STORED: http.*\n$/,
			),
		});
	});

	test('ends quietly when nobody reads on', async () => {
		const { file } = createFilledStore(Array.from({ length: 10_000 }, (_, index) => `p-${index}`));
		const child = spawn(process.execPath, [CLI, 'store', 'ls', '--store', file], {
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let errors = '';
		child.stderr.on('data', (chunk: Buffer) => {
			errors += chunk.toString();
		});
		child.stdout.once('data', () => child.stdout.destroy());
		expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
		expect(errors).toBe('');
	});

	test('waits for a build that writes', async () => {
		const { file } = createFilledStore(['p-1']);
		const build = new DatabaseSync(file);
		build.exec('BEGIN IMMEDIATE');
		expect((await runCli(['store', 'ls', '--store', file])).output).toContain('"p-1"');
		const removed = runCli(['store', 'rm', 'p-1', '--store', file]);
		await new Promise((resolve) => setTimeout(resolve, 700));
		build.exec('COMMIT');
		build.close();
		expect(await removed).toMatchObject({ status: 0, errors: '' });
	});

	test('says that a build has written for too long', async () => {
		const { file } = createFilledStore(['p-1']);
		const build = new DatabaseSync(file);
		build.exec('BEGIN IMMEDIATE');
		const { status, errors } = await runCli(['invalidate', 'p-1', '--store', file]);
		build.close();
		expect(status).toBe(1);
		expect(errors).toMatch(
			/ is in use: .*\nTry again when the build that writes it has ended\.\nPR_STORE_BUSY: http.*\n$/,
		);
	});
});

test.each([
	[[], 'No command given.'],
	[['store'], '"store" needs a subcommand'],
	[['store', 'drop'], 'Unknown command "store drop".'],
	[['__proto__'], 'Unknown command "__proto__".'],
	[['store', 'show'], 'needs a product id'],
	[['store', 'show', 'a', 'b'], 'takes one product id, but "b" was given'],
	[['store', 'ls', 'a'], 'takes no product id, but "a" was given'],
	[['store', 'rm', 'a', '--json'], '"store rm" has no option --json.'],
	[['report', '--limit', '3'], '"report" has no option --limit.'],
	[['store', 'ls', '--limit', '0'], '--limit takes a whole number from 1, not "0".'],
	[['store', 'ls', '--limit', '1e3'], '--limit'],
	[['store', 'ls', '--store', 'a', '--root', 'b'], '--store is the file itself'],
	[['store', 'ls', '--cache-dir', ''], '--cache-dir is empty.'],
	[['store', 'ls', '--prot'], "Unknown option '--prot'"],
])('%j is refused', (args, message) => {
	expect(() => readCommand(args)).toThrow(message);
	expect(() => readCommand(args)).toThrow(
		expect.objectContaining({ code: 'PR_USAGE', hint: expect.stringMatching(/^Run product-reviews --help/) }),
	);
});
