import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { CLI, run, runCli } from '../../../support/cli/command.js';
import { createFilledStore } from '../../../support/unit/filled-store.js';
import { variedReport } from '../../../support/unit/report.js';

test.each([['store', '--help'], ['-h']])('%s %s helps with every command, in 80 columns', async (...args) => {
	const { status, output, errors } = await run(args.filter(Boolean));
	expect([status, errors]).toEqual([0, '']);
	for (const word of 'doctor publish refresh merge ls show rm vacuum push pull invalidate report'.split(' '))
		expect(output).toContain(word);
	for (const line of output.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
});

test.each<[string[], string]>([
	[[], 'No command given.'],
	[['store'], '"store" needs a subcommand'],
	[['store', 'drop'], 'Unknown command "store drop".'],
	[['__proto__'], 'Unknown command "__proto__".'],
	[['store', 'show'], '"store show" needs a product id'],
	[['store', 'show', 'a', 'b'], 'takes one product id, but "b" was given'],
	[['store', 'ls', 'a'], 'takes no product id, but "a" was given'],
	[['store', 'rm', 'a', '--json'], '"store rm" has no option --json.'],
	[['report', '--limit', '3'], '"report" has no option --limit.'],
	[['store', 'ls', '--limit', '0'], '--limit takes a whole number from 1, not "0".'],
	[['store', 'ls', '--limit', '1e3'], '--limit'],
	[['store', 'ls', '--store', 'a', '--root', 'b'], '--store is the file itself'],
	[['store', 'ls', '--cache-dir', ''], '--cache-dir is empty.'],
	[['store', 'ls', '--prot'], "Unknown option '--prot'"],
	[['invalidate', '--all', 'p-1'], 'Give either --all or product ids, not both.'],
	[['report', '--html', 'p-1'], '--html takes the path of a file that ends with .html, not "p-1".'],
	[['report', '--html', 'a.html', 'b.html'], '--html takes one file, but "b.html" was given as well.'],
	[['report', '--html', '--json'], 'Give either --html or --json, not both.'],
	[['store', 'ls', '--html'], '"store ls" has no option --html.'],
	[['merge'], '"merge" needs a folder for each shard.'],
	[['merge', '--store', 'x', 'a'], '"merge" has no option --store.'],
	[['merge', '--out', '', 'a'], '--out is empty.'],
	[['publish', '--out', 'x'], '"publish" has no option --out.'],
	[['refresh', '--redis', 'redis://a', '--redis-env', 'B'], 'Give either --redis or --redis-env, not both.'],
])('%j is refused', async (args, message) => {
	const { status, output, errors } = await run(args);
	expect([status, output]).toEqual([1, '']);
	expect(errors.split('\n')[0]).toContain(message);
	expect(errors).toMatch(/\nRun astro-product-reviews --help .*\nPR_USAGE: npx .*\n$/);
});

describe('the program', () => {
	test('says its version, finds the store of a project, and writes errors on standard error', async () => {
		const { file } = createFilledStore(['p-1']);
		const cwd = dirname(dirname(file));
		const [version, found, missing] = await Promise.all([
			runCli(['--version']),
			runCli(['store', 'ls', '--cache-dir', relative(cwd, dirname(file))], { cwd }),
			runCli(['store', 'show', 'p-7', '--store', file], { cwd }),
		]);
		expect(version).toEqual({ status: 0, output: `${manifest.version}\n`, errors: '' });
		expect(found).toMatchObject({ status: 0, errors: '' });
		expect(found.output).toContain('"p-1"\n1 product, ');
		expect(missing).toEqual({
			status: 1,
			output: '',
			errors: expect.stringMatching(
				/^The product "p-7" is not in the store\.\nList .*\nPR_NOT_STORED: npx .*\n$/,
			),
		});
	});

	test('ends quietly when nobody reads on', async () => {
		const { file } = createFilledStore(Array.from({ length: 10_000 }, (_, index) => `p-${index}`));
		const child = spawn(process.execPath, [CLI, 'store', 'ls', '--store', file]);
		let errors = '';
		child.stderr.on('data', (chunk) => {
			errors += chunk;
		});
		child.stdout.once('data', () => child.stdout.destroy());
		expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
		expect(errors).toBe('');
	});

	test('prints the same everywhere, without colours, in 80 columns', async () => {
		const { file } = createFilledStore(['p-1', 'p-2']);
		const cwd = dirname(file);
		writeFileSync(join(cwd, 'product-reviews-report.json'), JSON.stringify(variedReport()));
		/** A terminal with colours, one without, and the log of a CI service. */
		const environments = [
			{ FORCE_COLOR: '3', NO_COLOR: undefined, TERM: 'xterm-256color', COLUMNS: '80' },
			{ NO_COLOR: '1', FORCE_COLOR: undefined },
			{ CI: 'true', GITHUB_ACTIONS: 'true', TERM: 'dumb', FORCE_COLOR: undefined },
		];
		for (const args of [['store', 'ls'], ['store', 'show', 'p-1'], ['report'], ['store', 'show', 'p-9']]) {
			const runs = [];
			for (const environment of environments) {
				const { output, errors } = await run([...args, '--store', file], { cwd, environment });
				runs.push(`${output}${errors}`.replace(/\(\S+ \w+ ago\)/g, ''));
			}
			expect(new Set(runs).size).toBe(1);
			for (const character of ['\u001b', '\r']) expect(runs[0]).not.toContain(character);
			// Reasons of failures are as long as they are.
			const most = args[0] === 'report' ? 120 : 80;
			for (const line of runs[0]?.split('\n') ?? []) expect(line.length, line).toBeLessThanOrEqual(most);
		}
	});
});
