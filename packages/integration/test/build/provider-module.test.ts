import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import { type AstroRun, createProject, expectSame } from '../support/build/project.js';
import { productIds } from '../support/build/service.js';

const PIDS = productIds(2);
const SECRET = 'canary-c0ffee';

/** A provider that uses what Vite and Astro give to any module of a project. */
const SOURCES = {
	'src/reviews.ts': `
		import { readFileSync } from 'node:fs';
		import { getSecret, SHOP_KEY, SHOP_RATING, SHOP_TONE, SHOP_VERIFIED } from 'astro:env/server';
		import type { ReviewProvider } from 'astro-product-reviews';
		import { Shelf, Tone } from '@/lib/shelf';
		import { author } from '#lib/author.ts';
		const isKeyRight = [SHOP_KEY, getSecret('SHOP_KEY'), import.meta.env.SHOP_KEY].every((key) => key?.endsWith('ffee'));
		const { MODE, PROD, SSR, PUBLIC_SHOP, BASE_URL } = import.meta.env;
		export default {
			reviews: () => ({
				reviews: [{
					author,
					rating: SHOP_RATING,
					title: new Shelf(SHOP_TONE === 'loud' ? Tone.Loud : Tone.Quiet).title,
					body: [readFileSync('body.txt', 'utf8'), isKeyRight, SHOP_VERIFIED, MODE, PROD, SSR, PUBLIC_SHOP, BASE_URL].join(' '),
				}],
			}),
		} satisfies ReviewProvider;
	`,
	'src/lib/shelf.ts': `
		import words from './words.json';
		export enum Tone { Quiet, Loud }
		export class Shelf {
			constructor(private readonly tone: Tone) {}
			get title() { return words[this.tone]; }
		}
	`,
	'src/lib/words.json': '["Quiet words", "Loud words"]',
	'tsconfig.json': JSON.stringify({
		extends: 'astro/tsconfigs/strict',
		compilerOptions: { paths: { '@/*': ['./src/*'] } },
	}),
	'.env': `SHOP_KEY=${SECRET}\nSHOP_RATING=4\nPUBLIC_SHOP=Kettles\n`,
	'.env.production': 'SHOP_TONE=loud\n',
	'body.txt': 'Fine.',
};

const server = { context: 'server', access: 'public' };
const SCHEMA = {
	SHOP_KEY: { ...server, access: 'secret', type: 'string' },
	SHOP_RATING: { ...server, type: 'number' },
	SHOP_TONE: { ...server, type: 'enum', values: ['quiet', 'loud'], default: 'quiet' },
	SHOP_VERIFIED: { ...server, type: 'boolean', optional: true, default: false },
	// Nobody imports it.
	SHOP_UNSET: { ...server, access: 'secret', type: 'string' },
};

function createStore(fixture = 'store', { options }: AstroRun = {}) {
	const project = createProject(fixture, {
		pages: PIDS,
		options: { provider: './src/reviews.ts', products: PIDS, retries: 0, maxAge: 0, ...options },
		config: { env: { schema: SCHEMA } },
	});
	onTestFinished(project.remove);
	const write = (name: string, text: string) => {
		mkdirSync(dirname(join(project.root, name)), { recursive: true });
		writeFileSync(join(project.root, name), text);
	};
	for (const [name, text] of Object.entries(SOURCES)) write(name, text);
	// Of another package in the workspace.
	const shared = `${project.root}-shared`;
	onTestFinished(() => rmSync(shared, { recursive: true, force: true }));
	write(`../${basename(shared)}/author.ts`, "export const author: string = 'Ada of Shop';");
	const alias = JSON.stringify({ '#lib': shared });
	project.change('astro.config.mjs', (text) =>
		text.replace('\tsite:', `\tvite: { resolve: { alias: ${alias} } },\n\tsite:`),
	);
	return { project, write, shared, bundle: join(project.root, '.cache/product-reviews/provider.mjs') };
}

test('a provider is written like any module of the project: a build and an update run the same code, which has no secret', async () => {
	const { project, write, bundle } = createStore();
	await project.build();
	const page = () => project.read('products/n1/index.html');
	for (const text of [
		'Ada of Shop',
		'Loud words',
		'Fine. true false production true true Kettles /',
		'"ratingValue":4',
	])
		expect(page()).toContain(text);
	expect(readFileSync(bundle, 'utf8')).not.toContain(SECRET);
	write('body.txt', 'Even better.');
	// Its sources are not needed, and the next build has what they say now.
	write('src/lib/words.json', '["", "Other words"]');
	expect(await project.updateJson(['p-1', 'p-2'])).toMatchObject({ status: 0, rebuild: [], failed: [] });
	expect(page()).toContain('Loud words');
	expect(page()).toContain('Even better. true');
	write('src/lib/words.json', SOURCES['src/lib/words.json']);
	const updated = project.contents();
	expectSame(updated, await project.buildAnew());
	const checked = await project.command(['doctor']);
	expect(checked.printed).toContain('the module ./src/reviews.ts');
	expect(checked.printed).toContain('the provider responds');
	for (const spoil of [
		() => write(bundle.slice(project.root.length), 'export default {};'),
		() => rmSync(bundle),
	]) {
		spoil();
		expect(await project.updateJson(['p-1'])).toMatchObject({
			status: 3,
			rebuild: [{ page: null, reason: 'the provider of the last build is gone, or is not what it was' }],
		});
	}
});

test('a server runs the same provider; astro dev restarts when one of its modules changes', async () => {
	const { project, write, shared } = createStore('on-demand-store', {
		options: { onDemand: { timeout: '10s' } },
	});
	await project.build();
	const built = await project.serve({ SHOP_KEY: SECRET, SHOP_UNSET: '-' });
	onTestFinished(built.stop);
	const text = async (url: string) => (await fetch(`${url}/live/p-1`)).text();
	expect(await text(built.url)).toContain('Fine. true false production true true Kettles /');
	const dev = await project.dev();
	onTestFinished(dev.stop);
	const first = await text(dev.url);
	for (const said of ['Quiet words', 'Fine. true false development false true Kettles /'])
		expect(first).toContain(said);
	write('src/lib/words.json', '["Words of now"]');
	await expect.poll(() => text(dev.url).catch(String), { timeout: 30_000 }).toContain('Words of now');
	write('src/lib/words.json', '["Words');
	await expect.poll(dev.output, { timeout: 30_000 }).toContain('words.json');
	write('src/lib/words.json', '["Words of then"]');
	await expect.poll(() => text(dev.url).catch(String), { timeout: 30_000 }).toContain('Words of then');
	write(`../${basename(shared)}/author.ts`, "export const author = 'Ada of Now';");
	await expect.poll(() => text(dev.url).catch(String), { timeout: 30_000 }).toContain('Ada of Now');
});

/** Builds with each of these providers, and prints why they failed. */
const BUILDS = `
import { rmSync, writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { build } from 'astro';

const failures = [];
for (const code of JSON.parse(process.env.CODES)) {
	if (code === null) rmSync('src/reviews.ts');
	else writeFileSync('src/reviews.ts', code);
	failures.push(await build({ logLevel: 'silent' }).then(() => 'built', inspect));
}
console.log(JSON.stringify(failures));
`;

test('a build says what a provider lacks, and where', async () => {
	const lacks: readonly [code: string | null, says: string | RegExp][] = [
		[null, 'cannot be found.'],
		['export default {}', 'exports by default something that has no function "reviews".'],
		[
			"\nimport { a } from './nowhere';\nexport default { reviews: a };",
			'imports "./nowhere", which cannot be found (src/reviews.ts:2).',
		],
		[
			"import a from 'not-installed';\nexport default { reviews: a };",
			'imports "not-installed", which cannot be found (src/reviews.ts:1).',
		],
		[
			'export default {\n\treviews() {',
			'cannot be bundled: Expected `}` but found `EOF` (src/reviews.ts:2).',
		],
		[
			"import { SHOP_UNSET } from 'astro:env/server';\nexport default { reviews: () => SHOP_UNSET };",
			'cannot be loaded: the variable SHOP_UNSET of "env.schema" is missing',
		],
		[
			'export default { reviews() {} };\nthrow new Error("no database");',
			/cannot be loaded: no database[\s\S]*cause[\s\S]*src\/reviews\.ts:2:/,
		],
	];
	const { project, write } = createStore();
	write('builds.mjs', BUILDS);
	const { environment } = project.buildCommand();
	const CODES = JSON.stringify(lacks.map(([code]) => code));
	const { ended, output, printed } = runNodeInTest(['builds.mjs'], {
		cwd: project.root,
		env: { ...environment, CODES },
	});
	expect(await ended, output()).toBe(0);
	const failures: readonly string[] = JSON.parse(printed().trim().split('\n').at(-1) ?? '');
	for (const [index, [, says]] of lacks.entries()) {
		expect(failures[index]).toMatch(says);
		expect(failures[index]).toContain('PR_PROVIDER_UNUSABLE');
	}
});
