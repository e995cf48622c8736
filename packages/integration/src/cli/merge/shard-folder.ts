import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { REPORT_FILE } from '../../constants.js';
import { CommandError } from '../../errors.js';
import { readLastBuild, type WrittenBuild } from '../../session/last-build.js';
import { isUnusable } from '../../store/open-database.js';
import { openExistingFile } from '../../store/open-existing-file.js';
import { reasonOf } from '../../text/words.js';
import type { OwnSite } from './own-site.js';

/** A folder that somebody named. */
export interface NamedFolder {
	/** Absolute path. */
	readonly path: string;
	/** For messages. */
	readonly name: string;
}

/** What the build of a shard was. */
type ShardBuild = WrittenBuild & { readonly shard: NonNullable<WrittenBuild['shard']> };

/** Where a folder has the parts of the site, in absolute paths. */
export interface SitePlaces {
	readonly storeFile: string;
	readonly reportFile: string;
	readonly outDir: string;
	/** Astro's `cacheDir`; `undefined` if it is not in the folder. */
	readonly astroCache: string | undefined;
}

/** A folder with what the build of a shard wrote. */
export interface ShardFolder extends NamedFolder, SitePlaces {
	/** What that build says of itself. It is compared with the project, and decides nothing. */
	readonly build: ShardBuild;
}

/** Where a folder has the parts that the project has: only the project's own configuration says so. */
export function placesIn(folder: string, { build, storeName }: OwnSite): SitePlaces {
	const storeFile = join(folder, storeName);
	const outDir = resolve(folder, build.outDir);
	const astroCache = resolve(folder, build.astroCache);
	const isOwn =
		isInside(astroCache, folder) && !isInside(outDir, astroCache) && !isInside(astroCache, outDir);
	const reportFile = join(dirname(storeFile), REPORT_FILE);
	return { storeFile, reportFile, outDir, astroCache: isOwn ? astroCache : undefined };
}

/**
 * Reads what the build of a shard wrote.
 * @throws CommandError if there is none, or if it did not finish.
 */
export function openShardFolder(given: NamedFolder, site: OwnSite): ShardFolder {
	const { path, name } = given;
	const places = placesIn(path, site);
	assertStore(places.storeFile, name);
	const build = readLastBuild(places.storeFile);
	if (!hasShard(build)) throw unusable(`The last build in ${name} was not one of a shard.`, NOT_A_SHARD);
	const { index, count } = build.shard;
	if (!build.isComplete) {
		const what = `The build of shard ${index} of ${count} in ${name} did not finish.`;
		throw unusable(what, 'Run it again, and merge when it has finished.');
	}
	const outName = relative(path, places.outDir);
	if (!existsSync(places.outDir)) {
		throw unusable(`The output folder "${outName}" of ${name} is gone.`, SAME_PLACES);
	}
	return { ...given, ...places, build };
}

function hasShard(build: WrittenBuild | undefined): build is ShardBuild {
	const { index = 0, count = 0 } = build?.shard ?? {};
	return Number.isSafeInteger(count) && Number.isSafeInteger(index) && index >= 1 && index <= count;
}

/** Whether a path is a folder or inside of it. Both are absolute. */
export function isInside(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder + sep);
}

function assertStore(file: string, name: string): void {
	try {
		openExistingFile(file).close();
	} catch (cause) {
		const { code, syscall } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') {
			throw new CommandError('PR_STORE_MISSING', `There is no store in ${name}.`, SAME_PLACES, { cause });
		}
		if (syscall === undefined && !isUnusable(cause)) throw cause;
		throw new CommandError(
			'PR_STORE_UNUSABLE',
			`The store in ${name} cannot be used: ${reasonOf(cause)}.`,
			'Build that shard again.',
			{ cause },
		);
	}
}

function unusable(message: string, hint: string): CommandError {
	return new CommandError('PR_SHARD_UNUSABLE', message, hint);
}

const NOT_A_SHARD = 'Set the variable SHARD for the build of each shard, such as SHARD=3/16.';

const SAME_PLACES =
	'Name a folder for each shard that has its output folder and its store in the same places as the project.';
