import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { amount, count, nameProduct, plainLine, printableJson } from '../base/words.js';
import type { GivenFeeds } from '../feeds/write-feeds.js';
import { readBuildChanges } from '../project/changed-products.js';
import { quote } from '../project/manifest.js';
import { type GivenProducts, runUpdate, type UpdateResult } from '../update/update.js';
import { locateCache } from './cache.js';
import { commandError } from './catalog.js';
import { type CommandLine, listed, misused, type Options, rootOf, say, sayingProgress } from './terminal.js';

/** Set for the command of `--then`: path of the output folder, which the names of the changed files are relative to. */
const OUT_DIR = 'REVIEWS_OUT_DIR';

/**
 * Updates the pages, runs the commands that were given, and sets the exit code: 0 if everything is up to date, 3 if pages
 * need a rebuild and none was run, 1 if the service failed for some product.
 */
export async function* update({ args, options }: CommandLine): AsyncIterable<string> {
	const { json, then: thenCommand, else: elseCommand, 'dry-run': isDryRun = false } = options;
	const forFeeds = (['config', 'mode'] as const).find((name) => options[name] !== undefined);
	if (forFeeds && !options.feeds) throw misused(`--${forFeeds} needs --feeds.`);
	const startedAt = performance.now();
	const given = productsOf(args, options.all);
	const sayProgress = sayingProgress();
	const feeds = options.feeds ? await feedsOf(options) : undefined;
	const { result, target } = await runUpdate(given, {
		cacheFile: locateCache(options),
		root: options['cache-file'] === undefined ? rootOf(options) : undefined,
		isDryRun,
		feeds,
		warn: say,
		onProgress: (done, total) => sayProgress(() => `${amount(done)} of ${count(total, 'product')} done`),
	});
	if (json) yield `${printableJson(result)}\n`;
	else {
		yield* describeUpdate(result, (performance.now() - startedAt) / 1_000, isDryRun);
		const isIdle = given === 'marked' && Object.values(result).every((list) => list.length === 0);
		if (isIdle) yield NOTHING_NAMED;
	}
	const isLeft = result.rebuild.length > 0 && (elseCommand === undefined || isDryRun);
	process.exitCode = result.failed.length > 0 ? 1 : isLeft ? 3 : 0;
	if (isDryRun) return;
	try {
		if (thenCommand !== undefined && target && target.undelivered.length > 0) {
			const input = target.undelivered.map((file) => `${file}\n`).join('');
			await runShell('--then', thenCommand, { [OUT_DIR]: target.folder }, input);
			target.deliver();
		}
	} finally {
		// Whatever became of the files, the other pages need their build.
		if (elseCommand !== undefined && result.rebuild.length > 0) {
			await runShell('--else', elseCommand, changedFor(given));
		}
	}
}

const NOTHING_NAMED =
	'No product is named, and none is marked as changed. Name products, as in "update p-1", or use --all.\n';

/**
 * Loads the feeds from the configuration: only there are the product list and functions.
 * @throws CommandError if the project has no such file
 */
async function feedsOf(options: Options): Promise<GivenFeeds> {
	const { loadSite } = await import('./site.js');
	const { feeds, products } = (await loadSite(options)).options;
	if (feeds.productRatings || feeds.ratings) return { feeds, products };
	throw misused('--feeds needs the option "feeds.productRatings" or "feeds.ratings" of productReviews().');
}

/** Returns the products given as arguments or by the process that started this one, or else the marked products. */
function productsOf(pids: readonly string[], all = false): GivenProducts {
	if (all) return 'all';
	if (pids.length > 0) return pids;
	const changed = readBuildChanges({ warn: say });
	if (changed.all) return 'all';
	return changed.pids.length > 0 ? changed.pids : 'marked';
}

/** Linux allows no more than 128 KiB for the value of a variable. */
const MAX_BYTES = 100_000;

/** Tells a build which products changed. */
function changedFor(given: GivenProducts): Record<string, string> {
	if (given === 'marked') return {};
	const pids = given === 'all' ? given : JSON.stringify(given);
	return { REVIEWS_CHANGED: Buffer.byteLength(pids) > MAX_BYTES ? 'all' : pids };
}

/**
 * Runs the shell command of an option until it ends. All of its output goes to standard error: ours is for the result.
 * @param input text on its standard input; by default, it has that of this process.
 * @throws CommandError if it fails, or Error if it cannot be started.
 */
async function runShell(
	option: string,
	command: string,
	environment: Readonly<Record<string, string>>,
	input?: string,
): Promise<void> {
	const child = spawn(command, {
		shell: true,
		env: { ...process.env, ...environment },
		stdio: [input === undefined ? 'inherit' : 'pipe', 2, 2],
	});
	// A command that does not read all of it is none of our business.
	child.stdin?.on('error', () => {}).end(input);
	const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
	if (code === 0) return;
	throw commandError('PR_COMMAND_FAILED', `The command of ${option} ended with ${signal ?? `code ${code}`}.`);
}

/** In UTF-16 code units. */
const MAX_LENGTH = 200;

/** Says what an update did: its files, one a line, and then what is left to do. */
function* describeUpdate(
	{ files, copies, rebuild, unchanged, notShown, failed }: UpdateResult,
	seconds: number,
	isDryRun: boolean,
): Iterable<string> {
	yield* listed(files, (file) => plainLine(file, MAX_LENGTH));
	const changed = isDryRun ? 'would change' : 'changed';
	const same = unchanged.length > 0 ? `, ${count(unchanged.length, 'product')} the same as before` : '';
	yield `${count(files.length, 'file')} ${changed} in ${seconds.toFixed(2)} s${same}\n`;
	if (copies.length > 0) yield `The same in ${copies.map(quote).join(' and ')}.\n`;
	if (notShown.length > 0) {
		yield `${notShown.length === 1 ? 'This product is' : 'These products are'} on no page, so check the id:\n`;
		yield* listed(notShown, nameProduct);
	}
	if (rebuild.length > 0) {
		const all = rebuild.some(({ page }) => page === null);
		const some = rebuild.length === 1 ? 'One page needs' : `${amount(rebuild.length)} pages need`;
		yield `${all ? 'All pages need' : some} a rebuild:\n`;
		yield* listed(rebuild, ({ page, reason }) =>
			page === null ? reason : `${plainLine(page, MAX_LENGTH)}: ${reason}`,
		);
	}
	if (failed.length > 0) {
		yield `The service failed for ${count(failed.length, 'product')}, whose reviews were left as they are:\n`;
		yield* listed(failed, ({ pid, reason }) => `${nameProduct(pid)} ${plainLine(reason, MAX_LENGTH)}`);
	}
}
