import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import type { NodeProgram } from 'product-reviews-test-support/node-program';
import { expect } from 'vitest';
import { type AstroRun, type BuildProject, createProject } from './project.js';
import { runUpdate, type UpdateRun } from './update.js';

/** Every file of a folder by its path, byte for byte. */
export type Files = ReadonlyMap<string, Buffer>;

export function readFiles(folder: string): Files {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
		entry.isFile(),
	);
	const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
	return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

/** Fails with the names of the files that differ, and the text of the first one. */
export function expectSame(files: Files, expected: Files): void {
	expect([...files.keys()]).toEqual([...expected.keys()]);
	const others = [...expected.keys()].filter(
		(name) => !files.get(name)?.equals(expected.get(name) as Buffer),
	);
	const [first = ''] = others;
	expect(files.get(first)?.toString(), `differ: ${others}`).toBe(expected.get(first)?.toString());
	expect(others).toEqual([]);
}

/** What `--json` prints. */
interface UpdateJson {
	readonly files: readonly string[];
	readonly rebuild: readonly { readonly page: string | null; readonly reason: string }[];
	readonly unchanged: readonly string[];
	readonly failed: readonly { readonly pid: string; readonly reason: string }[];
}

/** A site that is built once and then updated. */
export interface UpdatedSite {
	readonly project: BuildProject;
	/** @returns what the build said. */
	build(run?: AstroRun): Promise<string>;
	start(run?: AstroRun): NodeProgram;
	/** Such a build, for another program to run. */
	buildCommand(run?: AstroRun): ReturnType<BuildProject['buildCommand']>;
	/** Builds it as if for the first time, into another folder, @returns its files. */
	buildAnew(): Promise<Files>;
	files(): Files;
	/** Updates it, with the token that the builds have. */
	update(args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<UpdateRun>;
	/** The same with `--json`. @throws if nothing was printed. */
	updateJson(args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<UpdateRun & UpdateJson>;
	change(path: string, edit: (text: string) => string): void;
}

/** @param run what all builds have in common. */
export function createUpdatedSite(
	fixture: string,
	service: Pick<Sandbox, 'url' | 'token'>,
	pids: readonly string[],
	{ config, options, environment }: Pick<AstroRun, 'config' | 'options' | 'environment'> = {},
): UpdatedSite {
	const project = createProject(fixture);
	const token = { REVIEWS_TOKEN: service.token };
	const folder = config?.['adapter'] ? 'client' : '';
	const withAll = (more: AstroRun = {}): AstroRun => ({
		service: service.url,
		pages: pids,
		...more,
		options: { products: pids, ...options, ...more.options },
		config: { ...config, ...more.config },
		environment: { ...token, ...environment, ...more.environment },
	});
	const build = async (more?: AstroRun) => {
		const { status, output } = await project.build(withAll(more));
		expect(status, output).toBe(0);
		return output;
	};
	const update = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
		runUpdate(project, args, { ...token, ...more });
	return {
		project,
		update,
		build,
		buildCommand: (more) => project.buildCommand(withAll(more)),
		start: (more) => project.start(['build'], withAll({ ...more, config: { cacheDir: '.cache' } })),
		async buildAnew() {
			await build({
				config: { cacheDir: '.cache-anew', outDir: 'anew', experimental: {} },
			});
			return readFiles(join(project.root, 'anew', folder));
		},
		files: () => readFiles(join(project.root, 'dist', folder)),
		async updateJson(args, more) {
			const updated = await update(['--json', ...args], more);
			expect(updated.printed, updated.errors).not.toBe('');
			return { ...updated, ...JSON.parse(updated.printed) };
		},
		change(path, edit) {
			const file = join(project.root, path);
			writeFileSync(file, edit(readFileSync(file, 'utf8')));
		},
	};
}
