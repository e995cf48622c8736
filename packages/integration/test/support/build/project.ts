import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	astroIn,
	CHEAPER,
	cleanEnvironment,
	runAstro,
	startAstro,
	startAstroDev,
} from 'product-reviews-test-support/astro';
import { type NodeProgram, runNode } from 'product-reviews-test-support/node-program';
import { expect } from 'vitest';
import { runBuilt } from '../cli/command.js';
import { createAstroBuilder } from './astro-builder.js';

const CLI = fileURLToPath(new URL('../../../bin/astro-product-reviews.js', import.meta.url));
export const FIXTURES = fileURLToPath(new URL('../../build/fixtures', import.meta.url));
const WORKSPACE = fileURLToPath(new URL('../../../../..', import.meta.url));
/** Where Astro and our packages are installed: the workspace, or a store with another Astro. */
const HOME = process.env['ASTRO_HOME'] ?? WORKSPACE;
// Below it, so that the copies find these packages as a project finds its dependencies.
const COPIES = join(HOME, HOME === WORKSPACE ? 'packages/integration/test/.copies' : 'copies');
const ASTRO = astroIn(HOME);
const runBuild = createAstroBuilder(ASTRO);

export const ASTRO_MAJOR = ASTRO.major;

/** `astro-product-reviews update` as a command line, for another program to run in a built project. */
export const UPDATE_LINE = `"${process.execPath}" "${CLI}" update`;

export interface AstroRun {
	readonly service?: string | undefined;
	/** Options of `productReviews()`, as JSON can hold them. */
	readonly options?: Readonly<Record<string, unknown>>;
	readonly config?: Readonly<Record<string, unknown>>;
	/** Product IDs to make a page of each. */
	readonly pages?: readonly (string | number)[];
	readonly environment?: Readonly<Record<string, string>>;
}

/** Every file of a folder by its path, byte for byte. */
export type Files = ReadonlyMap<string, Buffer>;

interface UpdateJson {
	readonly files: readonly string[];
	readonly rebuild: readonly { readonly page: string | null; readonly reason: string }[];
	readonly unchanged: readonly string[];
	readonly failed: readonly { readonly pid: string; readonly reason: string }[];
}

/** Folders that are made of the sources of a project, and tests. */
const isSource = (path: string) => !/\/(?:node_modules|\.astro|dist|test)$/.test(path);

export type BuildProject = ReturnType<typeof createProject>;
export type BuiltServer = Awaited<ReturnType<BuildProject['serve']>>;

/**
 * Copies a fixture, or another folder of the workspace by its path from there. What a run says is added to what all of them
 * have in common. @param suffix goes to the end of the folder's name.
 */
export function createProject(fixture: string, common: AstroRun = {}, suffix = '') {
	const root = join(COPIES, `${basename(fixture)}-${randomUUID().slice(0, 8)}${suffix}`);
	mkdirSync(root, { recursive: true });
	// Found, it ends Vite's search in all folders above, twice a build, which takes longer than a page.
	const settings = join(COPIES, '.postcssrc.json');
	if (!existsSync(settings)) writeFileSync(settings, '{}');
	// What a fixture does not have of its own, it has of the shared one.
	for (const folder of ['shared', fixture])
		cpSync(join(FIXTURES, folder), root, { recursive: true, filter: isSource });
	const dist = join(root, 'dist');
	/** Where a site with an adapter has its pages. */
	const browsers = common.config?.['adapter'] ? 'client' : '';
	const inside = ({ config, options, environment, ...run }: AstroRun = {}, own = {}) => ({
		root,
		environment: environmentOf({
			...common,
			...run,
			options: { ...common.options, ...options },
			config: { cacheDir: '.cache', ...own, ...common.config, ...config },
			environment: { ...common.environment, ...environment },
		}),
	});
	const tryBuild = (run?: AstroRun) => runBuild(inside(run));
	const build = async (run?: AstroRun) => {
		const { status, output } = await tryBuild(run);
		expect(status, output).toBe(0);
		return output;
	};
	const startCli = (args: readonly string[], environment: NodeJS.ProcessEnv, input?: string) => {
		const env = { ...cleanEnvironment(), ...environment };
		const program = runNode([CLI, ...args], { cwd: root, env, stdio: 'pipe' });
		// A command that reads no input may have ended before it is written.
		program.child.stdin?.on('error', () => {}).end(input);
		return program;
	};
	const resultOf = async ({ ended, printed, errors }: NodeProgram) => ({
		status: await ended,
		printed: printed(),
		errors: errors(),
	});
	/** Starts a command of the integration with what a build gets. */
	const startCommand = (args: readonly string[], run?: AstroRun, input?: string) =>
		startCli(args, inside(run).environment, input);
	/** Starts `astro-product-reviews update`, which gets no more of a build than what all of them have in their environment. */
	const startUpdate = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
		startCli(['update', ...args], { ...common.environment, ...environment });
	const update = async (...given: Parameters<typeof startUpdate>) => resultOf(startUpdate(...given));
	return {
		root,
		/** Builds it. @returns what the build said. @throws if it fails */
		build,
		tryBuild,
		/** Builds it as if for the first time, into another folder, which is removed. @returns its files */
		async buildAnew(): Promise<Files> {
			await build({ config: { cacheDir: '.cache-anew', outDir: 'anew', experimental: {} } });
			const files = readFiles(join(root, 'anew', browsers));
			for (const folder of ['.cache-anew', 'anew']) rmSync(join(root, folder), { recursive: true });
			return files;
		},
		/** A build as a command line with its environment, for another program to run. */
		buildCommand: (run?: AstroRun) => ({
			line: `"${process.execPath}" ${CHEAPER.join(' ')} "${ASTRO.file}" build`,
			environment: { ...cleanEnvironment(), ...inside(run).environment } as NodeJS.ProcessEnv,
		}),
		start: (command: readonly string[], run?: AstroRun) => startAstro(ASTRO, command, inside(run)),
		dev: (run?: AstroRun) => startAstroDev(ASTRO, inside(run, { devToolbar: { enabled: false } })),
		/** Starts the built server on a free port. @param environment besides the service: tests have nothing else in its way. */
		async serve(environment?: NodeJS.ProcessEnv) {
			const { says, output, end } = runNode([join(root, 'dist/server/entry.mjs')], {
				cwd: root,
				env: {
					...{ PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0' },
					...{ REVIEWS_BASE_URL: common.service, REVIEWS_WSID: 'W-1001', ...environment },
				},
			});
			const [url] = await says(/http:\/\/127\.0\.0\.1:\d+/);
			return { url, log: output, stop: async () => void (await end()) };
		},
		check: (...args: readonly string[]) =>
			runAstro(ASTRO, ['check', '--minimumFailingSeverity', 'warning', ...args], inside()),
		command: async (...given: Parameters<typeof startCommand>) => resultOf(startCommand(...given)),
		startCommand,
		update,
		startUpdate,
		/** An update with `--json`. @throws if nothing was printed */
		async updateJson(...[args, environment]: Parameters<typeof startUpdate>) {
			const updated = await update(['--json', ...args], environment);
			expect(updated.printed, updated.errors).not.toBe('');
			return { ...updated, ...(JSON.parse(updated.printed) as UpdateJson) };
		},
		/** The same within this process, which is cheaper, but has no provider of the project. */
		async updateHere(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
			const { output, ...updated } = await runBuilt(['update', '--json', ...args], {
				cwd: root,
				environment: { ...common.environment, ...environment },
			});
			expect(output, updated.errors).not.toBe('');
			return { ...updated, ...(JSON.parse(output) as UpdateJson) };
		},
		/** A built file, by its path in `dist`. */
		read: (path: string) => readFileSync(join(dist, path), 'utf8'),
		files: () => [...readFiles(dist).keys()],
		/** What browsers get of the built site. */
		contents: () => readFiles(join(dist, browsers)),
		/** What the last build wrote of itself; `undefined` if it wrote nothing. */
		report() {
			const file = join(root, '.cache/product-reviews/product-reviews-report.json');
			return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
		},
		change(path: string, edit: (text: string) => string) {
			const file = join(root, path);
			writeFileSync(file, edit(readFileSync(file, 'utf8')));
		},
		remove: () => rmSync(root, { recursive: true, force: true }),
	};
}

function environmentOf({ service, options, config, pages, environment }: AstroRun): NodeJS.ProcessEnv {
	return {
		FIXTURE_OPTIONS: JSON.stringify(options ?? {}),
		FIXTURE_CONFIG: JSON.stringify(config ?? {}),
		FIXTURE_PAGES: JSON.stringify(pages ?? []),
		...(service !== undefined && { REVIEWS_BASE_URL: service, REVIEWS_WSID: 'W-1001' }),
		...environment,
	};
}

export function readFiles(folder: string): Files {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
	return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

/** Fails with the names of the files that differ, and the text of the first one. */
export function expectSame(files: Files, expected: Files): void {
	expect([...files.keys()]).toEqual([...expected.keys()]);
	const others = [...expected].flatMap(([name, content]) => (files.get(name)?.equals(content) ? [] : [name]));
	const [first = ''] = others;
	expect(files.get(first)?.toString(), `differ: ${others}`).toBe(expected.get(first)?.toString());
	expect(others).toEqual([]);
}

export function cacheWarnings(output: string): string[] {
	return output.match(/The (?:cache|report) .*/g) ?? [];
}
