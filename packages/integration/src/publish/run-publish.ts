import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError } from '../errors.js';
import { resolveConnection } from '../options/connection.js';
import {
	digestOfConfig,
	isBuiltHere,
	type LastBuild,
	readLastBuild,
	type WrittenBuild,
} from '../session/last-build.js';
import { lockOutput } from '../session/lock-output.js';
import { keepAlive } from '../session/run-context.js';
import { markProducts } from '../store/mark-products.js';
import { isUnusable, openExistingFile } from '../store/open-database.js';
import { openStore } from '../store/open-store.js';
import type { ReviewStore } from '../store/review-store.js';
import { findProducts } from '../store/rows.js';
import { pack } from '../store/values.js';
import { plainLine } from '../text/words.js';
import { VERSION } from '../version.js';
import { type GivenProducts, type PublishContext, publish } from './publish.js';

/** How long a publish waits for a build or another publish, in milliseconds: 10 minutes. */
const PATIENCE = 600_000;

/** What a publish is run with. */
export interface RunContext extends Omit<PublishContext, 'build'> {
	/** Folder of the project, if it is known: a build of another one is left alone. */
	readonly root?: string | undefined;
	/** Called if another process holds the output folder. */
	readonly onWait: () => void;
}

/** What was published, and where. */
export interface PublishResult {
	readonly published: Published;
	/** Where; `undefined` if it is unknown. */
	readonly target?: PublishTarget;
}

/** What was published to. */
export interface PublishTarget {
	/** Absolute path of the output folder. */
	readonly folder: string;
	readonly build: LastBuild;
	/** Pages whose files were replaced: readable paths of their addresses. */
	readonly pages: ReadonlySet<string>;
	/** Call after somebody was told of the files. */
	readonly told: () => Promise<void>;
}

/**
 * Publishes while no other process changes the output folder.
 * @throws Error if another process holds the folder for 10 minutes, if the store cannot be read, or if a file cannot be
 * written.
 * @throws ProductReviewsConfigurationError if the build had a token and there is none now.
 */
export async function runPublish(given: GivenProducts, context: RunContext): Promise<PublishResult> {
	try {
		return await publishAlone(given, context);
	} catch (error) {
		try {
			markGiven(given, context);
		} catch {
			// The first error is the one to report.
		}
		throw error;
	}
}

async function publishAlone(given: GivenProducts, context: RunContext): Promise<PublishResult> {
	const { storeFile, root, onWait } = context;
	const known = openOutput(storeFile, root);
	if ('reason' in known && known.outDir === undefined) return leaveAll(given, known.reason, context);
	const outDir = 'build' in known ? resolve(known.build.root, known.build.outDir) : (known.outDir ?? '');
	// A build that has not finished may be one that is running.
	const unlock = await lockOutput({ storeFile, outDir, patience: PATIENCE, onWait });
	if (!unlock) {
		throw new CommandError(
			'PR_OUTPUT_BUSY',
			'Another build or publish has held the output folder for 10 minutes.',
			'End it, and publish again.',
		);
	}
	try {
		// A build may have finished in the meantime.
		const opened = openOutput(storeFile, root);
		if ('reason' in opened) return leaveAll(given, opened.reason, context);
		const { build } = opened;
		const { published, pages, run } = await keepAlive(publish(given, { ...context, build }));
		const folder = resolve(build.root, build.folder);
		const told = async () => (run === undefined ? undefined : endRun(run, storeFile, build));
		return { published, target: { folder, build, pages: new Set(pages.keys()), told } };
	} finally {
		unlock();
	}
}

type MarkContext = Pick<RunContext, 'storeFile' | 'isDryRun'>;

/** Leaves everything to the next build. */
function leaveAll(given: GivenProducts, reason: string, context: MarkContext): PublishResult {
	markGiven(given, context);
	return { published: rebuildAll(reason) };
}

/** Whoever knows what changed may not say it again, so the store keeps it. */
function markGiven(given: GivenProducts, { storeFile, isDryRun }: MarkContext): void {
	if (isDryRun || given === 'marked') return;
	try {
		const database = openExistingFile(storeFile);
		try {
			markProducts(database, given === 'all' ? findProducts(database) : given, Date.now());
		} finally {
			database.close();
		}
	} catch (error) {
		// Without a store, the next build asks for everything anyway.
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !isUnusable(error)) throw error;
	}
}

/** What a publish did. */
export interface Published {
	/** Files that were replaced, with their compressed copies and sitemaps, relative to the output folder. */
	readonly files: readonly string[];
	/** Pages that need a rebuild, with the reason. `page` is `null` if that is every page. */
	readonly rebuild: readonly PageToRebuild[];
	/** Products that show the same everywhere. */
	readonly unchanged: readonly string[];
	/** Products that no page shows: an id may be mistyped. */
	readonly notShown: readonly string[];
	/** Products for which the service failed. Their pages are as they were. */
	readonly failed: readonly FailedProduct[];
}

export interface PageToRebuild {
	/** Path of its address. */
	readonly page: string | null;
	readonly reason: string;
}

export interface FailedProduct {
	readonly pid: string;
	readonly reason: string;
}

/** Everything needs a rebuild, for one reason. */
function rebuildAll(reason: string): Published {
	return { files: [], rebuild: [{ page: null, reason }], unchanged: [], notShown: [], failed: [] };
}

/** What the last build was, or why only a build can bring new reviews into its pages. */
export type OpenedOutput = { readonly build: LastBuild } | UnusableOutput;

interface UnusableOutput {
	readonly reason: string;
	/** Absolute path of the folder that the build writes, if it may be one that is running. */
	readonly outDir?: string;
}

/**
 * Reads what the last build was.
 * @param storeFile path of the store's file.
 * @param root of the project, if it is known.
 * @throws Error if its file cannot be read.
 */
export function openOutput(storeFile: string, root?: string): OpenedOutput {
	const build = readLastBuild(storeFile);
	if (!build?.options.publish) return { reason: NOTHING };
	if (!isBuiltHere(build, storeFile, root)) {
		const where = plainLine(build.root, MOST_LETTERS);
		return { reason: `the last build was made in another folder, ${where}: build once in this one` };
	}
	const reason = whyToBuild(build);
	return reason === undefined ? { build } : { reason, outDir: resolve(build.root, build.outDir) };
}

const MOST_LETTERS = 200;

function whyToBuild({
	isComplete,
	version,
	root,
	configFile,
	config,
	folder,
}: WrittenBuild): string | undefined {
	if (!isComplete) return 'the last build did not finish';
	if (version !== VERSION) {
		return `the last build was made with version ${plainLine(version, MOST_LETTERS)} of astro-product-reviews, this is ${VERSION}`;
	}
	if (config !== digestOfConfig(root, configFile)) {
		return 'the Astro configuration has changed since the last build';
	}
	return existsSync(resolve(root, folder)) ? undefined : 'the output folder of the last build is gone';
}

const NOTHING =
	'no build has kept where its reviews are: set the option "publish" of productReviews() to true, and build once';

/** Key of the products that a run which was killed, a dry run, or one that could tell nobody, leaves to the next one. */
const UNFINISHED = 'unfinished';

interface UnfinishedRun {
	readonly run: string;
	readonly pids: readonly string[];
	/** Whether somebody is still to be told of files. A run that tells nobody leaves that to one that does. */
	readonly isUntold: boolean;
}

/** What earlier runs have left. */
export interface Unfinished {
	readonly pids: readonly string[];
	/**
	 * When the first of them began, in milliseconds since 1970. Pages that it wrote are not written again, but nobody may know
	 * of them, and their sitemap may still be as it was.
	 */
	readonly since: number;
	/** Begins a run of these products. @param tells whether somebody is to be told of its files. @returns what identifies it */
	begin(pids: readonly string[], tells: boolean): string;
	/** Ends a run, unless another one has begun since: that one has the same products. @param isTold whether somebody was told */
	end(run: string, isTold: boolean): void;
}

/**
 * @param builtAt when the last build ended, which brings all files to whoever is told, in milliseconds since 1970.
 * @param now milliseconds since 1970.
 */
export function openUnfinished(store: ReviewStore, builtAt: number, now: number): Unfinished {
	const table = store.table<UnfinishedRun>('output');
	const { value, fetchedAt = now } = table.get(UNFINISHED) ?? {};
	const pids = value?.pids ?? [];
	const since = pids.length > 0 ? fetchedAt : now;
	const wasUntold = value?.isUntold === true && since >= builtAt;
	return {
		pids,
		since,
		begin(given, tells) {
			const run = randomUUID();
			table.put(UNFINISHED, pack({ run, pids: given, isUntold: tells || wasUntold }), since);
			store.flush();
			return run;
		},
		end(run, isTold) {
			const { value: begun } = table.get(UNFINISHED) ?? {};
			if (begun?.run !== run || (begun.isUntold && !isTold)) return;
			table.put(UNFINISHED, pack({ run: '', pids: [], isUntold: false }), Date.now());
		},
	};
}

/** Ends a run after somebody was told of its files. If another one has begun, that one ends both. */
async function endRun(run: string, storeFile: string, build: LastBuild): Promise<void> {
	const { root, baseUrl, wsid } = build;
	const outDir = resolve(root, build.outDir);
	const unlock = await lockOutput({ storeFile, outDir, patience: 0, onWait: () => {} });
	if (!unlock) return;
	const store = openStore(storeFile, resolveConnection({ baseUrl, wsid }, {}).account, () => {});
	try {
		openUnfinished(store, build.at, Date.now()).end(run, true);
	} finally {
		store.close();
		unlock();
	}
}
