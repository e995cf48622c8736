import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURES = fileURLToPath(new URL('../build/fixtures', import.meta.url));
const WORKSPACE = fileURLToPath(new URL('../../../..', import.meta.url));
/** Where Astro and our packages are installed: the workspace, or a store with another Astro. */
const HOME = process.env['ASTRO_HOME'] ?? WORKSPACE;
// Below it, so that the copies find these packages as a project finds its dependencies.
const COPIES = join(HOME, HOME === WORKSPACE ? 'packages/integration/test/.copies' : 'copies');
const { bin, version } = JSON.parse(readFileSync(join(HOME, 'node_modules/astro/package.json'), 'utf8'));
const ASTRO = join(HOME, 'node_modules/astro', bin.astro);

/** Major version of the Astro that builds. */
export const ASTRO_MAJOR = Number.parseInt(version, 10);

/** How to run Astro in a project. */
export interface AstroRun {
	/** Address of the service. */
	readonly service?: string | undefined;
	/** Options of `productReviews()`, as JSON can hold them. */
	readonly options?: Readonly<Record<string, unknown>>;
	/** The rest of the Astro configuration. */
	readonly config?: Readonly<Record<string, unknown>>;
	/** Product ids to make a page of each. */
	readonly pages?: readonly (string | number)[];
	readonly environment?: Readonly<Record<string, string>>;
}

/** A copy of a fixture, in a folder of its own. */
export interface BuildProject {
	readonly root: string;
	/** Runs `astro build`. */
	build(run?: AstroRun): Promise<{ status: number | null; output: string }>;
	/** The same as a command line with its environment, for another program to run. */
	buildCommand(run?: AstroRun): { line: string; environment: NodeJS.ProcessEnv };
	/** Starts an Astro command that goes on. */
	start(command: readonly string[], run?: AstroRun): ReturnType<typeof spawn>;
	/** A built file, by its path in `dist`. */
	read(path: string): string;
	/** Paths of all built files. */
	files(): string[];
	remove(): void;
}

/** Copies a fixture. @param suffix goes to the end of the folder's name. */
export function createProject(fixture: string, suffix = ''): BuildProject {
	const root = join(COPIES, `${fixture}-${randomUUID().slice(0, 8)}${suffix}`);
	mkdirSync(root, { recursive: true });
	cpSync(join(FIXTURES, fixture), root, { recursive: true });
	const dist = join(root, 'dist');
	const start: BuildProject['start'] = (command, run = {}) =>
		spawn(process.execPath, [ASTRO, ...command], { cwd: root, env: environmentOf(run) });
	const toBuild = (run?: AstroRun): AstroRun => ({ ...run, config: { cacheDir: '.cache', ...run?.config } });
	return {
		root,
		start,
		build: (run) => finished(start(['build'], toBuild(run))),
		buildCommand: (run) => ({
			line: `"${process.execPath}" "${ASTRO}" build`,
			environment: environmentOf(toBuild(run)),
		}),
		read: (path) => readFileSync(join(dist, path), 'utf8'),
		files: () =>
			readdirSync(dist, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => relative(dist, join(entry.parentPath, entry.name))),
		remove: () => rmSync(root, { recursive: true, force: true }),
	};
}

function environmentOf({ service, options, config, pages, environment }: AstroRun): NodeJS.ProcessEnv {
	// The test runner's own mode would be Astro's.
	const { NODE_ENV: _mode, VITEST: _runner, FORCE_COLOR: _color, ...inherited } = process.env;
	return {
		...inherited,
		NO_COLOR: '1',
		ASTRO_TELEMETRY_DISABLED: '1',
		FIXTURE_OPTIONS: JSON.stringify(options ?? {}),
		FIXTURE_CONFIG: JSON.stringify(config ?? {}),
		FIXTURE_PAGES: JSON.stringify(pages ?? []),
		...(service !== undefined && { REVIEWS_BASE_URL: service, REVIEWS_WSID: 'W-1001' }),
		...environment,
	};
}

/** Waits for an Astro command's end. */
export function finished(
	child: ReturnType<typeof spawn>,
): Promise<{ status: number | null; output: string }> {
	return new Promise((resolve, reject) => {
		let output = '';
		child.stdout?.on('data', (chunk) => {
			output += chunk;
		});
		child.stderr?.on('data', (chunk) => {
			output += chunk;
		});
		child.on('error', reject);
		child.on('close', (status) => resolve({ status, output }));
	});
}
