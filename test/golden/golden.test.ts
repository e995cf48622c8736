import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
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
import { run } from '../../packages/integration/test/support/cli/command.ts';
import { jsonLines, pageLines, steady } from './canonical.ts';
import { expectGolden, type Outputs } from './recording.ts';

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));
const INTEGRATION = 'packages/integration/bin/astro-product-reviews.js';

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
			const outputs: Outputs = {};
			const read = (suffix: string) => [...readFiles(root)].filter(([name]) => name.endsWith(suffix));
			const reports = read('-report.json').map(([, text]) => jsonOf(text.toString()));
			outputs['report'] = [`exit status ${status}`, ...reports].join('\n');
			for (const [name, text] of read('.html'))
				if (name.startsWith('dist/')) outputs[name.slice('dist/'.length)] = pageLines(text.toString());
			return outputs;
		},
		/** Runs commands of the integration in its folder. */
		commands: (calls: readonly string[][]) =>
			runAll(INTEGRATION, calls, root, project.buildCommand().environment),
		/** Starts its server, and asks for these paths. */
		async ask(paths: readonly string[]): Promise<Outputs> {
			const { url, stop } = await project.serve({ ...cleanEnvironment(), ...environment });
			try {
				const outputs: Outputs = {};
				for (const path of paths) {
					const answer = await fetch(url + path);
					const text = await answer.text();
					outputs[path.slice(1)] =
						`${answer.status}\n${path.endsWith('.json') ? jsonOf(text) : pageLines(text)}`;
				}
				return outputs;
			} finally {
				await stop();
			}
		},
	};
}

/** Runs a command with each of these arguments. @returns what a terminal would show, and the status of each. */
async function runAll(
	command: string,
	calls: readonly string[][],
	cwd = WORKSPACE,
	environment: NodeJS.ProcessEnv = {},
): Promise<string> {
	const lines: string[] = [];
	for (const args of calls) {
		// Those that run what was built do so in a process of their own, as all commands of the other packages.
		const isInside = command === INTEGRATION && !/^(?:update|refresh)$/.test(args[0] ?? '');
		const { status, output, errors } = isInside
			? await run(args, { cwd, environment })
			: await runApart(command, args, cwd, environment);
		const complaints = status === 0 ? '' : steady(errors);
		lines.push(`$ ${args.join(' ')}`, `exit status ${status}`);
		lines.push([jsonOf(output), complaints].join('\n').trimEnd(), '');
	}
	return lines.join('\n');
}

async function runApart(
	command: string,
	args: readonly string[],
	cwd: string,
	environment: NodeJS.ProcessEnv,
) {
	const env = { ...cleanEnvironment(), ...environment };
	const { ended, printed, errors } = runNode([join(WORKSPACE, command), ...args], { cwd, env });
	return { status: await ended, output: printed(), errors: errors() };
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

test('a shop, and the commands in its folder', async () => {
	const shop = createShop();
	const built = await shop.build();
	const commands = await shop.commands([
		['report', '--json'],
		['cache', 'ls', '--json'],
		['cache', 'show', 'p-1'],
		['doctor', '--json'],
		['doctor', '--json', '--product', 'p-17'],
		['update', '--all', '--dry-run', '--json'],
		['update', 'p-1', '--json'],
		['refresh', '--json'],
		['cache', 'invalidate', 'p-1', 'p-nobody', '--json'],
		['cache', 'clear', 'p-2'],
		['cache', 'show', 'p-2'],
	]);
	// Each language is kept as its difference from English.
	expectGolden('shop', { ...built, commands }, (name) =>
		/^languages\/(?!en\/)/.test(name) ? 'shop/languages/en/index.html' : undefined,
	);
});

/** The text of the shop that one of a variant is kept as the difference from. */
function likeShop(name: string): string {
	return `shop/${name.replace(/^client\//, '').replace(/(?<!index)\.html$/, '/index.html')}`;
}

test.each<[string, AstroRun]>([
	[
		'base-file-csp',
		{
			config: {
				base: '/shop',
				trailingSlash: 'never',
				build: { format: 'file' },
				security: { csp: true },
			},
		},
	],
	[
		'i18n',
		{
			config: { i18n: { locales: ['en', 'de', 'ar'], defaultLocale: 'de' } },
			options: { labels: { rating: '{rating} of 5!', heading: 'Other people say' } },
		},
	],
	['hidden', { options: { authorNames: 'initials', display: 'hidden', ownPublishers: ['Fjell & Form'] } }],
])('a shop with %s', async (name, setup) => {
	expectGolden(`shop-with-${name}`, await createShop(setup).build(), likeShop);
});

test('a shop with an adapter, and its pages on demand', async () => {
	const shop = createShop({ config: { adapter: true } });
	const built = await shop.build();
	const paths = PIDS.map((pid) => `/live/${encodeURIComponent(pid)}`);
	const answers = await shop.ask([...paths, ...paths.map((path) => `${path}.json`)]);
	expectGolden('shop-with-adapter', { ...built, ...answers }, likeShop);
});

test('a service that fails: nothing stored, then stored reviews', async () => {
	const shop = createShop();
	const faults = (rule: object) => service.faults.add({ kind: 'status', status: 403, ...rule });
	const outputs: Outputs = {};
	const build = async (name: string, options = {}) => {
		for (const [key, text] of Object.entries(await shop.build({ options }))) {
			if (!key.endsWith('.html')) outputs[`${name}/${key}`] = text;
		}
	};
	for (const pid of ['p-1', 'p-2']) faults({ operation: 'crawlerReviews', pid });
	const onError = (value: string) => ({ maxAge: 0, onError: value });
	await build('nothing-stored');
	await build('left-out', onError('omit'));
	service.faults.clear();
	await build('works-again', onError('stale'));
	faults({ operation: 'crawlerReviews' });
	await build('stored', onError('stale'));
	service.faults.clear();
	expectGolden('shop-with-outage', outputs);
});

/** Beginnings of what is kept whole of the playground. Its other pages are many of one template. */
const ODD_PAGES = [
	'report',
	'404',
	'index',
	'category/kitchen/',
	// Odd texts, no reviews and sold out, reviews without names and titles, a text as long as a book.
	'products/cast-iron-skillet/',
	'products/oak-letter-tray/',
	'products/seagrass-storage-basket/',
	'products/two-person-tent-vidde/',
];

test('the playground', async () => {
	const site = copySite('playground', service, { environment: { PLAYGROUND_CACHE_DIR: './.cache' } });
	const isOdd = (name: string) => ODD_PAGES.some((start) => name.startsWith(start));
	expectGolden('playground', await site.build(), (name) => (isOdd(name) ? undefined : 'digest'));
});

test('the starter', async () => {
	expectGolden('starter', await copySite('examples/starter', service).build());
});

test('help, wrong calls and exit codes of all commands', async () => {
	const integration = await runAll(INTEGRATION, [
		['--help'],
		['--version'],
		[],
		['no-such-command'],
		['report', '--no-such-option'],
		['cache', 'show'],
		['report', '--json', '--root', 'no-such-folder'],
		['update', 'p-1', '--root', 'no-such-folder'],
	]);
	const webhook = await runAll('packages/webhook/dist/cli.js', [
		['--help'],
		['--version'],
		[],
		['--no-such-option'],
		['--port', 'x', '--run', 'true'],
	]);
	const sandbox = await runAll('packages/sandbox/dist/cli.js', [
		['--help'],
		['--port', 'x'],
		['--no-such-option'],
	]);
	expectGolden('commands', { integration, webhook, sandbox });
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
