import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
	type AstroRun,
	createProject,
	FIXTURES,
	readFiles,
} from '../../packages/integration/test/support/build/project.ts';
import { jsonLines, pageLines, steady } from './canonical.ts';

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));
const INTEGRATION = 'packages/integration/bin/astro-product-reviews.js';

/** Texts by the page, report or command that they are of. */
type Outputs = Record<string, string>;

/** Pages of a site are much alike, so the window has to hold several of them. */
const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS } = constants;
const COMPRESSION = { params: { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS } };

/** More than these differences tell a reader no more. */
const MOST_SHOWN = 5;

/** Compares with what was recorded. With `GOLDEN=record` it is recorded instead, and the names of what changed are printed. */
function expectGolden(name: string, outputs: Outputs): void {
	const file = fileURLToPath(new URL(`recorded/${name}.json.br`, import.meta.url));
	const recorded: Outputs = existsSync(file)
		? JSON.parse(brotliDecompressSync(readFileSync(file)).toString())
		: {};
	const names = new Set([...Object.keys(recorded), ...Object.keys(outputs)]);
	const different = [...names].filter((key) => recorded[key] !== outputs[key]);
	if (process.env['GOLDEN'] === 'record') {
		console.log([`${file}: ${different.length} of ${names.size} changed`, ...different].join('\n  '));
		writeFileSync(file, brotliCompressSync(JSON.stringify(outputs, undefined, '\t'), COMPRESSION));
		return;
	}
	for (const key of different.slice(0, MOST_SHOWN)) expect.soft(outputs[key], key).toBe(recorded[key]);
	expect(different, 'what differs').toEqual([]);
}

/** Copies a project of this workspace to where it finds the packages. */
function copySite(folder: string, service: Sandbox, common: AstroRun = {}) {
	const environment = { REVIEWS_TOKEN: service.token, ...common.environment };
	const path = relative(FIXTURES, join(WORKSPACE, folder));
	const project = createProject(path, { service: service.url, ...common, environment });
	onTestFinished(project.remove);
	const { root } = project;
	return {
		/** Builds it. @returns its pages, its report and the status. */
		async build(run?: AstroRun): Promise<Outputs> {
			rmSync(join(root, 'dist'), { recursive: true, force: true });
			const { status } = await project.tryBuild(run);
			const outputs: Outputs = { status: String(status) };
			const read = (suffix: string) => [...readFiles(root)].filter(([name]) => name.endsWith(suffix));
			for (const [, text] of read('-report.json')) outputs['report'] = jsonOf(text.toString());
			for (const [name, text] of read('.html'))
				if (name.startsWith('dist/')) outputs[name.slice('dist/'.length)] = pageLines(text.toString());
			return outputs;
		},
		/** Runs a command of the integration in its folder. @returns its status and what it printed. */
		command: (...args: string[]) => run(INTEGRATION, args, root, project.buildCommand().environment),
		/** Starts its server, and asks for these paths. */
		async ask(paths: readonly string[]): Promise<Outputs> {
			const { url, stop } = await project.serve({ ...cleanEnvironment(), ...environment });
			try {
				const outputs: Outputs = {};
				for (const path of paths) {
					const answer = await fetch(url + path);
					const text = await answer.text();
					outputs[path] = `${answer.status}\n${path.endsWith('.json') ? jsonOf(text) : pageLines(text)}`;
				}
				return outputs;
			} finally {
				await stop();
			}
		},
	};
}

/** Runs a command to its end. @returns its status, what it printed, and, if it failed, what it complained about. */
async function run(
	command: string,
	args: readonly string[],
	cwd = WORKSPACE,
	environment: NodeJS.ProcessEnv = {},
): Promise<string> {
	const { ended, printed, errors } = runNode([join(WORKSPACE, command), ...args], {
		cwd,
		env: { ...cleanEnvironment(), ...environment },
	});
	const status = await ended;
	return [status, jsonOf(printed()), status === 0 ? '' : steady(errors())].join('\n').trimEnd();
}

/** JSON with its keys in order, and any other text as it is. */
function jsonOf(text: string): string {
	try {
		return jsonLines(JSON.parse(text));
	} catch {
		return steady(text);
	}
}

/** A product with many reviews, one with odd texts, one in other scripts, one without any, one with an odd id, an unknown one. */
const PIDS = ['p-1', 'p-2', 'p-11', 'p-17', 'ä/ö "x" & <y>', 'p-unknown'];

let service: Sandbox;

// The seed, the clock and the address of pictures are fixed, so each run gets the same answers.
beforeAll(async () => {
	service = await startSandbox({
		seed: 1001,
		now: () => Date.parse('2026-11-01T12:00:00Z'),
		publicUrl: 'https://media.example',
		products: [
			{
				pid: PIDS[4] ?? '',
				name: 'Odd </script><b>name</b>',
				reviews: [
					{
						rating: 3.5,
						author: '<img src=x onerror=alert(1)>',
						title: '\u202eevil & "quoted"',
						body: '</script><script>alert(1)</script>\r\nline two 𝓤𝓷𝓲',
						publishedAt: '2026-01-02T03:04:05Z',
					},
				],
			},
		],
	});
});

afterAll(() => service?.close());

function createShop({ options, config = {} }: AstroRun = {}) {
	const run = { pages: PIDS, options: { products: PIDS, ...options }, config };
	return copySite('test/golden/fixtures/shop', service, run);
}

test.each<[string, AstroRun]>([
	['base', { config: { base: '/shop', trailingSlash: 'never' } }],
	['format-file', { config: { build: { format: 'file' } } }],
	['csp', { config: { security: { csp: true } } }],
	[
		'i18n',
		{
			config: { i18n: { locales: ['en', 'de', 'ar'], defaultLocale: 'de' } },
			options: { labels: { rating: '{rating} of 5!', heading: 'Other people say' } },
		},
	],
	['hidden', { options: { authorNames: 'initials', display: 'hidden', ownPublishers: ['Fjell & Form'] } }],
])('a shop with %s', async (name, setup) => {
	expectGolden(name, await createShop(setup).build());
});

test('a shop with an adapter, and its pages on demand', async () => {
	const shop = createShop({ config: { adapter: true } });
	const built = await shop.build();
	const paths = PIDS.map((pid) => `/live/${encodeURIComponent(pid)}`);
	const answers = await shop.ask([...paths, ...paths.map((path) => `${path}.json`)]);
	expectGolden('adapter', { ...built, ...answers });
});

test('a shop, and the commands in its folder', async () => {
	const shop = createShop();
	const outputs = await shop.build();
	const PLACE = ['--cache-dir', '.cache/product-reviews'];
	for (const args of [
		['report', '--json', ...PLACE],
		['cache', 'ls', '--json', ...PLACE],
		['cache', 'show', 'p-1', ...PLACE],
		['doctor', '--json'],
		['doctor', '--json', '--product', 'p-17'],
		['update', '--all', '--dry-run', '--json', ...PLACE],
		['update', 'p-1', '--json', ...PLACE],
		['update', '--cache-only', '--json'],
		['cache', 'invalidate', 'p-1', 'p-nobody', '--json', ...PLACE],
		['cache', 'clear', 'p-2', ...PLACE],
		['cache', 'show', 'p-2', ...PLACE],
	]) {
		outputs[args.join(' ')] = await shop.command(...args);
	}
	expectGolden('shop', outputs);
});

test('a service that fails: nothing stored, then stored reviews, then a policy that fails', async () => {
	const shop = createShop();
	const faults = (rule: object) => service.faults.add({ kind: 'status', status: 403, ...rule });
	const outputs: Record<string, string> = {};
	const build = async (name: string, options = {}) => {
		for (const [key, text] of Object.entries(await shop.build({ options }))) {
			if (!key.endsWith('.html')) outputs[`${name}: ${key}`] = text;
		}
	};
	for (const pid of ['p-1', 'p-2']) faults({ operation: 'crawlerReviews', pid });
	const onError = (value: string) => ({ maxAge: 0, onError: value });
	await build('nothing stored');
	await build('left out', onError('omit'));
	service.faults.clear();
	await build('works again', onError('stale'));
	faults({ operation: 'crawlerReviews' });
	await build('stored', onError('stale'));
	await build('fails', onError('fail'));
	service.faults.clear();
	expectGolden('outage', outputs);
});

test('the playground', async () => {
	const site = copySite('playground', service, { environment: { PLAYGROUND_CACHE_DIR: './.cache' } });
	expectGolden('playground', await site.build());
});

test('the starter', async () => {
	expectGolden('starter', await copySite('examples/starter', service).build());
});

test.each<[string, string, string[][]]>([
	[
		'integration',
		INTEGRATION,
		[
			['--help'],
			['--version'],
			[],
			['no-such-command'],
			['report', '--no-such-option'],
			['cache', 'show'],
			['report', '--json', '--root', 'no-such-folder'],
			['update', 'p-1', '--root', 'no-such-folder'],
		],
	],
	[
		'webhook',
		'packages/webhook/dist/cli.js',
		[['--help'], ['--version'], [], ['--no-such-option'], ['--port', 'x', '--run', 'true']],
	],
	['sandbox', 'packages/sandbox/dist/cli.js', [['--help'], ['--port', 'x'], ['--no-such-option']]],
])('help, wrong calls and exit codes of the command of the %s', async (name, command, calls) => {
	const outputs: Record<string, string> = {};
	for (const args of calls) outputs[args.join(' ')] = await run(command, args);
	expectGolden(`command-${name}`, outputs);
});

test('a recording covers what it says', () => {
	// An attribute, a text, a number in JSON: each must be seen.
	const page = (attribute: string, text: string, rating: number) =>
		pageLines(
			`<p ${attribute}>${text}</p><script type="application/ld+json">{"b":1,"rating":${rating}}</script>`,
		);
	const one = page('class="a" id="b"', 'Text', 4.5);
	expect(page('id="b" class="a"', 'Text', 4.5)).toBe(one);
	expect(page('class="a" id="c"', 'Text', 4.5)).not.toBe(one);
	expect(page('class="a" id="b"', 'text', 4.5)).not.toBe(one);
	expect(page('class="a" id="b"', 'Text', 4.4)).not.toBe(one);
	expect(jsonLines({ fetched: 3, ms: 5 })).toBe(jsonLines({ ms: 7, fetched: 3 }));
	expect(jsonLines({ fetched: 3 })).not.toBe(jsonLines({ fetched: 4 }));
});
