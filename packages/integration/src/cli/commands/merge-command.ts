import { resolve } from 'node:path';
import { amount, count, plainLine, printableJson } from '../../text/words.js';
import { type Merged, mergeShards } from '../merge/merge-shards.js';
import { loadOwnSite } from '../merge/target.js';
import { namePath, onStandardError, sitePlace } from './locate-store.js';
import type { CommandLine } from './read-command.js';

/** Progress is shown this often at most, in milliseconds. */
const PAUSE = 1_000;

const MOST_LETTERS = 200;

type Process = Pick<typeof process, 'stderr' | 'cwd'>;

/**
 * Joins the builds of all shards of a site.
 * @returns texts to print.
 * @throws CommandError if they do not fit together, or cannot be written.
 */
export async function* mergeCommand(
	{ pids: folders, place, out, json, isDryRun }: CommandLine,
	run: Process,
): AsyncIterable<string> {
	const startedAt = performance.now();
	const warn = (message: string) => void run.stderr.write(`${message}\n`);
	const cwd = run.cwd();
	const named = (folder: string) => {
		const path = resolve(cwd, folder);
		return { path, name: path === cwd ? 'the working directory' : namePath(path, cwd) };
	};
	const merged = await mergeShards({
		shards: [...new Set(folders.map((folder) => resolve(cwd, folder)))].map(named),
		target: named(out ?? place.root ?? '.'),
		site: await onStandardError(() => loadOwnSite(sitePlace(place, cwd))),
		isDryRun,
		now: Date.now(),
		onWait: () => warn('Waiting for another build or update to finish with the output folder.'),
		onProgress: showProgress(warn),
	});
	const seconds = (performance.now() - startedAt) / 1_000;
	if (json) yield `${printableJson({ ...merged })}\n`;
	else yield* describeMerged(merged, { cwd, seconds, isDryRun });
}

function* describeMerged(
	{ shards, files, joined, products, canPublish, outDir }: Merged,
	{ cwd, seconds, isDryRun }: { cwd: string; seconds: number; isDryRun: boolean },
): Iterable<string> {
	const fit = isDryRun ? 'fit together' : 'joined';
	yield `${count(shards, 'shard')} ${fit} in ${seconds.toFixed(2)} s: ${count(files, 'file')}, ${count(products, 'product')}\n`;
	if (joined.length > 0) {
		yield `Joined from all shards: ${joined.map((name) => plainLine(name, MOST_LETTERS)).join(', ')}\n`;
	}
	yield `Output: ${namePath(outDir, cwd)}${isDryRun ? ', not written' : ''}\n`;
	if (!canPublish) yield 'To publish into it, build the shards with the option "publish".\n';
}

function showProgress(
	warn: (message: string) => void,
): (what: 'compared' | 'copied', done: number, total: number) => void {
	let shownAt = performance.now();
	return (what, done, total) => {
		if (performance.now() - shownAt < PAUSE) return;
		shownAt = performance.now();
		warn(`${amount(done)} of ${count(total, 'file')} ${what}`);
	};
}
