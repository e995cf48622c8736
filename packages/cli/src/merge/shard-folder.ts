import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readShardBuild, type ShardBuild } from 'astro-product-reviews/internal/build';
import { REPORT_FILE, STORE_FILE } from 'astro-product-reviews/internal/constants';
import { CommandError } from 'astro-product-reviews/internal/errors';
import { isUnusable, openExistingFile, storeFolder } from 'astro-product-reviews/internal/store';
import { reasonOf } from 'astro-product-reviews/internal/text';

/** A folder that somebody named. */
export interface NamedFolder {
	/** Absolute path. */
	readonly path: string;
	/** For messages. */
	readonly name: string;
}

/** Where the parts of a project are, in absolute paths. */
export interface ProjectPlaces {
	readonly storeFile: string;
	readonly reportFile: string;
}

/** A folder with what the build of a shard wrote. */
export interface ShardFolder extends NamedFolder, ProjectPlaces {
	readonly build: ShardBuild;
	/** Absolute path of the output folder. */
	readonly outDir: string;
	/** Astro's `cacheDir`, absolute; `undefined` if it is not in the folder. */
	readonly astroCache: string | undefined;
}

/** Where a project has its store and its report. @param cacheDir the option of the integration */
export function placesIn(root: string, cacheDir: string | undefined): ProjectPlaces {
	const folder = storeFolder(root, cacheDir);
	return { storeFile: join(folder, STORE_FILE), reportFile: join(folder, REPORT_FILE) };
}

/**
 * Reads what the build of a shard wrote.
 * @throws CommandError if there is none, or if it did not finish.
 */
export function openShardFolder(given: NamedFolder, cacheDir: string | undefined): ShardFolder {
	const { path, name } = given;
	const places = placesIn(path, cacheDir);
	const build = readBuild(places.storeFile, name);
	if (!build) throw unusable(`The last build in ${name} was not one of a shard.`, NOT_A_SHARD);
	const { index, count } = build.shard;
	if (!build.isComplete) {
		const what = `The build of shard ${index} of ${count} in ${name} did not finish.`;
		throw unusable(what, 'Run it again, and merge when it has finished.');
	}
	const outDir = resolve(dirname(places.storeFile), build.outDir);
	const outName = relative(path, outDir);
	if (outName === '' || outName.startsWith('..')) {
		throw unusable(`The output folder of ${name} is not a folder inside of it.`, SAME_PLACES);
	}
	if (!existsSync(outDir)) throw unusable(`The output folder "${outName}" of ${name} is gone.`, SAME_PLACES);
	const astroCache = resolve(dirname(places.storeFile), build.astroCache);
	const isOwn = isInside(astroCache, path) && !isInside(outDir, astroCache) && !isInside(astroCache, outDir);
	return { ...given, ...places, build, outDir, astroCache: isOwn ? astroCache : undefined };
}

/** Whether a path is a folder or inside of it. Both are absolute. */
export function isInside(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder + sep);
}

function readBuild(file: string, name: string): ShardBuild | undefined {
	try {
		const database = openExistingFile(file);
		try {
			return readShardBuild(database);
		} finally {
			database.close();
		}
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
	'Name a folder for each shard that has its output folder and its store in the same places as the project. If the option cacheDir is set, also give it as --cache-dir.';
