import { CommandError } from '../../errors.js';
import { readReport } from '../../report/read-report.js';
import { reasonOf } from '../../text/words.js';
import { assertOneSite } from './assert-one-site.js';
import { joinCaches } from './join-caches.js';
import { type JoinedReport, joinReports } from './join-reports.js';
import type { OwnSite } from './own-site.js';
import { planFiles } from './plan-files.js';
import { type NamedFolder, openShardFolder, type ShardFolder } from './shard-folder.js';
import { findTarget } from './target.js';
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
		canPublish: site.build.options.publish,
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
