import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { runCli } from '../cli/command.js';
import type { AstroRun, BuildProject } from './project.js';

/** What the build of a shard leaves, relative to the project: its output, its store and Astro's cache. */
const PARTS = ['dist', '.cache'];

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
	/** Runs `astro-product-reviews merge` with the folders of all shards. @param run as for their builds */
	merge(run: AstroRun): ReturnType<typeof runCli>;
	remove(): void;
}

/** @param project builds the shards, one after the other, and joins them. It has not been built yet. */
export function createShardedSite(project: BuildProject, count: number): ShardedSite {
	const folders = Array.from({ length: count }, (_, index) => `shards/${index + 1}`);
	const withShard = (run: AstroRun, index: number): AstroRun => ({
		...run,
		config: { cacheDir: '.cache', ...run.config },
		environment: { ...run.environment, REVIEWS_SHARD: `${index}/${count}` },
	});
	const collect = (index: number) => {
		for (const part of PARTS) {
			const path = join(project.root, folders[index - 1] as string, part);
			rmSync(path, { recursive: true, force: true });
			mkdirSync(dirname(path), { recursive: true });
			renameSync(join(project.root, part), path);
		}
	};
	return {
		project,
		folders,
		async build(index, run) {
			const { status, output } = await project.build(withShard(run, index));
			expect(status, output).toBe(0);
			collect(index);
			return output;
		},
		async buildAndKill(index, run, isTime) {
			const build = project.start(['build'], withShard(run, index));
			const dist = join(project.root, 'dist');
			await vi.waitUntil(() => isTime(dist), { timeout: 60_000, interval: 5 });
			expect(await build.end('SIGKILL')).toBe('SIGKILL');
			collect(index);
		},
		merge: (run) =>
			runCli(['merge', ...folders], {
				cwd: project.root,
				environment: project.buildCommand(run).environment,
			}),
		remove: project.remove,
	};
}
