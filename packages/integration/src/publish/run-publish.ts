import { resolve } from 'node:path';
import { CommandError } from '../errors.js';
import { keepAlive } from '../session/keep-alive.js';
import type { LastBuild } from '../session/last-build.js';
import { lockOutput } from '../session/lock-output.js';
import { markProducts } from '../store/mark-products.js';
import { isUnusable } from '../store/open-database.js';
import { openExistingFile } from '../store/open-existing-file.js';
import { findProducts } from '../store/queries.js';
import { openOutput } from './open-output.js';
import { type GivenProducts, type PublishContext, publish } from './publish.js';
import { type Published, rebuildAll } from './published.js';
import { endRun } from './unfinished.js';

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
