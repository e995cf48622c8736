import { spawn } from 'node:child_process';
import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { astroIn, cleanEnvironment } from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { listen } from 'product-reviews-test-support/listen';
import { needs } from 'product-reviews-test-support/programs';
import { messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { afterAll, afterEach, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { createAstroBuilder } from '../support/build/astro-builder.js';
import { startService, TOKEN } from '../support/build/service.js';
import { runBuilt } from '../support/cli/command.js';

const WORKSPACE = fileURLToPath(new URL('../../../..', import.meta.url));
const DOCS = 'docs/src/content/docs/';
const STAND_IN = fileURLToPath(new URL('../support/recipes/stand-in.sh', import.meta.url));
const ASK = fileURLToPath(new URL('../support/recipes/ask.mjs', import.meta.url));
/** Programs that reach the network or a host. */
const PROGRAMS = 'npm npx pnpm yarn git docker aws rsync wrangler'.split(' ');
const GENERATED = new Set(
	readFileSync(join(WORKSPACE, '.gitignore'), 'utf8').match(/^docs\/src\/.+$/gm) ?? [],
);

/** Lists things that a page says a reader has, besides a built store. */
const NEEDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'deploy/cloudflare.mdx': {
		'reviews-worker/src/worker.js': readFileSync(
			join(WORKSPACE, 'packages/webhook/examples/cloudflare/worker.js'),
			'utf8',
		),
	},
	'scale/cache.md': { 'news.json': '{ "changed": ["p-1"] }' },
	'seo/feeds.md': {
		'src/products.json': '[{ "id": "p-1", "name": "Kettle" }]',
		'upload.sh': '#!/bin/sh\nwhile read -r file; do test -f "$REVIEWS_OUT_DIR/$file"; done\n',
	},
};

/** Lines that cannot run by their nature, by a part of them, and why. */
const EXCLUDED: Readonly<Record<string, string>> = {
	'rediss://:password@redis.internal:6379':
		'The server is of a store with an adapter, and its Redis has TLS.',
	'PROVIDER=./postgres.mjs': 'Needs a PostgreSQL, with which provider-examples.test.ts builds it.',
};
const isExcluded = (line: string) => Object.keys(EXCLUDED).some((part) => line.includes(part));

interface Block {
	readonly language: string;
	readonly title: string;
	readonly meta: string;
	readonly text: string;
	/** Is a file of the repository, which other tests run. */
	readonly isOther: boolean;
	/** Number of the section that it is in: a reader begins each in the folder of the store. */
	readonly section: number;
}

const BLOCK = /((?:<!--|\{\/\*) .+ (?:-->|\*\/\})\n)?^( *)```(\w*)(.*)\n([\s\S]*?)^ *```$|^##+ /gm;

function blocksOf(page: string): Block[] {
	let section = 0;
	return [...readFileSync(join(WORKSPACE, page), 'utf8').matchAll(BLOCK)].flatMap(
		([, other, indent, language = '', meta = '', text = '']) => {
			if (indent === undefined) {
				section += 1;
				return [];
			}
			const [, title = ''] = /title="([^"]+)"/.exec(meta) ?? [];
			const lines = text.replaceAll(RegExp(`^${indent}`, 'gm'), '').split(/(?<=\n)/);
			const rest = lines.filter((line) => !isExcluded(line)).join('');
			return [{ language, title, meta, text: rest, isOther: other !== undefined, section }];
		},
	);
}

/** Variables for the environment, and nothing that runs. */
const isVariables = (text: string) => /^(?:(?:#.*|\w+=(?:\S+(?:\s+#.*)?)?)\n)+$/.test(text);
const isShell = ({ language }: Block) => /^(?:sh|bash|shell|console)$/.test(language);

interface Step {
	readonly run?: string;
	readonly uses?: string;
	readonly if?: string;
	readonly with?: Readonly<Record<string, string>>;
	readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
	readonly env?: Readonly<Record<string, string>>;
	readonly jobs?: Readonly<
		Record<string, { readonly env?: Record<string, string>; readonly steps: readonly Step[] }>
	>;
}

function stepsOf(text: string): { readonly steps: readonly Step[]; readonly env: Record<string, string> } {
	const workflow = parseYaml(text) as Workflow | readonly Step[];
	if (Array.isArray(workflow)) return { steps: workflow, env: {} };
	const { jobs = {}, env } = workflow as Workflow;
	const [job] = Object.values(jobs);
	return { steps: job?.steps ?? [], env: { ...env, ...job?.env } };
}

/** Number of command lines that are run: a block of shell, a step of a workflow, a line of a unit or a crontab. */
function runsIn(block: Block): number {
	if (block.text === '' || isExample(block)) return 0;
	if (block.language === 'yaml') return stepsOf(block.text).steps.filter(({ run }) => run).length;
	return isShell(block) || block.language === 'ini' || block.language === 'dockerfile' ? 1 : 0;
}

/** Is a script or a workflow of `examples/deploy`, which deploy-workflows.test.ts runs. */
const isExample = ({ isOther, language }: Block) => isOther && /^(?:sh|yaml)$/.test(language);

/** Is a whole file of the store that a title names. */
const isFile = ({ title, meta }: Block) =>
	/^(?:[\w.[\]-]+\/)*\.?[\w.[\]-]+$/.test(title) && !/crontab|nginx/.test(title) && !/fragment/.test(meta);

const PAGES = globSync(['*.md', 'packages/*/README.md', 'examples/*/README.md', `${DOCS}**/*.{md,mdx}`], {
	cwd: WORKSPACE,
})
	.filter(
		(page) => !GENERATED.has(page) && blocksOf(page).some((block) => runsIn(block) > 0 || isFile(block)),
	)
	.sort();

const service = await startService(['p-1', 'p-2', 'p-3', 'p-17', 'p-42']);
interface Asked {
	readonly args: readonly string[];
	readonly root: string;
	readonly environment: NodeJS.ProcessEnv;
	readonly input: string;
}

const runBuild = createAstroBuilder(astroIn(WORKSPACE));
let ended: Promise<unknown> = Promise.resolve();

/** Does what `npx` was asked for: a build, or a command of the integration. */
async function answer({ args: [name, ...args], root, environment, input }: Asked) {
	const [, , folder = '.'] = args;
	if (name === 'astro') return runBuild({ root: join(root, folder), environment });
	// A receiver may ask while a script does.
	const running = ended.then(() => runBuilt(args, { cwd: root, environment, input }));
	ended = running.catch(() => {});
	return running;
}

const npx = await listen(
	createServer({ allowHalfOpen: true }, async (socket) => {
		socket.end(JSON.stringify(await answer((await json(socket)) as Asked)));
	}),
);
const copies = join(WORKSPACE, 'packages/integration/test/.copies');
mkdirSync(copies, { recursive: true });
const { folder, remove } = createLastingFolder('recipes', copies);
const machine = await createMachine();

afterAll(async () => {
	await service.close();
	await npx.close();
	remove();
});

interface Terminal {
	readonly cwd?: string;
	/** Number of servers in the script, which do not end. */
	readonly servers?: number;
	/** File with the folder and the variables that the script before in this terminal left. */
	readonly state?: string;
	readonly variables?: NodeJS.ProcessEnv;
}

/** A machine whose folder `my-store` is the starter as its README changes it, built and installed. */
async function createMachine() {
	const root = folder;
	const [store, built, bin] = [join(root, 'my-store'), join(root, 'built'), join(root, 'bin')];
	mkdirSync(bin, { recursive: true });
	mkdirSync(join(root, 'clone'));
	for (const program of PROGRAMS) symlinkSync(STAND_IN, join(bin, program));
	symlinkSync(process.execPath, join(bin, 'node'));
	/** Puts a folder of the repository in place of the store. */
	const put = (folder: string) => {
		rmSync(store, { recursive: true, force: true });
		const filter = (path: string) => !/\/(?:node_modules|dist|\.astro)$/.test(path);
		cpSync(join(WORKSPACE, folder), store, { recursive: true, filter });
	};
	put('examples/starter');
	const edit = (path: string, change: (text: string) => string) =>
		writeFileSync(join(store, path), change(readFileSync(join(store, path), 'utf8')));
	edit('package.json', (text) => text.replaceAll('node with-sandbox.mjs', 'astro'));
	edit('src/products.mjs', (text) =>
		text.replace(
			'];',
			"\t{ id: 'p-17', name: 'Mug', price: 9, text: '' },\n\t{ id: 'p-42', name: 'Pan', price: 29, text: '' },\n];",
		),
	);
	writeFileSync(join(store, 'package-lock.json'), '{}');
	mkdirSync(join(store, 'product-reviews'));
	writeFileSync(join(store, 'product-reviews/astro-product-reviews.tgz'), '');
	writeFileSync(
		join(store, '.env'),
		`REVIEWS_BASE_URL=${service.url}\nREVIEWS_WSID=${service.wsid}\nREVIEWS_TOKEN=${TOKEN.REVIEWS_TOKEN}\n`,
	);
	// Below those that servers get which listen on port 0, so that no other test has one of them in between.
	const first = 20_000 + (process.pid % 1_000) * 10;
	const [sandbox, receiver, site] = [first, first + 1, first + 2];
	const environment = {
		...cleanEnvironment(),
		PATH: `${bin}:${process.env['PATH']}`,
		...{ MACHINE: root, WORKSPACE: WORKSPACE.replace(/\/$/, ''), SECRET, ASK, NPX_PORT: `${npx.port}` },
		...{ SANDBOX_PORT: `${sandbox}`, RECEIVER_PORT: `${receiver}`, SITE_PORT: `${site}` },
		...{
			REVIEWS_WEBHOOK_SECRET: SECRET,
			AWS_ACCESS_KEY_ID: 'a',
			AWS_SECRET_ACCESS_KEY: 'b',
			AWS_REGION: 'c',
		},
		...{ DEPLOY_HOOK_URL: 'https://hook.example/', REDIS_URL: 'redis://127.0.0.1:1' },
	};
	const ports = { 4400: sandbox, 4500: receiver, 4321: site };
	/** A text of the documentation with what this machine has in place of its paths, addresses and secrets. */
	const adapt = (text: string) =>
		text
			.replaceAll(/\b(?:4400|4500|4321)\b/g, (port) => `${ports[port as unknown as keyof typeof ports]}`)
			.replaceAll(/https:\/\/(?:html\.)?reviews\.example/g, service.url)
			.replaceAll('/tenant-a', '')
			.replaceAll('https://api.indexnow.org', service.url)
			.replaceAll('REVIEWS_API_KEY=...', `REVIEWS_API_KEY=${service.apiKey}`)
			.replaceAll('whsec_...', SECRET)
			.replaceAll('REVIEWS_TOKEN=...', `REVIEWS_TOKEN=${TOKEN.REVIEWS_TOKEN}`)
			.replaceAll(/(?<![\w.:])\/srv\/shop/g, store)
			.replaceAll(/(?<![\w.:])\/(?=(?:etc|srv|var\/lib)\/)/g, `${root}/`);
	const write = (path: string, text: string, mode = 0o644) => {
		const file = path.startsWith(root) ? path : join(store, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text, { mode });
	};
	/** Scripts that may run, by their process group. */
	const groups = new Map<number, string>();
	/** Ends them, and waits until they are gone, with what they listened at. */
	const end = async (program: RegExp) => {
		for (const [group, script] of groups) {
			if (!program.test(script)) continue;
			groups.delete(group);
			try {
				for (let attempt = 0; attempt < 20; attempt++) {
					process.kill(-group, 'SIGKILL');
					await setTimeout(10);
				}
			} catch {
				// It has ended.
			}
		}
	};
	/** Runs a script until it ends, or until all servers that it starts are ready. @returns what it printed until now */
	async function run(
		script: string,
		{ cwd = store, servers = 0, state = 'state', variables = {} }: Terminal = {},
	) {
		const kept = join(root, state);
		// The ports are free again for a page's other way to start the same.
		for (const program of [/product-reviews-webhook|docker run/, /product-reviews-sandbox/])
			if (program.test(script)) await end(program);
		const before = existsSync(kept) ? `. ${kept}; cd "$LAST"; ` : '';
		const text = `${before}trap 'code=$?; export LAST=$PWD; export -p >${kept}; exit $code' EXIT\n${script}`;
		const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', text], {
			cwd,
			env: { ...environment, ...variables },
			stdio: ['ignore', 'pipe', 'pipe'],
			detached: true,
		});
		if (child.pid) groups.set(child.pid, script);
		let output = '';
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding('utf8').on('data', (part: string) => {
				output += part;
			});
		/** Waits until a text was printed so many times, or the script has ended. */
		const says = async (pattern: RegExp, times = 1) => {
			const deadline = Date.now() + 120_000;
			while (child.exitCode === null && (output.match(pattern)?.length ?? 0) < times) {
				if (Date.now() > deadline) throw new Error(`${script}\ndid not end. It printed:\n${output}`);
				await setTimeout(50);
			}
			if (child.exitCode !== null && child.exitCode !== 0) await setTimeout(100);
			expect(child.exitCode ?? 0, `${script}\n${output}`).toBe(0);
		};
		await says(/Listening at|Review sandbox with|Local /g, servers > 0 ? servers : Number.POSITIVE_INFINITY);
		return { output: () => output, says, ended: child.exitCode !== null };
	}
	const build = () => run('npx astro build', { state: 'state-of-build' });
	await build();
	cpSync(store, built, { recursive: true, preserveTimestamps: true });
	return {
		...{ root, store, put, adapt, write, edit, run, build, receiver },
		/** Leaves the machine as it was before a page. */
		async clean() {
			await end(/(?:)/);
			for (const name of ['my-store', 'etc', 'srv', 'var', 'image', 'context', 'calls', 'clone'])
				rmSync(join(root, name), { recursive: true, force: true, maxRetries: 5 });
			for (const file of globSync('{state,secret,calls}*', { cwd: root })) rmSync(join(root, file));
			mkdirSync(join(root, 'clone'));
			cpSync(built, store, { recursive: true, preserveTimestamps: true });
		},
	};
}

let ran = 0;
/** Blocks with which a page began: on a machine that is as it was, they would run as before. */
const known = new Set<string>();

async function follow(page: string): Promise<void> {
	const { root, store, adapt, write } = machine;
	const name = page.replace(DOCS, '');
	for (const [path, text] of Object.entries(NEEDS[name] ?? {})) write(path, text, 0o755);
	const [example] = /^examples\/\w+/.exec(page) ?? [];
	if (example) machine.put(example);
	let isBuilt = true;
	/** Nothing was run or written yet that other pages do not begin with as well. */
	let isFresh = !(name in NEEDS) && !example;
	let last = '';
	for (const block of blocksOf(page)) {
		if (block.text === '' || isExample(block)) continue;
		const text = adapt(block.text);
		const terminal = { cwd: existsSync(store) ? store : root, state: `state-${block.section}` };
		if (!isBuilt && isShell(block) && !isVariables(text)) {
			isBuilt = true;
			if (!/astro build|npm run build/.test(text)) await machine.build();
		}
		const isFirst = isFresh;
		const isKnown = isFirst && known.has(block.text);
		isFresh &&= isKnown || !(isShell(block) || block.language === 'yaml' || isFile(block));
		if (isKnown) last = text;
		else if (block.language === 'yaml') await work(text);
		else if (block.language === 'json' || block.language === 'jsonc') JSON.parse(text);
		else if (block.language === 'toml') expect(text).toMatch(/^(?:(?:\[[\w.]+\]|\w+ = ".+"|)\n)+$/);
		else if (isShell(block) && isVariables(text)) {
			for (const [name = ''] of text.matchAll(/^(?!REVIEWS_)[A-Z_]+(?==)/gm))
				expect(readFileSync(join(WORKSPACE, page), 'utf8').split(name).length, name).toBeGreaterThan(2);
			setVariables(text, adapt(block.title));
		} else if (block.title === 'crontab') await machine.run(text.replace(/^(?:\S+ +){5}/, ''), terminal);
		else if (isShell(block)) {
			await runShell(text, terminal);
			if (isFirst) known.add(block.text);
		} else if (block.language === 'ini') {
			const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? '';
			mkdirSync(join(root, 'var/lib', value('StateDirectory')), { recursive: true });
			const line = value('ExecStart').replace('/usr/bin/', '');
			await runShell(`set -a; . ${value('EnvironmentFile')}; set +a; ${line}`, {
				cwd: value('WorkingDirectory'),
			});
		}
		const [, option] = /^productReviews\(\{ (cacheDir: .+) \}\);\n$/.exec(text) ?? [];
		if (option) {
			machine.edit('astro.config.mjs', (config) =>
				config.replace('productReviews({', `productReviews({ ${option},`),
			);
			// The page means each deployment: the second one finds the cache that the first one left.
			for (const _ of [1, 2]) await runShell(last, terminal);
			expect(existsSync(join(store, '.cache/product-reviews/reviews-v8.db'))).toBe(true);
		}
		if (isShell(block)) last = text;
		if (isFile(block) && !isShell(block)) {
			const isPart = /\[\w+\]\.astro$/.test(block.title) && !text.includes('getStaticPaths');
			const paths =
				"---\nexport const getStaticPaths = () => [{ params: { id: 'p-1' }, props: { product: { id: 'p-1', name: 'Kettle', sku: 'K', price: 9 } } }];\n";
			write(
				block.title,
				block.language === 'dockerfile' ? block.text : isPart ? text.replace('---\n', paths) : text,
			);
			if (!block.isOther && /^(?:src|astro\.config)/.test(block.title)) isBuilt = false;
			if (/prerender = false/.test(text)) machine.edit('astro.config.mjs', addAdapter);
		}
		ran += runsIn(block);
	}
	if (!isBuilt) await machine.build();
}

const addAdapter = (config: string) =>
	config.includes('@astrojs/node')
		? config
		: `import node from '@astrojs/node';\n${config.replace('defineConfig({', "defineConfig({ output: 'server', adapter: node({ mode: 'standalone' }),")}`;

/** Puts variables into a file, `.env` if none is named, in place of the ones that it has. */
function setVariables(text: string, title: string): void {
	const { store, write } = machine;
	const file = title.startsWith('/') ? title : join(store, title || '.env');
	let all = existsSync(file) ? readFileSync(file, 'utf8') : '';
	for (const [line, name] of text.matchAll(/^(\w+)=.*\n/gm)) {
		const old = new RegExp(`^${name}=.*\n`, 'm');
		all = old.test(all) ? all.replace(old, line) : all + line;
	}
	write(file, all);
}

const SERVERS =
	/npx product-reviews-(?:webhook|sandbox)|npx astro (?:dev|preview)|npm run (?:dev|preview)|docker run/g;

async function runShell(text: string, terminal: Terminal): Promise<void> {
	const servers = text.match(SERVERS)?.length ?? 0;
	const { output, says, ended } = await machine.run(text, { ...terminal, servers });
	if (ended || !/docker run|--run "npx astro-product-reviews update|--ids/.test(text)) return;
	const env = readFileSync(join(machine.store, '.env'), 'utf8');
	const [, url] = /REVIEWS_BASE_URL=(\S+)/.exec(env) ?? [];
	const title = `Written for ${Math.random()}`;
	await fetch(`${url}/__sandbox/products/p-1/reviews`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ rating: 5, title, author: 'Ada', body: 'New.' }),
	});
	const body = JSON.stringify({ type: 'review.created', data: { pid: 'p-1', review: { pid: 'p-1' } } });
	expect(await send(`http://127.0.0.1:${machine.receiver}/`, messageOfNow({ body }))).toBe(202);
	await says(/Update for 1 product (?:finished|failed)/g);
	expect(output()).not.toContain('product failed');
	// Of an update: a build would take seconds.
	if (!/--ids/.test(text)) expect(output()).toMatch(/[1-9]\d* files? changed/);
	const pages = globSync('{my-store,image/srv/shop}/dist/products/p-1/index.html', { cwd: machine.root });
	expect(pages.map((page) => readFileSync(join(machine.root, page), 'utf8')).join('')).toContain(title);
}

/** Runs the job of a workflow, with the cache that it keeps between its runs. */
async function work(text: string): Promise<void> {
	const { root, store, run } = machine;
	const { steps, env } = stepsOf(text);
	const cache = join(root, 'var/cache');
	mkdirSync(cache, { recursive: true });
	const valuesOf = (variables: Readonly<Record<string, string>> = {}) =>
		Object.fromEntries(
			Object.entries(variables).map(([name, value]) => {
				expect(value).toMatch(/^(?:\$\{\{ (?:vars|secrets)\.\w+ \}\}|https?:\/\/\S+|W-\d+|[\w-]+)$/);
				return [name, VALUES[name] ?? value];
			}),
		);
	service.store.createReview('p-1', { rating: 5, title: 'Before the run', author: 'Ada' });
	const kept: string[] = [];
	for (const [index, step] of steps.entries()) {
		if (step.uses) expect(step.uses).toMatch(/^actions\/(?:checkout|setup-node|cache)@v4$/);
		if (step.uses?.startsWith('actions/cache')) {
			kept.push(...(step.with?.['path'] ?? '').trim().split('\n'));
			for (const path of kept)
				if (existsSync(join(cache, path))) {
					rmSync(join(store, path), { recursive: true, force: true });
					cpSync(join(cache, path), join(store, path), { recursive: true, preserveTimestamps: true });
				}
		}
		if (step.run)
			await run(step.run, {
				state: `state-${index}`,
				variables: {
					...valuesOf(env),
					...valuesOf(step.env),
					GITHUB_ACTIONS: 'true',
					GITHUB_EVENT_NAME: 'push',
				},
			});
	}
	for (const path of kept)
		cpSync(join(store, path), join(cache, path), { recursive: true, preserveTimestamps: true });
}

const VALUES: Readonly<Record<string, string>> = {
	REVIEWS_BASE_URL: service.url,
	REVIEWS_WSID: service.wsid,
	REVIEWS_STORAGE_CONFIG: '{}',
	...TOKEN,
};

afterEach(machine.clean);

test.each(PAGES)('%s', needs('jq'), follow);

test('no block is left out, but for those that must be', needs('jq'), () => {
	const all = PAGES.map((page) => readFileSync(join(WORKSPACE, page), 'utf8')).join('');
	const text = all.replaceAll(/\{\/\* examples\/deploy\/.+\n```[\s\S]*?```/g, '');
	const found = text.match(/^ *```(?:sh|bash|shell|console|ini|dockerfile)\b|^ *(?:- )?run: /gm) ?? [];
	expect(Object.keys(EXCLUDED).filter((part) => !text.includes(part))).toEqual([]);
	const empty = PAGES.flatMap(blocksOf).filter((block) => block.text === '');
	expect(ran).toBe(found.length - empty.length);
	console.log(`${ran} blocks of shell and steps of workflows have run, on ${PAGES.length} pages.`);
});
