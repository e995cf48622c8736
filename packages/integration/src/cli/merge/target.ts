import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CommandError } from '../../errors.js';
import type { LastBuild } from '../../session/last-build.js';
import type { OwnSite } from './own-site.js';
import { isInside, type NamedFolder, placesIn, type ShardFolder, type SitePlaces } from './shard-folder.js';

/** Where the whole site goes: a folder with the same places as the project. Paths are absolute. */
export interface Target extends NamedFolder, SitePlaces {
	/** What the last build of it is from now on. */
	readonly build: LastBuild;
}

/**
 * The places of the whole site.
 * @throws CommandError if they overlap with those of a shard.
 */
export function findTarget(folder: NamedFolder, site: OwnSite, shards: readonly ShardFolder[]): Target {
	const places = placesIn(folder.path, site);
	const { outDir } = places;
	const [realTarget, realOutput] = [realPathOf(folder.path), realPathOf(outDir)];
	for (const shard of shards) {
		const real = [shard.path, shard.outDir].map(realPathOf);
		const isApart = real.every((path) => !isInside(path, realOutput) && !isInside(realOutput, path));
		if (isApart && !real.includes(realTarget)) continue;
		throw new CommandError(
			'PR_USAGE',
			`${shard.name} is where the whole site is written.`,
			'Move what the shard wrote to a folder of its own, or name another folder with --out.',
		);
	}
	const [first] = shards as [ShardFolder];
	return { ...folder, ...places, build: joinedBuild(first, site, outDir) };
}

/** The project says what the pages are updated with. The shards only know what their builds found. */
function joinedBuild(
	{ path, build: shard, name }: ShardFolder,
	{ build }: OwnSite,
	outDir: string,
): LastBuild {
	const { hasToken, hasCollection, hasChanges } = shard;
	const inOutput = relative(resolve(path, build.outDir), resolve(path, shard.folder));
	if (inOutput.startsWith('..')) {
		throw new CommandError(
			'PR_SHARD_UNUSABLE',
			`The pages of ${name} are not in its output folder.`,
			'Build that shard again.',
		);
	}
	const inRoot = (to: string) => relative(build.root, to).replaceAll('\\', '/');
	return {
		...build,
		outDir: inRoot(outDir),
		folder: inRoot(join(outDir, inOutput)),
		hasToken: hasToken === true,
		hasCollection: hasCollection === true,
		hasChanges: hasChanges === true,
	};
}

/** Without links, as far as it exists: a link may lead from a shard to the project. */
function realPathOf(path: string): string {
	return existsSync(path) ? realpathSync(path) : path;
}
