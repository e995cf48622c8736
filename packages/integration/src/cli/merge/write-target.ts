import { statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lastBuildFile, writeLastBuild } from '../../build/last-build.js';
import { lockOutput } from '../../build/lock-output.js';
import { CommandError } from '../../errors.js';
import { writeReport } from '../../report/write-report.js';
import { reasonOf } from '../../text/words.js';
import { type FormerStore, openFormerStore } from './former-store.js';
import { type JoinedCache, MANIFEST, PAGES } from './join-caches.js';
import type { JoinedReport } from './join-reports.js';
import { joinStores, type StoreSource } from './join-stores.js';
import type { FilePlan } from './plan-files.js';
import { removeUnfinished, replaceFile, replaceFolder, unfinishedName } from './replace.js';
import type { ShardFolder } from './shard-folder.js';
import type { Target } from './target.js';
import { writeFolder } from './write-folder.js';

/** How long a merge waits for a build or a publish, in milliseconds: a minute. */
const PATIENCE = 60_000;

/** The whole site, as it is to be written. */
export interface JoinedSite {
	readonly shards: readonly ShardFolder[];
	/** Of which records and pages are taken. */
	readonly account: string;
	readonly files: FilePlan;
	readonly cache: JoinedCache | undefined;
	readonly report: JoinedReport;
}

/** What a merge is run with. */
export interface WriteContext {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** Called if another process holds the output folder. */
	readonly onWait: () => void;
	/** Called with the number of files that were compared or copied, and of all of them. */
	readonly onProgress: (what: 'compared' | 'copied', done: number, total: number) => void;
}

/**
 * Writes everything beside its place, and then renames it. No build and no publish has the output folder meanwhile.
 * @throws CommandError if something cannot be written, or if another process holds the output folder for a minute. Then
 * nothing has changed.
 */
export async function writeTarget(target: Target, site: JoinedSite, context: WriteContext): Promise<void> {
	const { storeFile, outDir } = target;
	try {
		const unlock = await lockOutput({ storeFile, outDir, patience: PATIENCE, onWait: context.onWait });
		if (!unlock) throw busy();
		const former = openFormerStore(storeFile);
		try {
			await clear(target);
			await stage(target, site, former.isUsable, context);
			await replaceAll(target, site.cache !== undefined, former, context.now);
		} finally {
			former.close();
			await clear(target).finally(unlock);
		}
	} catch (cause) {
		if (cause instanceof CommandError) throw cause;
		throw new CommandError(
			'PR_FILE_NOT_WRITTEN',
			`The whole site could not be written to ${target.name}: ${reasonOf(cause)}.`,
			'Make the folder writable, and make room for a copy of all shards.',
			{ cause },
		);
	}
}

function busy(): CommandError {
	return new CommandError(
		'PR_OUTPUT_BUSY',
		'Another build or publish has held the output folder for a minute.',
		'Merge again when it has ended.',
	);
}

/** Removes what is unfinished, also of an earlier run that was killed. */
async function clear({ outDir, storeFile, reportFile, astroCache }: Target): Promise<void> {
	const cached = astroCache === undefined ? [] : [join(astroCache, PAGES), join(astroCache, MANIFEST)];
	for (const path of [outDir, storeFile, lastBuildFile(storeFile), reportFile, ...cached])
		await removeUnfinished(path);
	for (const end of ['-journal', '-wal', '-shm']) await rm(unfinishedName(storeFile) + end, { force: true });
}

async function stage(
	target: Target,
	{ shards, account, files, cache, report }: JoinedSite,
	hasFormer: boolean,
	{ now, onProgress }: WriteContext,
): Promise<void> {
	const { outDir, storeFile, reportFile, astroCache } = target;
	const total = files.copied.size + (cache?.files.size ?? 0);
	await mkdir(dirname(outDir), { recursive: true });
	await writeFolder(unfinishedName(outDir), files, (done) => onProgress('copied', done, total));
	if (cache && astroCache !== undefined) {
		await mkdir(astroCache, { recursive: true });
		const copied = { copied: cache.files, joined: [] };
		await writeFolder(unfinishedName(join(astroCache, PAGES)), copied, (done) =>
			onProgress('copied', files.copied.size + done, total),
		);
		await writeFile(unfinishedName(join(astroCache, MANIFEST)), cache.manifest);
	}
	const joined = unfinishedName(storeFile);
	const sources: StoreSource[] = shards.map(({ storeFile: file, name }) => ({ file, name, account }));
	// Events may have marked products in it since the shards began.
	if (hasFormer) sources.push({ file: storeFile, name: undefined, account: undefined });
	joinStores(joined, sources, now);
	writeLastBuild(storeFile, target.build, unfinishedName(lastBuildFile(storeFile)));
	const { size: bytes } = statSync(joined);
	writeReport(unfinishedName(reportFile), { ...report, store: { ...report.store, bytes } });
}

/** The store goes first. Of pages that are not there yet, it only says that their files were changed. */
async function replaceAll(
	{ storeFile, reportFile, outDir, astroCache }: Target,
	hasCache: boolean,
	former: FormerStore,
	now: number,
): Promise<void> {
	await former.replace(now);
	if (hasCache && astroCache !== undefined) {
		await replaceFolder(join(astroCache, PAGES));
		await replaceFile(join(astroCache, MANIFEST));
	}
	await replaceFolder(outDir);
	await replaceFile(lastBuildFile(storeFile));
	await replaceFile(reportFile);
}
