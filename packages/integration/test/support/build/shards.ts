import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { expect, vi } from 'vitest';
import { CLI } from '../../../../cli/test/support/command.js';
import type { AstroRun, BuildProject } from './project.js';

/** What the build of a shard leaves, relative to the project: its output, its store and Astro's cache. */
const PARTS = ['dist', '.cache'];

/** Where the store is, for commands. */
const PLACE = ['--cache-dir', '.cache/product-reviews'];

/** A site that is built in shards, which are then joined. */
export interface ShardedSite {
	/** The project that joins them. */
	readonly project: BuildProject;
	/** Folders of the shards in the project, relative to it. */
	readonly folders: readonly string[];
	/** Builds a shard, and brings what it wrote to its folder. @param index from 1. @returns what the build said */
	build(index: number, run: AstroRun): Promise<string>;
	/** The same with a build that is killed as soon as something is so. @param isTime is given the folder of its output */
	buildAndKill(index: number, run: AstroRun, isTime: (dist: string) => boolean): Promise<void>;
	/** Runs `product-reviews merge` with the folders of all shards. */
	merge(args?: readonly string[], folders?: readonly string[]): ReturnType<typeof runMerge>;
	remove(): void;
}

/**
 * @param project where the shards are joined. It has not been built yet.
 * @param machines projects that build the shards, each at a path of its own. Without them, `project` builds one after the
 * other, as machines do where the project has the same path.
 */
export function createShardedSite(
	project: BuildProject,
	count: number,
	machines: readonly BuildProject[] = [],
): ShardedSite {
	const folders = Array.from({ length: count }, (_, index) => `shards/${index + 1}`);
	const machineOf = (index: number) => machines[index - 1] ?? project;
	const withShard = (run: AstroRun, index: number): AstroRun => ({
		...run,
		config: { cacheDir: '.cache', ...run.config },
		environment: { ...run.environment, SHARD: `${index}/${count}` },
	});
	const collect = (index: number) => {
		for (const part of PARTS) {
			const path = join(project.root, folders[index - 1] as string, part);
			rmSync(path, { recursive: true, force: true });
			cpSync(join(machineOf(index).root, part), path, { recursive: true });
			if (machineOf(index) === project) rmSync(join(project.root, part), { recursive: true });
		}
	};
	return {
		project,
		folders,
		async build(index, run) {
			const { status, output } = await machineOf(index).build(withShard(run, index));
			expect(status, output).toBe(0);
			collect(index);
			return output;
		},
		async buildAndKill(index, run, isTime) {
			const build = machineOf(index).start(['build'], withShard(run, index));
			const dist = join(machineOf(index).root, 'dist');
			await vi.waitUntil(() => isTime(dist), { timeout: 60_000, interval: 5 });
			expect(await build.end('SIGKILL')).toBe('SIGKILL');
			collect(index);
		},
		merge: (args = [], named = folders) => runMerge(project, [...args, ...named]),
		remove() {
			for (const { remove } of [project, ...machines]) remove();
		},
	};
}

async function runMerge({ root }: Pick<BuildProject, 'root'>, args: readonly string[]) {
	const { ended, printed, errors } = runNode([CLI, 'merge', ...PLACE, ...args], {
		cwd: root,
		env: cleanEnvironment(),
	});
	return { status: await ended, printed: printed(), errors: errors() };
}
