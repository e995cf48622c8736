import { existsSync, realpathSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { REPORT_FILE } from '../constants.js';
import { CommandError } from '../errors.js';
import { type BuildReport, readReport, writeReport } from '../report/report.js';
import {
	describeBuild,
	type LastBuild,
	readLastBuild,
	type WrittenBuild,
	writeLastBuild,
} from '../session/last-build.js';
import { lockOutput } from '../session/lock-output.js';
import { isUnusable, openExistingFile } from '../store/open-database.js';
import { count, plainLine, printableJson, reasonOf } from '../text/words.js';
import { rootOf } from './cache-file.js';
import { joinCaches, joinReports } from './merge-data.js';
import { type FilePlan, planFiles, writeFolder } from './merge-files.js';
import type { CommandLine, Options } from './options.js';
import { loadSite } from './site.js';
import { namePath, say, secondsSince } from './terminal.js';

/** How long a merge waits for a build or an update, in milliseconds: a minute. */
const PATIENCE = 60_000;

const MOST_NAMED = 20;

const MOST_LETTERS = 100;

/** A folder that somebody named. */
export interface NamedFolder {
	/** Absolute path. */
	readonly path: string;
	/** For messages. */
	readonly name: string;
}

/** Where a folder has the parts of a site, in absolute paths. */
interface Places extends NamedFolder {
	readonly storeFile: string;
	readonly reportFile: string;
	readonly outDir: string;
}

/** A folder with everything that the build of a shard wrote. */
interface Shard extends Places {
	/** What that build says of itself. It is compared with the project, and decides nothing. */
	readonly build: WrittenBuild & { readonly shard: NonNullable<WrittenBuild['shard']> };
}

/** The project, as a build of it on this machine would be. It decides where a merge writes, and with what pages are updated. */
export interface OwnSite {
	readonly build: LastBuild;
	readonly account: string;
	/** The cache's file, relative to the project. */
	readonly storeName: string;
}

/** Joins the builds of all shards of a site. */
export async function* merge({ args, options }: CommandLine): AsyncIterable<string> {
	const startedAt = performance.now();
	const named = (folder: string): NamedFolder => {
		const path = resolve(folder);
		return { path, name: path === process.cwd() ? 'the working directory' : namePath(path) };
	};
	const isDryRun = options['dry-run'] === true;
	const site = await loadOwnSite(options);
	const shards = [...new Set(args.map((folder) => resolve(folder)))].map(named);
	const merged = await mergeShards(shards, named(options.out ?? options.root ?? '.'), site, isDryRun);
	if (options.json) {
		yield `${printableJson(merged)}\n`;
		return;
	}
	const fit = isDryRun ? 'fit together' : 'joined';
	const counts = `${count(merged.files, 'file')}, ${count(merged.products, 'product')}`;
	yield `${count(merged.shards, 'shard')} ${fit} in ${secondsSince(startedAt).toFixed(2)} s: ${counts}\n`;
	if (merged.joined.length > 0) {
		yield `Joined from all shards: ${merged.joined.map((name) => plainLine(name, 200)).join(', ')}\n`;
	}
	yield `Output: ${namePath(merged.outDir)}${isDryRun ? ', not written' : ''}\n`;
}

/**
 * Joins everything that the builds of all shards of a site wrote: output, cache and report. Everything is written beside its place, and then renamed. No build and no update has the output folder meanwhile.
 * @throws CommandError if the shards are not those of one site, if files contradict each other, or if a file cannot be
 * written. Then the output has not changed.
 */
export async function mergeShards(
	folders: readonly NamedFolder[],
	target: NamedFolder,
	site: OwnSite,
	isDryRun: boolean,
) {
	const opened = folders.map((folder) => openShard(folder, site));
	assertOneSite(opened, site.build);
	const shards = opened.toSorted((one, other) => one.build.shard.index - other.build.shard.index);
	const places = placesIn(target, site);
	assertApart(places, shards);
	const [first] = shards as [Shard];
	const build = joinedBuild(first, site, places.outDir);
	const report = joinTheirReports(shards);
	const files = await planFiles(shards).catch((cause) => {
		throw cause instanceof CommandError ? cause : unreadable(shards, cause);
	});
	if (!isDryRun) await writeSite(places, { shards, site, files, build, report });
	return {
		shards: shards.length,
		files: files.copied.size + files.joined.length,
		/** Sitemaps and their indexes that were made from those of the shards, relative to the output folder. */
		joined: files.joined.map(({ name }) => name),
		products: report.products.length,
		outDir: places.outDir,
	};
}

/**
 * Reads the project's own configuration and environment.
 * @throws CommandError if output folder and cache are not in the project's folder, and what the configuration throws.
 */
export async function loadOwnSite(given: Options): Promise<OwnSite> {
	const { project, options } = await loadSite(given);
	const connection = project.connection();
	const build = describeBuild({ options, connection, ...project.build() }, true, Date.now());
	const storeName = relative(rootOf(given), project.storeFile());
	for (const [what, name] of [
		['The output folder', build.outDir],
		['The cache', storeName],
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

/** Where a folder has the parts that the project has: only the project's own configuration says so. */
function placesIn(folder: NamedFolder, { build, storeName }: OwnSite): Places {
	const storeFile = join(folder.path, storeName);
	const outDir = resolve(folder.path, build.outDir);
	const reportFile = join(dirname(storeFile), REPORT_FILE);
	return { ...folder, storeFile, reportFile, outDir };
}

/** Whether a path is a folder or inside of it. Both are absolute. */
function isInside(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder + sep);
}

const SAME_PLACES =
	'Name a folder for each shard that has its output folder and its cache in the same places as the project.';

/** Opens a folder of a shard. @throws CommandError if no build of a shard has finished there */
function openShard(folder: NamedFolder, site: OwnSite): Shard {
	const { name, path } = folder;
	const places = placesIn(folder, site);
	assertCache(places.storeFile, name);
	const build = readLastBuild(places.storeFile);
	if (!hasShard(build)) {
		throw unusable(
			`The last build in ${name} was not one of a shard.`,
			'Set the variable REVIEWS_SHARD for the build of each shard, such as REVIEWS_SHARD=3/16.',
		);
	}
	const { index, count } = build.shard;
	if (!build.isComplete) {
		throw unusable(
			`The build of shard ${index} of ${count} in ${name} did not finish.`,
			'Run it again, and merge when it has finished.',
		);
	}
	if (existsSync(places.outDir)) return { ...places, build };
	throw unusable(`The output folder "${relative(path, places.outDir)}" of ${name} is gone.`, SAME_PLACES);
}

function assertCache(file: string, name: string): void {
	try {
		openExistingFile(file).close();
	} catch (cause) {
		const { code, syscall } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') {
			throw new CommandError('PR_CACHE_MISSING', `There is no cache in ${name}.`, SAME_PLACES, { cause });
		}
		if (syscall === undefined && !isUnusable(cause)) throw cause;
		throw unusableCache(name, cause);
	}
}

function unusableCache(name: string, cause: unknown): CommandError {
	const message = `The cache in ${name} cannot be used: ${reasonOf(cause)}.`;
	return new CommandError('PR_CACHE_UNUSABLE', message, 'Build that shard again.', { cause });
}

function hasShard(build: WrittenBuild | undefined): build is Shard['build'] {
	const { index = 0, count = 0 } = build?.shard ?? {};
	return Number.isSafeInteger(count) && Number.isSafeInteger(index) && index >= 1 && index <= count;
}

/** @throws CommandError if the whole site would be written where a shard is. */
function assertApart(target: Places, shards: readonly Shard[]): void {
	// Without links, as far as it exists: a link may lead from a shard to the project.
	const real = (path: string) => (existsSync(path) ? realpathSync(path) : path);
	const [root, output] = [real(target.path), real(target.outDir)];
	for (const shard of shards) {
		const paths = [shard.path, shard.outDir].map(real);
		const isApart = paths.every((path) => !isInside(path, output) && !isInside(output, path));
		if (isApart && !paths.includes(root)) continue;
		throw new CommandError(
			'PR_USAGE',
			`${shard.name} is where the whole site is written.`,
			'Move what the shard wrote to a folder of its own, or name another folder with --out.',
		);
	}
}

/** The last build of the whole site. The project says with what pages are updated; shards know only what builds find out. */
function joinedBuild({ path, build: shard, name }: Shard, { build }: OwnSite, outDir: string): LastBuild {
	const inOutput = relative(resolve(path, build.outDir), resolve(path, shard.folder));
	if (inOutput.startsWith('..')) {
		throw unusable(`The pages of ${name} are not in its output folder.`, 'Build that shard again.');
	}
	const inRoot = (to: string) => relative(build.root, to).replaceAll('\\', '/');
	return {
		...build,
		outDir: inRoot(outDir),
		folder: inRoot(join(outDir, inOutput)),
		hasToken: shard.hasToken === true,
		hasCollection: shard.hasCollection === true,
		hasChanges: shard.hasChanges === true,
	};
}

function joinTheirReports(shards: readonly Shard[]) {
	const reports = shards.map(({ reportFile, name }) => readReport(reportFile, name));
	try {
		return joinReports(reports);
	} catch (cause) {
		throw unusable(
			`The report of a shard is not one of this version: ${reasonOf(cause)}.`,
			'Build the shards again.',
			cause,
		);
	}
}

function unreadable(shards: readonly Shard[], cause: NodeJS.ErrnoException): CommandError {
	const shard = shards.find(({ outDir }) => cause.path?.startsWith(outDir));
	return unusable(
		`The output of ${shard?.name ?? 'a shard'} cannot be read: ${reasonOf(cause)}.`,
		'Copy that shard again, and let nothing change it meanwhile.',
		cause,
	);
}

function unusable(message: string, hint: string, cause?: unknown): CommandError {
	return new CommandError('PR_SHARD_UNUSABLE', message, hint, { cause });
}

/** What has to be as in the project, for messages. Values in the second list are not printed. */
const OF_PROJECT = {
	version: 'the version of astro-product-reviews',
	astro: 'the version of Astro',
	baseUrl: 'the address of the service',
	wsid: 'the website id',
	site: 'the address of the site',
	base: 'the base of the site',
	mode: "Vite's mode",
	config: 'the Astro configuration',
	outDir: 'the place of the output folder',
	storage: 'the option "storage"',
} as const;

const NOT_PRINTED: ReadonlySet<string> = new Set(['baseUrl', 'wsid', 'config', 'storage']);

/** What builds find out, and has to be the same in all shards. */
const OF_BUILDS = {
	hasToken: 'whether there is a token',
	folder: 'the folder of the pages',
	hasCollection: 'whether a content collection has reviews',
	hasChanges: 'whether the sitemap has dates of reviews',
} as const;

/** Options that do not change pages. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
	'cacheDir',
	'logRequests',
	'concurrency',
	'requestsPerSecond',
]);

/**
 * Makes sure that these are all shards of this project, each once, and built with the same versions and options: what they
 * say of addresses and drivers is not used.
 * @throws CommandError that says which are missing, or what differs.
 */
function assertOneSite(shards: readonly Shard[], own: LastBuild): void {
	assertComplete(shards);
	const [first, ...others] = shards as [Shard, ...Shard[]];
	const unlike = differences(own, first.build, OF_PROJECT);
	if (unlike.length > 0) {
		throw differ(
			`${first.name} was not built from this project as it is here. What differs, and was not used: ${unlike.join(', ')}.`,
			'Merge in the commit that the shards were built from, with the same environment. Give --config and --mode if the builds had them.',
		);
	}
	for (const other of others) {
		const different = differences(first.build, other.build, { ...OF_PROJECT, ...OF_BUILDS });
		if (different.length === 0) continue;
		throw differ(
			`${first.name} and ${other.name} were not built alike. What differs: ${different.join(', ')}.`,
			'Build all shards from the same commit, with the same versions, options and environment.',
		);
	}
}

function assertComplete(shards: readonly Shard[]): void {
	const [first] = shards as [Shard];
	const total = first.build.shard.count;
	const byIndex = new Map<number, string>();
	for (const { name, build } of shards) {
		const { index, count: all } = build.shard;
		if (all !== total) {
			throw differ(
				`${first.name} is one of ${count(total, 'shard')}, ${name} one of ${all}.`,
				'Build all shards of the site with the same number after the slash of REVIEWS_SHARD.',
			);
		}
		const known = byIndex.get(index);
		if (known !== undefined) {
			throw differ(`${known} and ${name} are both shard ${index} of ${total}.`, 'Name each shard once.');
		}
		byIndex.set(index, name);
	}
	if (byIndex.size === total) return;
	const missing: number[] = [];
	for (let index = 1; missing.length <= MOST_NAMED && index <= total; index++) {
		if (!byIndex.has(index)) missing.push(index);
	}
	const named = missing.slice(0, MOST_NAMED).join(', ') + (missing.length > MOST_NAMED ? ', ...' : '');
	throw new CommandError(
		'PR_SHARD_MISSING',
		`Of ${total} shards, these are missing: ${named}.`,
		'Build them, and name the folders of all shards.',
	);
}

function differ(message: string, hint: string): CommandError {
	return new CommandError('PR_SHARDS_DIFFER', message, hint);
}

function differences(one: LastBuild, other: LastBuild, names: Readonly<Record<string, string>>): string[] {
	type Values = Readonly<Record<string, unknown>>;
	const changed = (from: Values, to: Values, keys: readonly string[]) =>
		keys.filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]));
	const [ours, theirs] = [one, other] as unknown as [Values, Values];
	const shown = (value: unknown) => plainLine(String(value), MOST_LETTERS);
	const found = changed(ours, theirs, Object.keys(names)).map((key) =>
		NOT_PRINTED.has(key) ? `${names[key]}` : `${names[key]} (${shown(ours[key])} and ${shown(theirs[key])})`,
	);
	const [options, others] = [one.options, other.options] as unknown as [Values, Values];
	const all = [...new Set([...Object.keys(options), ...Object.keys(others)])];
	const different = changed(
		options,
		others,
		all.filter((name) => !NOT_COMPARED.has(name)),
	);
	return [...found, ...different.map((name) => `the option "${plainLine(name, MOST_LETTERS)}"`)];
}

/** The whole site, as it is to be written. */
interface JoinedSite {
	readonly shards: readonly Shard[];
	readonly site: OwnSite;
	readonly files: FilePlan;
	readonly build: LastBuild;
	readonly report: BuildReport;
}

async function writeSite(target: Places, joined: JoinedSite): Promise<void> {
	const { storeFile, outDir, name } = target;
	const onWait = () => say('Waiting for another build or update to finish with the output folder.');
	try {
		const unlock = await lockOutput({ storeFile, outDir, patience: PATIENCE, onWait });
		if (!unlock) {
			throw new CommandError(
				'PR_OUTPUT_BUSY',
				'Another build or update has held the output folder for a minute.',
				'Merge again when it has ended.',
			);
		}
		try {
			await removeUnfinished(outDir);
			await replaceAll(target, joined);
		} finally {
			await removeUnfinished(outDir);
			unlock();
		}
	} catch (cause) {
		if (cause instanceof CommandError) throw cause;
		throw new CommandError(
			'PR_FILE_NOT_WRITTEN',
			`The whole site could not be written to ${name}: ${reasonOf(cause)}.`,
			'Make the folder writable, and make room for a copy of all shards.',
			{ cause },
		);
	}
}

/** Writes everything beside its place, and then renames it. */
async function replaceAll(
	{ storeFile, reportFile, outDir }: Places,
	{ shards, site, files, build, report }: JoinedSite,
): Promise<void> {
	await mkdir(dirname(outDir), { recursive: true });
	await writeFolder(unfinishedName(outDir), files);
	const sources = shards.map(({ storeFile: file, name }) => ({ file, name }));
	const joined = joinCaches(storeFile, sources, site.account, unusableCache);
	try {
		// The cache goes first. Of pages that are not there yet, it only says that their files were changed.
		joined.replace();
		await replaceFolder(outDir);
	} finally {
		joined.close();
	}
	writeLastBuild(storeFile, build);
	writeReport(reportFile, { ...report, store: { ...report.store, bytes: statSync(storeFile).size } });
}

/** Where a folder is written before it takes its place: beside it, so that it can be renamed. */
function unfinishedName(path: string): string {
	return `${path}.merging`;
}

/** Where the former folder is while the new one takes its place. */
function formerName(path: string): string {
	return `${path}.replaced`;
}

/** Deletes everything that a run has left beside a folder. If it ended before the new one was in place, the former returns. */
async function removeUnfinished(path: string): Promise<void> {
	await rm(unfinishedName(path), { recursive: true, force: true });
	const former = formerName(path);
	if (!existsSync(former)) return;
	if (existsSync(path)) await rm(former, { recursive: true, force: true });
	else await rename(former, path);
}

/** Puts a finished folder in its place. */
async function replaceFolder(path: string): Promise<void> {
	if (existsSync(path)) await rename(path, formerName(path));
	await rename(unfinishedName(path), path);
}
