import { existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { keepOutput, type Output, type ShardBuild } from 'astro-product-reviews/internal/build';
import { CommandError } from 'astro-product-reviews/internal/errors';
import { resolveConnection } from 'astro-product-reviews/internal/options';
import { openStore } from 'astro-product-reviews/internal/store';
import {
	isInside,
	type NamedFolder,
	type ProjectPlaces,
	placesIn,
	type ShardFolder,
} from './shard-folder.js';

/** Where the whole site goes: a folder with the same places as those of the shards. Paths are absolute. */
export interface Target extends NamedFolder, ProjectPlaces {
	readonly outDir: string;
	/** Astro's `cacheDir`; `undefined` if it is not in the folder. */
	readonly astroCache: string | undefined;
}

/**
 * The places of the whole site.
 * @throws CommandError if they overlap with those of a shard.
 */
export function findTarget(
	folder: NamedFolder,
	cacheDir: string | undefined,
	shards: readonly ShardFolder[],
): Target {
	const places = placesIn(folder.path, cacheDir);
	const [first] = shards as [ShardFolder];
	const store = dirname(places.storeFile);
	const outDir = resolve(store, first.build.outDir);
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
	const astroCache = first.astroCache && resolve(store, first.build.astroCache);
	return { ...folder, ...places, outDir, astroCache };
}

/** Without links, as far as it exists: a link may lead from a shard to the project. */
function realPathOf(path: string): string {
	return existsSync(path) ? realpathSync(path) : path;
}

/** Keeps in the joined store what the shards wrote together, so that reviews can be published into it. */
export function keepJoinedOutput(file: string, shard: ShardFolder, target: Target, now: number): void {
	const { baseUrl, wsid, options } = shard.build;
	if (!options.publish) return;
	const { account } = resolveConnection({ baseUrl, wsid }, {});
	const store = openStore(file, account, () => {});
	try {
		keepOutput(store, outputOf(shard, target), now);
	} finally {
		store.close();
	}
}

function outputOf(shard: ShardFolder, target: Target): Output {
	const { shard: _shard, astro: _astro, astroCache: _cache, ...output } = shard.build satisfies ShardBuild;
	const [from, to] = [dirname(shard.storeFile), dirname(target.storeFile)];
	/** What was beside the shard's folder stays where it is; what was in it is now in the target. */
	const moved = (path: string): string => {
		const absolute = resolve(from, path);
		return isInside(absolute, shard.path) ? path : relative(to, absolute).replaceAll(sep, '/');
	};
	const { root, envFolder } = output;
	return { ...output, root: moved(root), envFolder: envFolder === false ? false : moved(envFolder) };
}
