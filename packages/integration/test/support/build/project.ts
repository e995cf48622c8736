import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	type AstroResult,
	astroIn,
	CHEAPER,
	cleanEnvironment,
	type DevServer,
	runAstro,
	startAstro,
	startAstroDev,
} from 'product-reviews-test-support/astro';
import type { NodeProgram } from 'product-reviews-test-support/node-program';
import { createAstroBuilder } from './astro-builder.js';

const FIXTURES = fileURLToPath(new URL('../../build/fixtures', import.meta.url));
const WORKSPACE = fileURLToPath(new URL('../../../../..', import.meta.url));
/** Where Astro and our packages are installed: the workspace, or a store with another Astro. */
const HOME = process.env['ASTRO_HOME'] ?? WORKSPACE;
// Below it, so that the copies find these packages as a project finds its dependencies.
const COPIES = join(HOME, HOME === WORKSPACE ? 'packages/integration/test/.copies' : 'copies');
const ASTRO = astroIn(HOME);
const build = createAstroBuilder(ASTRO);

export const ASTRO_MAJOR = ASTRO.major;

export interface AstroRun {
	readonly service?: string | undefined;
	/** Options of `productReviews()`, as JSON can hold them. */
	readonly options?: Readonly<Record<string, unknown>>;
	readonly config?: Readonly<Record<string, unknown>>;
	/** Product ids to make a page of each. */
	readonly pages?: readonly (string | number)[];
	readonly environment?: Readonly<Record<string, string>>;
}

export interface BuildProject {
	readonly root: string;
	build(run?: AstroRun): Promise<AstroResult>;
	/** The same as a command line with its environment, for another program to run. */
	buildCommand(run?: AstroRun): { line: string; environment: NodeJS.ProcessEnv };
	/** Starts a command of Astro, with nothing but what is given. */
	start(command: readonly string[], run?: AstroRun): NodeProgram;
	dev(run?: AstroRun): Promise<DevServer>;
	check(...options: readonly string[]): Promise<AstroResult>;
	/** A built file, by its path in `dist`. */
	read(path: string): string;
	files(): string[];
	/** The same with all that it has by now: its store, Astro's caches, the built site. */
	copy(): BuildProject;
	remove(): void;
}

/** Copies a fixture. @param suffix goes to the end of the folder's name. */
export function createProject(fixture: string, suffix = ''): BuildProject {
	return copyProject(join(FIXTURES, fixture), fixture, suffix);
}

function copyProject(from: string, fixture: string, suffix = ''): BuildProject {
	const root = join(COPIES, `${fixture}-${randomUUID().slice(0, 8)}${suffix}`);
	mkdirSync(root, { recursive: true });
	cpSync(from, root, { recursive: true });
	const dist = join(root, 'dist');
	const inside = (run: AstroRun = {}) => ({ root, environment: environmentOf(run) });
	const withCache = (run?: AstroRun, config = {}): AstroRun => ({
		...run,
		config: { cacheDir: '.cache', ...config, ...run?.config },
	});
	return {
		root,
		start: (command, run) => startAstro(ASTRO, command, inside(run)),
		build: (run) => build(inside(withCache(run))),
		buildCommand: (run) => ({
			line: `"${process.execPath}" ${CHEAPER.join(' ')} "${ASTRO.file}" build`,
			environment: { ...cleanEnvironment(), ...environmentOf(withCache(run)) },
		}),
		dev: (run) => startAstroDev(ASTRO, inside(withCache(run, { devToolbar: { enabled: false } }))),
		check: (...args) => runAstro(ASTRO, ['check', '--minimumFailingSeverity', 'warning', ...args], inside()),
		read: (path) => readFileSync(join(dist, path), 'utf8'),
		files: () =>
			readdirSync(dist, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => relative(dist, join(entry.parentPath, entry.name))),
		copy: () => copyProject(root, fixture),
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
