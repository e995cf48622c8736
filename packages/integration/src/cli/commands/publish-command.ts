import { resolve } from 'node:path';
import { readBuildChanges } from '../../build/read-build-changes.js';
import type { GivenProducts } from '../../publish/publish.js';
import type { Published } from '../../publish/published.js';
import { type PublishTarget, runPublish } from '../../publish/run-publish.js';
import { printableJson } from '../../text/clean-text.js';
import { amount, count } from '../../text/words.js';
import { describePublished } from './describe-published.js';
import { locateStore } from './locate-store.js';
import type { CommandLine } from './read-command.js';
import { runShell } from './run-shell.js';
import { tellChangedPages } from './tell-changed-pages.js';

/** The service failed, or a command did. */
const FAILED = 1;
/** Some pages need a rebuild, and none was run. */
const INCOMPLETE = 3;

/** Set for the command of `--then`: path of the output folder, which the names of the changed files are relative to. */
const OUT_DIR = 'REVIEWS_OUT_DIR';

/** Address to tell changed pages to with `--index-now`, instead of `https://api.indexnow.org/indexnow`. */
const INDEX_NOW_ENDPOINT = 'INDEX_NOW_ENDPOINT';

/** Progress is shown this often at most, in milliseconds. */
const PAUSE = 1_000;

type Process = Pick<typeof process, 'env' | 'stderr' | 'cwd'> & {
	exitCode?: number | string | null | undefined;
};

/**
 * Publishes, runs the commands that were given, and sets the exit code: 0 if everything is published, 3 if pages need a
 * rebuild and none was run, 1 if the service failed for some product.
 * @returns texts to print.
 */
export async function* publishCommand(command: CommandLine, run: Process): AsyncIterable<string> {
	const { json, isDryRun, thenCommand, elseCommand, indexNow } = command;
	const startedAt = performance.now();
	const warn = (message: string) => void run.stderr.write(`${message}\n`);
	const { store: storeFile } = locateStore(command.place, run.cwd());
	const given = productsOf(command, warn);
	const { published, target } = await runPublish(given, {
		storeFile,
		root: command.place.store === undefined ? resolve(run.cwd(), command.place.root ?? '.') : undefined,
		isDryRun,
		tells: thenCommand !== undefined,
		warn,
		onWait: () => warn('Waiting for another build or publish to finish with the output folder.'),
		onProgress: showProgress(warn),
	});
	const seconds = (performance.now() - startedAt) / 1_000;
	if (json) yield `${printableJson({ ...published })}\n`;
	else yield* describePublished(published, { seconds, isDryRun });
	run.exitCode = exitCodeOf(published, elseCommand !== undefined && !isDryRun);
	if (isDryRun) return;
	try {
		await deliver(thenCommand, published, target);
		// Only now, because a page may be online only after the command.
		if (indexNow) warn(await tellChangedPages(target, { endpoint: run.env[INDEX_NOW_ENDPOINT], fetch }));
	} finally {
		// Whatever became of the files, the other pages need their build.
		if (elseCommand !== undefined && published.rebuild.length > 0) {
			await runShell('--else', elseCommand, { environment: changedFor(given) });
		}
	}
}

/** Runs the command of --then with the changed files. */
async function deliver(
	command: string | undefined,
	{ files }: Published,
	target: PublishTarget | undefined,
): Promise<void> {
	if (command === undefined || files.length === 0) return;
	await runShell('--then', command, {
		input: files.map((file) => `${file}\n`).join(''),
		environment: { [OUT_DIR]: target?.folder ?? '' },
	});
	await target?.told();
}

/** The products given as arguments or on standard input, by whatever started this process, or else those that are marked. */
function productsOf({ pids, isAll }: CommandLine, warn: (message: string) => void): GivenProducts {
	if (isAll) return 'all';
	if (pids.length > 0) return pids;
	const changed = readBuildChanges({ warn });
	if (changed.all) return 'all';
	return changed.pids.length > 0 ? changed.pids : 'marked';
}

/** Longest value of a variable, in bytes. Linux allows no more than 128 KiB. */
const MOST_BYTES = 100_000;

/** Tells a build which products changed. */
function changedFor(given: GivenProducts): Record<string, string> {
	if (given === 'marked') return {};
	const pids = given === 'all' ? given : JSON.stringify(given);
	return { REVIEWS_CHANGED: Buffer.byteLength(pids) > MOST_BYTES ? 'all' : pids };
}

function exitCodeOf({ failed, rebuild }: Published, isRebuilt: boolean): number {
	if (failed.length > 0) return FAILED;
	return rebuild.length > 0 && !isRebuilt ? INCOMPLETE : 0;
}

function showProgress(warn: (message: string) => void): (done: number, total: number) => void {
	let shownAt = performance.now();
	return (done, total) => {
		if (performance.now() - shownAt < PAUSE) return;
		shownAt = performance.now();
		warn(`${amount(done)} of ${count(total, 'product')} done`);
	};
}
