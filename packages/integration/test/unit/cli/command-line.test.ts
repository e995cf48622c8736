import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { COMMANDS } from '../../../src/cli/commands.js';
import { pointToCache } from '../../../src/project/manifest.js';
import { CLI, run, runCli } from '../../support/cli/command.js';
import { createFilledCache } from '../../support/unit/filled-cache.js';
import { variedReport } from '../../support/unit/report.js';

test.each(['--help', '-h', 'help', 'cache --help'])('%s lists every command, in 80 columns', async (args) => {
	const { status, output, errors } = await run(args.split(' '));
	expect([status, errors]).toEqual([0, '']);
	for (const { name } of COMMANDS) expect(output).toContain(`\n  ${name} `);
	for (const line of output.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
});

test.each(COMMANDS)(
	'help $name, or $name --help, explains it and its options in 80 columns',
	async ({ name, options }) => {
		const { status, output } = await run(['help', ...name.split(' ')]);
		expect(status).toBe(0);
		expect(output).toMatch(new RegExp(`^Usage: astro-product-reviews ${name} `));
		for (const option of [...options, 'root']) expect(output).toContain(`\n  --${option}`);
		for (const line of output.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
		expect(await run([...name.split(' '), '--help'])).toMatchObject({ status: 0, output });
	},
);

test('no arguments, help and --help give the help', async () => {
	const { status, output } = await run(['help']);
	expect(status).toBe(0);
	for (const args of [[], ['--help']]) expect(await run(args)).toMatchObject({ status: 0, output });
});

test.each<[string, string]>([
	['--json', 'No command given.'],
	['cache', '"cache" needs one of these after it: ls, show,'],
	['cache lss', 'Unknown command "cache lss". Did you mean "cache ls"?'],
	['updte p-1', 'Unknown command "updte". Did you mean "update"?'],
	['__proto__', 'Unknown command "__proto__".'],
	['help nothing', 'Unknown command "nothing".'],
	['cache show', '"cache show" needs a product ID'],
	['explain', '"explain" needs an error code'],
	['cache show a b', 'takes one product ID, but "b" was given'],
	['cache ls a', 'takes no argument, but "a" was given'],
	['cache clear a --json', '"cache clear" has no option --json.'],
	['report --limit 3', '"report" has no option --limit.'],
	['cache ls --limit 0', '--limit takes a whole number from 1, not "0".'],
	['cache ls --limit 1e3', '--limit'],
	['cache ls --cache-file a --root b', '--cache-file is the file itself'],
	['cache ls --cache-file=', '--cache-file is empty.'],
	['cache ls --jsn', 'Unknown option "--jsn". Did you mean "--json"?'],
	['cache show -7', "Unknown option '-7'"],
	['cache invalidate --all p-1', 'Give either --all or product IDs, not both.'],
	['report --html p-1', '--html takes the path of a file that ends with .html, not "p-1".'],
	['report --html a.html b.html', '"report" takes one file, but "b.html" was given.'],
	['report --html --json', 'Give either --html or --json, not both.'],
	['report a.html', '"report" takes a file only with --html, but "a.html" was given.'],
	['refresh --then true', '"refresh" has no option --then.'],
	['refresh --all p-1', 'Give either --all or product IDs, not both.'],
	['update --mode staging p-1', '--mode needs --feeds.'],
])('%s is refused', async (args, message) => {
	const { status, output, errors } = await run(args.split(' ').filter(Boolean));
	expect([status, output]).toEqual([1, '']);
	expect(errors.split('\n')[0]).toContain(message);
	expect(errors).toMatch(/\nRun astro-product-reviews --help, .*\nPR_USAGE: npx .*\n$/);
});

test.each(['refresh', 'update --feeds', 'doctor'])(
	'%s names a configuration that is not there',
	async (name) => {
		const cwd = createFolder();
		const { status, output, errors } = await run([...name.split(' '), '--config', 'nope.mjs'], { cwd });
		expect(status).toBe(1);
		const said = (output + errors).replaceAll(/\s+/g, ' ');
		expect(said).toMatch(/There is no Astro configuration at "nope.mjs"\..* relative to the project\./);
		expect(said).toContain('PR_CONFIG_NOT_LOADED');
		expect(said).not.toContain('undefined');
	},
);

test('an error of Astro without advice is said as it is', async () => {
	const cwd = createFolder();
	writeFileSync(
		join(cwd, 'astro.config.mjs'),
		"export default { integrations: [{ name: 'a', hooks: { 'astro:config:setup': () => { throw Object.assign(new Error('odd'), { hint: undefined }) } } }] }",
	);
	expect(await run(['refresh'], { cwd })).toMatchObject({ status: 1, errors: 'odd\n' });
});

describe('the program', () => {
	test('says its version, finds the store of a project, and writes errors on standard error', async () => {
		const { file } = createFilledCache(['p-1']);
		const cwd = createFolder();
		pointToCache({ root: cwd, outDir: join(cwd, 'dist'), cacheFile: file });
		const [version, found, missing] = await Promise.all([
			runCli(['--version']),
			runCli(['cache', 'ls'], { cwd }),
			runCli(['cache', 'show', 'p-7', '--cache-file', file], { cwd }),
		]);
		expect(version).toEqual({ status: 0, output: `${manifest.version}\n`, errors: '' });
		expect(found).toMatchObject({ status: 0, errors: '' });
		expect(found.output).toContain('"p-1"\n1 product, ');
		expect(missing).toMatchObject({ status: 1, output: '' });
		expect(missing.errors).toMatch(/^The product "p-7" is not in .*\nList .*\nPR_NOT_CACHED: npx .*\n$/);
	});

	test('ends quietly when nobody reads on', async () => {
		const { file } = createFilledCache(Array.from({ length: 2_000 }, (_, index) => `p-${index}`));
		const { child, ended, errors } = runNodeInTest([CLI, 'cache', 'ls', '--json', '--cache-file', file]);
		child.stdout?.once('data', () => child.stdout?.destroy());
		expect([await ended, errors()]).toEqual([0, '']);
	});

	test('prints the same everywhere, without colors, in 80 columns', async () => {
		const { file } = createFilledCache(['p-1', 'p-2']);
		const cwd = dirname(file);
		writeFileSync(join(cwd, 'product-reviews-report.json'), JSON.stringify(variedReport()));
		/** A terminal with colors, one without, and the log of a CI service. */
		const environments = [
			{ FORCE_COLOR: '3', NO_COLOR: undefined, TERM: 'xterm-256color', COLUMNS: '80' },
			{ NO_COLOR: '1', FORCE_COLOR: undefined },
			{ CI: 'true', GITHUB_ACTIONS: 'true', TERM: 'dumb', FORCE_COLOR: undefined },
		];
		for (const args of [['cache', 'ls'], ['cache', 'show', 'p-1'], ['report'], ['cache', 'show', 'p-9']]) {
			const runs = [];
			for (const environment of environments) {
				const { output, errors } = await run([...args, '--cache-file', file], { cwd, environment });
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

test.each([
	['are named', 500, (pids: readonly string[]) => JSON.stringify(pids)],
	// Linux allows 131,072 bytes; these are 120,000 in 45,000 letters.
	['are all, if they are too many bytes', 1_500, () => 'all'],
])('products that a build has to bring %s in the environment of --else', async (_, count, expected) => {
	const cwd = createFolder('update');
	const pids = Array.from({ length: count }, (_, index) => `${'漢'.repeat(25)}${index}`);
	const line = `printf %s "$REVIEWS_CHANGED" > changed.txt`;
	const args = ['update', '-', '--else', `cd '${cwd}' && ${line}`];
	const { status, errors } = await run(args, { cwd, input: pids.join('\n') });
	expect(status, errors).toBe(0);
	expect(readFileSync(join(cwd, 'changed.txt'), 'utf8')).toBe(expected(pids));
});
