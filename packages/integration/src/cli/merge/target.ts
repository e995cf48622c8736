import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { REPORT_FILE } from '../../constants.js';
import { CommandError } from '../../errors.js';
import { describeBuild, type LastBuild, readLastBuild, type WrittenBuild } from '../../session/last-build.js';
import { isUnusable, openExistingFile } from '../../store/open-database.js';
import { reasonOf } from '../../text/words.js';
import { loadSite, type SitePlace } from '../site/load-site.js';

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

/**
 * The site of a project, as a build of it on this machine would be. It decides where a merge writes, and with what pages are
 * updated.
 */
export interface OwnSite {
	readonly build: LastBuild;
	readonly account: string;
	/** The store's file, relative to the project. */
	readonly storeName: string;
}

/**
 * Reads the project's own configuration and environment.
 * @throws CommandError if output folder and store are not in the project's folder; ProductReviewsConfigurationError if the
 * configuration is incomplete; and what the configuration throws.
 */
export async function loadOwnSite(place: SitePlace): Promise<OwnSite> {
	const { project, options } = await loadSite(place);
	const connection = project.connection();
	const build = describeBuild({ options, connection, ...project.build() }, true, Date.now());
	const storeName = relative(place.root, project.storeFile());
	for (const [what, name] of [
		['The output folder', build.outDir],
		['The store', storeName],
	] as const) {
		if (name !== '' && !isAbsolute(name) && !/^\.\.(?:[/\\]|$)/.test(name)) continue;
		throw new CommandError(
			'PR_USAGE',
			`${what} of the project is not in the project's folder, so shards cannot be joined.`,
			'Leave out "outDir", "cacheDir" and the option "cacheDir", or name folders below the project.',
		);
	}
	return { build, account: connection.account, storeName };
}

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
interface SitePlaces {
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
function placesIn(folder: string, { build, storeName }: OwnSite): SitePlaces {
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
function isInside(path: string, folder: string): boolean {
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

const NOT_A_SHARD = 'Set the variable REVIEWS_SHARD for the build of each shard, such as REVIEWS_SHARD=3/16.';

const SAME_PLACES =
	'Name a folder for each shard that has its output folder and its store in the same places as the project.';
