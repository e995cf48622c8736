import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isUnusable, sizeOfCache } from '../cache/open-database.js';
import type { Kind } from '../cache/review-cache.js';
import { REPORT_FILE } from '../constants.js';
import { commandError } from '../errors/catalog.js';
import { CommandError } from '../errors.js';
import {
	addNumbers,
	type BuildReport,
	countStatuses,
	type ProductReport,
	type ResourceReport,
	readReport,
	writeReport,
} from '../report/report.js';
import { describeBuild, type LastBuild, readLastBuild, writeLastBuild } from '../session/last-build.js';
import { lockOutput } from '../session/lock-output.js';
import { count, plainLine, printableJson, reasonOf } from '../text/words.js';
import { rootOf } from './cache-file.js';
import { openForeignCache, takeRows, useOwnCache } from './foreign-cache.js';
import { type FilePlan, planFiles, writeFolder } from './merge-files.js';
import type { CommandLine, Options } from './options.js';
import { loadSite } from './site.js';
import { namePath, say, secondsSince } from './terminal.js';

/** How long a merge waits for a build or an update, in milliseconds: a minute. */
const PATIENCE = 60_000;

const MOST_NAMED = 20;

/**
 * Rows that are taken from shards. Ratings for lists are not: one that a shard asked for after another one had fetched the
 * reviews would look as if these had changed since.
 */
const TAKEN: readonly Kind[] = ['reviews', 'review-data', 'mark', 'page'];

/** Where a folder has the parts of a site, in absolute paths. */
type Places = ReturnType<typeof placesIn>;

/** A folder with everything that the build of a shard wrote. */
interface Shard extends Places {
	readonly index: number;
	readonly total: number;
	/** What that build says of itself. It is compared with the project, and decides nothing. */
	readonly build: LastBuild;
}

/** The project, as a build of it on this machine would be. It decides where a merge writes, and with what pages are updated. */
type OwnSite = Awaited<ReturnType<typeof loadOwnSite>>;

export async function* merge({ args, options }: CommandLine): AsyncIterable<string> {
	const startedAt = performance.now();
	const { json, out = options.root ?? '.', 'dry-run': isDryRun = false } = options;
	const site = await loadOwnSite(options);
	const merged = await mergeShards(args, out, site, isDryRun);
	if (json) return void (yield `${printableJson(merged)}\n`);
	const { shards, files, products, joined, outDir } = merged;
	const seconds = secondsSince(startedAt).toFixed(2);
	const fit = isDryRun ? 'fit together' : 'joined';
	yield `${count(shards, 'shard')} ${fit} in ${seconds} s: ${count(files, 'file')}, ${count(products, 'product')}\n`;
	if (joined.length > 0) {
		yield `Joined from all shards: ${joined.map((name) => plainLine(name, 200)).join(', ')}\n`;
	}
	yield `Output: ${namePath(outDir)}${isDryRun ? ', not written' : ''}\n`;
}

/**
 * Joins everything that the builds of all shards of a site wrote: output, cache and report. The output is written beside its
 * place, and then renamed. No build and no update has the output folder meanwhile.
 * @throws CommandError if the shards are not those of one site, if files contradict each other, or if a file cannot be
 * written. Then the output has not changed.
 */
export async function mergeShards(
	folders: readonly string[],
	target: string,
	site: OwnSite,
	isDryRun: boolean,
) {
	const paths = [...new Set(folders.map((folder) => resolve(folder)))];
	const opened = paths.map((path) => openShard(path, site));
	assertComplete(opened);
	assertOneSite(opened, site.build);
	const shards = opened.toSorted((one, other) => one.index - other.index);
	const places = placesIn(resolve(target), site);
	assertApart(places, shards);
	const build = joinedBuild(shards[0] as Shard, site, places.outDir);
	const reports = shards.map(({ reportFile, name }) => readReport(reportFile, name));
	let report: ReturnType<typeof joinReports>;
	try {
		report = joinReports(reports);
	} catch (cause) {
		const message = `The report of a shard is not one of this version: ${reasonOf(cause)}.`;
		throw unusable(message, cause);
	}
	const files = await planFiles(shards);
	if (!isDryRun) await writeSite(places, shards, site.account, files, build, report);
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
 * Reads the project's own configuration and environment, and where its cache is, relative to the project.
 * @throws CommandError if output folder and cache are not in the project's folder, and what the configuration throws.
 */
export async function loadOwnSite(given: Options) {
	const { project, options } = await loadSite(given);
	const connection = project.connection();
	const build = describeBuild({ options, connection, ...project.build() }, true, Date.now());
	const cacheName = relative(rootOf(given), project.cacheFile());
	for (const [what, name] of Object.entries({ 'The output folder': build.outDir, 'The cache': cacheName })) {
		if (name !== '' && !isAbsolute(name) && !/^\.\.(?:[/\\]|$)/.test(name)) continue;
		throw new CommandError(
			'PR_USAGE',
			`${what} of the project is not in the project's folder, so shards cannot be joined.`,
			'Leave out "outDir", "cacheDir" and the option "cacheDir", or name folders below the project.',
		);
	}
	return { build, account: connection.account, cacheName };
}

/** Where a folder has the parts that the project has: only the project's own configuration says so. */
function placesIn(path: string, { build, cacheName }: OwnSite) {
	const cacheFile = join(path, cacheName);
	const reportFile = join(dirname(cacheFile), REPORT_FILE);
	return { path, name: namePath(path), cacheFile, reportFile, outDir: resolve(path, build.outDir) };
}

const SAME_PLACES =
	'Name a folder for each shard that has its output folder and its cache in the same places as the project.';

/** Opens a folder of a shard. @throws CommandError if no build of a shard has finished there */
function openShard(path: string, site: OwnSite): Shard {
	const places = placesIn(path, site);
	const { name, cacheFile, outDir } = places;
	try {
		openForeignCache(cacheFile).close();
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw unusableCache(name, cause);
		throw new CommandError('PR_CACHE_MISSING', `There is no cache in ${name}.`, SAME_PLACES, { cause });
	}
	const build = readLastBuild(cacheFile);
	const { index = 0, count: total = 0 } = build?.shard ?? {};
	if (!build || !Number.isSafeInteger(total) || !Number.isSafeInteger(index) || index < 1 || index > total) {
		throw new CommandError(
			'PR_SHARD_UNUSABLE',
			`The last build in ${name} was not one of a shard.`,
			'Set the variable REVIEWS_SHARD for the build of each shard, such as REVIEWS_SHARD=3/16.',
		);
	}
	if (!build.isComplete) throw unusable(`The build of shard ${index} of ${total} in ${name} did not finish.`);
	if (existsSync(outDir)) return { ...places, build, index, total };
	throw unusable(`The output folder "${relative(path, outDir)}" of ${name} is gone.`);
}

/** @throws CommandError if the whole site would be written where a shard is. */
function assertApart(target: Places, shards: readonly Shard[]): void {
	// Without links, as far as it exists: a link may lead from a shard to the project.
	const real = (path: string) => (existsSync(path) ? realpathSync(path) : path);
	const isInside = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);
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
		throw unusable(`The pages of ${name} are not in its output folder.`);
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

function unusable(message: string, cause?: unknown): CommandError {
	return commandError('PR_SHARD_UNUSABLE', message, cause);
}

function unusableCache(name: string, cause: unknown): CommandError {
	const message = `The cache in ${name} cannot be used: ${reasonOf(cause)}.`;
	return new CommandError('PR_CACHE_UNUSABLE', message, 'Build that shard again.', { cause });
}

/** Everything that has to be as in the project, as messages name it. */
const OF_PROJECT = {
	version: 'the version of astro-product-reviews',
	astro: 'the version of Astro',
	baseUrl: 'the address of the service',
	wsid: 'the website ID',
	provider: 'the option "provider"',
	site: 'the address of the site',
	base: 'the base of the site',
	mode: "Vite's mode",
	config: 'the Astro configuration',
	outDir: 'the place of the output folder',
	storage: 'the option "storage"',
};

/** The same, and everything that builds find out: it has to be the same in all shards. */
const OF_SHARDS = {
	...OF_PROJECT,
	hasToken: 'whether there is a token',
	folder: 'the folder of the pages',
	hasCollection: 'whether a content collection has reviews',
	hasChanges: 'whether the sitemap has dates of reviews',
};

/** Options that do not change pages. */
const NOT_COMPARED: readonly string[] = ['cacheDir', 'logRequests', 'concurrency', 'requestsPerSecond'];

/**
 * Makes sure that the shards are of this project, and built with the same versions and options: what they say of addresses
 * and drivers is not used.
 * @throws CommandError that says what differs.
 */
function assertOneSite([first, ...others]: readonly Shard[], own: LastBuild): void {
	if (!first) return;
	const unlike = differences(own, first.build, OF_PROJECT);
	if (unlike !== '') {
		throw differ(
			`${first.name} was not built from this project as it is here. What differs, and was not used: ${unlike}.`,
			'Merge in the commit that the shards were built from, with the same environment. Give --config and --mode if the builds had them.',
		);
	}
	for (const { name, build } of others) {
		const different = differences(first.build, build, OF_SHARDS);
		if (different === '') continue;
		throw commandError(
			'PR_SHARDS_DIFFER',
			`${first.name} and ${name} were not built alike. What differs: ${different}.`,
		);
	}
}

/** @throws CommandError that says which shards are missing, if these are not all shards of a site, each once. */
function assertComplete(shards: readonly Shard[]): void {
	const [{ name: first, total } = { name: '', total: 0 }] = shards;
	const names = new Map<number, string>();
	for (const { name, index, total: other } of shards) {
		if (other !== total) {
			throw differ(
				`${first} is one of ${count(total, 'shard')}, ${name} one of ${other}.`,
				'Build all shards of the site with the same number after the slash of REVIEWS_SHARD.',
			);
		}
		const known = names.get(index);
		if (known !== undefined)
			throw differ(`${known} and ${name} are both shard ${index} of ${total}.`, 'Name each shard once.');
		names.set(index, name);
	}
	const missing: (number | string)[] = [];
	for (let index = 1; index <= total && missing.length < MOST_NAMED; index++) {
		if (!names.has(index)) missing.push(index);
	}
	if (missing.length === 0) return;
	if (missing.length < total - names.size) missing.push('...');
	throw commandError('PR_SHARD_MISSING', `Of ${total} shards, these are missing: ${missing.join(', ')}.`);
}

function differ(message: string, hint: string): CommandError {
	return new CommandError('PR_SHARDS_DIFFER', message, hint);
}

/** Their values are not named: they may be secrets, and anybody may have written those of a shard. */
function differences(one: LastBuild, other: LastBuild, names: Readonly<Record<string, string>>): string {
	const changed = (name: string, from: object, to: object) =>
		JSON.stringify(Reflect.get(from, name)) !== JSON.stringify(Reflect.get(to, name));
	const options = Object.keys({ ...one.options, ...other.options }).filter(
		(name) => !NOT_COMPARED.includes(name) && changed(name, one.options, other.options),
	);
	return [
		...Object.keys(names).flatMap((name) => (changed(name, one, other) ? names[name] : [])),
		...options.map((name) => `the option "${plainLine(name, 100)}"`),
	].join(', ');
}

async function writeSite(
	{ name, cacheFile, reportFile, outDir }: Places,
	shards: readonly Shard[],
	account: string,
	files: FilePlan,
	build: LastBuild,
	report: BuildReport,
): Promise<void> {
	const onWait = () => say('Waiting for another build or update to finish with the output folder.');
	// Beside it, so that it can be renamed.
	const unfinished = `${outDir}.merging`;
	try {
		const unlock = await lockOutput({ cacheFile, outDir, patience: PATIENCE, onWait });
		if (!unlock) {
			throw new CommandError(
				'PR_OUTPUT_BUSY',
				'Another build or update has held the output folder for a minute.',
				'Merge again when it has ended.',
			);
		}
		try {
			await removeUnfinished(outDir);
			await mkdir(dirname(outDir), { recursive: true });
			await writeFolder(unfinished, files);
			joinCaches(cacheFile, shards, account, build);
			if (existsSync(outDir)) await rename(outDir, `${outDir}.replaced`);
			await rename(unfinished, outDir);
		} finally {
			await removeUnfinished(outDir);
			unlock();
		}
		writeLastBuild(cacheFile, build);
		writeReport(reportFile, { ...report, cache: { ...report.cache, bytes: sizeOfCache(cacheFile) } });
	} catch (cause) {
		if (cause instanceof CommandError) throw cause;
		const message = `The whole site could not be written to ${name}: ${reasonOf(cause)}.`;
		throw commandError('PR_FILE_NOT_WRITTEN', message, cause);
	}
}

function joinCaches(file: string, shards: readonly Shard[], account: string, build: LastBuild): void {
	useOwnCache(file, (cache) => {
		// From here on, only a whole merge or a build makes pages that can be updated.
		writeLastBuild(file, { ...build, isComplete: false });
		cache.exec(`DELETE FROM shown;
			DELETE FROM entries WHERE kind = 'page'; DELETE FROM contents WHERE kind = 'page'`);
		for (const { name, cacheFile } of shards) {
			const source = openForeignCache(cacheFile);
			try {
				takeRows(source, cache, account, TAKEN);
			} catch (cause) {
				throw isUnusable(cause) ? unusableCache(name, cause) : cause;
			} finally {
				source.close();
			}
		}
	});
}

/** Deletes everything that a run has left beside a folder. If it ended before the new one was in place, the former returns. */
async function removeUnfinished(path: string): Promise<void> {
	await rm(`${path}.merging`, { recursive: true, force: true });
	const former = `${path}.replaced`;
	if (!existsSync(former)) return;
	if (existsSync(path)) await rm(former, { recursive: true, force: true });
	else await rename(former, path);
}

/**
 * The report of a site from those of its shards. Requests and bytes are sums. Times are those of the shard that took
 * longest, because shards are built beside each other. Products and findings that several shards report are there once.
 */
function joinReports(reports: readonly BuildReport[]): BuildReport & { products: readonly ProductReport[] } {
	const products = joinProducts(reports);
	const fetched = reports.flatMap(({ fetchMs }) => fetchMs ?? []);
	const incremental = reports.flatMap(({ pages }) => pages.incremental ?? []);
	const findings = reports.flatMap(({ audit }) => audit.findings);
	const times = reports.map(({ builtAt }) => builtAt).toSorted();
	return {
		version: reports[0]?.version ?? '',
		builtAt: times.at(-1) ?? '',
		ms: Math.max(...reports.map(({ ms }) => ms)),
		...(fetched.length > 0 && { fetchMs: Math.max(...fetched) }),
		pages: {
			withReviews: new Set(products.flatMap(({ pages }) => pages)).size,
			...(incremental.length > 0 && { incremental: incremental.reduce(addNumbers) }),
		},
		// Its size is not known yet.
		cache: { bytes: undefined, pruned: reports.reduce((sum, { cache }) => sum + cache.pruned, 0) },
		audit: {
			pages: reports.reduce((sum, { audit }) => sum + audit.pages, 0),
			findings: [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()],
		},
		totals: countStatuses(products),
		reviewData: countStatuses(products.flatMap(({ reviewData }) => reviewData ?? [])),
		requests: reports.map(({ requests }) => requests).reduce(addNumbers),
		products,
	};
}

function joinProducts(reports: readonly BuildReport[]): readonly ProductReport[] {
	const byPid = new Map<string, ProductReport>();
	for (const product of reports.flatMap(({ products }) => [...products])) {
		const known = byPid.get(product.pid) ?? product;
		const reviewData = worst(known.reviewData, product.reviewData);
		byPid.set(product.pid, {
			...worst(known, product),
			pages: [...new Set([...known.pages, ...product.pages])],
			...(reviewData && { reviewData }),
		});
	}
	return [...byPid.values()];
}

/** Outcomes, from the one that most needs attention to the one that least does. */
const OUTCOMES = ['failed', 'unreadable', 'stale', 'missing', 'fetched', 'unchanged', undefined] as const;

function worst<Report extends ResourceReport | undefined>(one: Report, other: Report): Report {
	return OUTCOMES.indexOf(one?.status) <= OUTCOMES.indexOf(other?.status) ? one : other;
}
