import { CommandError } from '../../errors.js';
import { readReport } from '../../report/report.js';
import type { LastBuild } from '../../session/last-build.js';
import { count, plainLine, reasonOf } from '../../text/words.js';
import { joinCaches } from './join-caches.js';
import { type JoinedReport, joinReports } from './join-reports.js';
import { planFiles } from './plan-files.js';
import { findTarget, type NamedFolder, type OwnSite, openShardFolder, type ShardFolder } from './target.js';
import { type WriteContext, writeTarget } from './write-target.js';

/** What to join, and where. */
export interface MergeContext extends WriteContext {
	readonly shards: readonly NamedFolder[];
	/** The folder that gets the whole site: the project. */
	readonly target: NamedFolder;
	/** The project itself. */
	readonly site: OwnSite;
	/** Whether to check everything, and to write nothing. */
	readonly isDryRun: boolean;
}

/** What was joined. */
export interface Merged {
	readonly shards: number;
	/** Files of the whole site. */
	readonly files: number;
	/** Sitemaps and their indexes that were made from those of the shards, relative to the output folder. */
	readonly joined: readonly string[];
	/** Products in the reports. */
	readonly products: number;
	/** Whether reviews can be published into the output. */
	readonly canPublish: boolean;
	/** Absolute path of the output folder. */
	readonly outDir: string;
}

/**
 * Joins what the builds of all shards of a site wrote: output, store, report, and what Astro keeps for incremental builds.
 * @throws CommandError if the shards are not those of one site, if files contradict each other, or if a file cannot be
 * written. Then nothing has changed.
 */
export async function mergeShards(context: MergeContext): Promise<Merged> {
	const { site, isDryRun, onProgress } = context;
	const opened = context.shards.map((folder) => openShardFolder(folder, site));
	assertOneSite(opened, site.build);
	const shards = opened.toSorted((one, other) => one.build.shard.index - other.build.shard.index);
	const target = findTarget(context.target, site, shards);
	const report = joinTheirReports(shards);
	const files = await planFiles(shards, (done, total) => onProgress('compared', done, total)).catch(
		(cause) => {
			throw cause instanceof CommandError ? cause : unreadable(shards, cause);
		},
	);
	if (!isDryRun) {
		const { account } = site;
		await writeTarget(target, { shards, account, files, cache: joinCaches(shards), report }, context);
	}
	return {
		shards: shards.length,
		files: files.copied.size + files.joined.length,
		joined: files.joined.map(({ name }) => name),
		products: report.products.length,
		canPublish: true,
		outDir: target.outDir,
	};
}

function joinTheirReports(shards: readonly ShardFolder[]): JoinedReport {
	const reports = shards.map(({ reportFile, name }) => readReport(reportFile, name));
	try {
		return joinReports(reports);
	} catch (cause) {
		throw new CommandError(
			'PR_SHARD_UNUSABLE',
			`The report of a shard is not one of this version: ${reasonOf(cause)}.`,
			'Build the shards again.',
			{ cause },
		);
	}
}

function unreadable(shards: readonly ShardFolder[], cause: NodeJS.ErrnoException): CommandError {
	const shard = shards.find(({ outDir }) => cause.path?.startsWith(outDir));
	return new CommandError(
		'PR_SHARD_UNUSABLE',
		`The output of ${shard?.name ?? 'a shard'} cannot be read: ${reasonOf(cause)}.`,
		'Copy that shard again, and let nothing change it meanwhile.',
		{ cause },
	);
}

type Shard = Pick<ShardFolder, 'name' | 'build'>;

/**
 * Makes sure that these are all shards of this project, each once, and built with the same versions and options: what they
 * say of addresses and drivers is not used.
 * @param own what a build of the project would be.
 * @throws CommandError that says which are missing, or what differs.
 */
function assertOneSite(shards: readonly Shard[], own: LastBuild): void {
	const [first, ...others] = shards;
	if (!first) throw new CommandError('PR_SHARD_MISSING', 'There is no shard.', BUILD_THEM);
	assertWhole(shards, first.build.shard.count);
	const unlike = differences(own, first.build, OF_PROJECT);
	if (unlike.length > 0) {
		throw new CommandError(
			'PR_SHARDS_DIFFER',
			`${first.name} was not built from this project as it is here. What differs, and was not used: ${unlike.join(', ')}.`,
			'Merge in the commit that the shards were built from, with the same environment. Give --config and --mode if the builds had them.',
		);
	}
	for (const other of others) {
		const different = differences(first.build, other.build, [...OF_PROJECT, ...OF_BUILDS]);
		if (different.length === 0) continue;
		throw new CommandError(
			'PR_SHARDS_DIFFER',
			`${first.name} and ${other.name} were not built alike. What differs: ${different.join(', ')}.`,
			'Build all shards from the same commit, with the same versions, options and environment.',
		);
	}
}

function assertWhole(shards: readonly Shard[], total: number): void {
	const byIndex = new Map<number, string>();
	for (const { name, build } of shards) {
		const { index, count: all } = build.shard;
		if (all !== total) {
			throw new CommandError(
				'PR_SHARDS_DIFFER',
				`${shards[0]?.name} is one of ${count(total, 'shard')}, ${name} one of ${all}.`,
				'Build all shards of the site with the same number after the slash of REVIEWS_SHARD.',
			);
		}
		const known = byIndex.get(index);
		if (known !== undefined) {
			throw new CommandError(
				'PR_SHARDS_DIFFER',
				`${known} and ${name} are both shard ${index} of ${total}.`,
				'Name each shard once.',
			);
		}
		byIndex.set(index, name);
	}
	if (byIndex.size === total) return;
	const missing: number[] = [];
	for (let index = 1; missing.length <= MOST_NAMED && index <= total; index++) {
		if (!byIndex.has(index)) missing.push(index);
	}
	const named = missing.slice(0, MOST_NAMED).join(', ') + (missing.length > MOST_NAMED ? ', ...' : '');
	throw new CommandError('PR_SHARD_MISSING', `Of ${total} shards, these are missing: ${named}.`, BUILD_THEM);
}

const BUILD_THEM = 'Build them, and name the folders of all shards.';

const MOST_NAMED = 20;

const MOST_LETTERS = 100;

type Fact = readonly [name: string, of: (build: LastBuild) => unknown, isPrinted?: boolean];

/** What has to be as in the project. The address of the service is not printed. */
const OF_PROJECT: readonly Fact[] = [
	['the version of astro-product-reviews', ({ version }) => version, true],
	['the version of Astro', ({ astro }) => astro, true],
	['the address of the service', ({ baseUrl }) => baseUrl],
	['the website id', ({ wsid }) => wsid],
	['the address of the site', ({ site }) => site, true],
	['the base of the site', ({ base }) => base, true],
	["Vite's mode", ({ mode }) => mode, true],
	['the Astro configuration', ({ config }) => config],
	['the place of the output folder', ({ outDir }) => outDir, true],
	['the option "storage"', ({ storage }) => storage],
];

/** What builds find out, and has to be the same in all shards. */
const OF_BUILDS: readonly Fact[] = [
	['whether there is a token', ({ hasToken }) => hasToken],
	['the folder of the pages', ({ folder }) => folder],
	['whether a content collection has reviews', ({ hasCollection }) => hasCollection],
	['whether the sitemap has dates of reviews', ({ hasChanges }) => hasChanges],
];

/** Does not change what pages show. */
const NOT_COMPARED = new Set(['cacheDir', 'logRequests', 'concurrency', 'requestsPerSecond']);

function differences(one: LastBuild, other: LastBuild, facts: readonly Fact[]): string[] {
	const shown = (value: unknown) => plainLine(String(value), MOST_LETTERS);
	const found = facts
		.filter(([, of]) => !isSame(of(one), of(other)))
		.map(([name, of, isPrinted = false]) =>
			isPrinted ? `${name} (${shown(of(one))} and ${shown(of(other))})` : name,
		);
	const [options, others] = [one.options, other.options] as Readonly<Record<string, unknown>>[];
	const names = new Set([...Object.keys(options ?? {}), ...Object.keys(others ?? {})]);
	const changed = [...names].filter(
		(name) => !NOT_COMPARED.has(name) && !isSame(options?.[name], others?.[name]),
	);
	return [...found, ...changed.map((name) => `the option "${plainLine(name, MOST_LETTERS)}"`)];
}

function isSame(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
