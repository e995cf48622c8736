import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { commandError } from '../errors/catalog.js';
import { fullAddress } from '../pages/page.js';
import { readBuildChanges } from '../session/changed-products.js';
import { amount, count, nameProduct, plainLine, printableJson, reasonOf } from '../text/words.js';
import { tellIndexNow } from '../update/index-now.js';
import type { GivenFeeds } from '../update/renew-feeds.js';
import { type GivenProducts, runUpdate, type UpdateTarget } from '../update/update.js';
import type { UpdateResult } from '../update/update-products.js';
import { locateCache, rootOf } from './cache-file.js';
import type { CommandLine, OptionName, Options, Texts } from './options.js';
import { listed, misused, say, sayingProgress, secondsSince } from './terminal.js';

/** Set for the command of `--then`: path of the output folder, which the names of the changed files are relative to. */
const OUT_DIR = 'REVIEWS_OUT_DIR';

/** Address to tell changed pages to with `--index-now`, instead of `https://api.indexnow.org/indexnow`. */
const INDEX_NOW_ENDPOINT = 'INDEX_NOW_ENDPOINT';

/** Options that make sense only with `--cache-only`, and only without it. */
const OF_CACHE: readonly OptionName[] = ['redis', 'redis-env', 'config', 'mode'];
const OF_PAGES: readonly OptionName[] = [
	'then',
	'else',
	'index-now',
	'feeds',
	'dry-run',
	'cache-dir',
	'cache-file',
];

/** Those of them that make sense with `--feeds`, too. */
const OF_SITE: readonly OptionName[] = ['config', 'mode'];

/** Brings the cache and the built pages up to date, or with `--cache-only` the cache alone. */
export async function update(line: CommandLine): Promise<Texts> {
	const isCacheOnly = line.options['cache-only'] === true;
	const own = line.options.feeds ? OF_CACHE.filter((name) => !OF_SITE.includes(name)) : OF_CACHE;
	const misplaced = (isCacheOnly ? OF_PAGES : own).find((name) => line.options[name] !== undefined);
	if (misplaced) {
		throw misused(`--${misplaced} ${isCacheOnly ? 'makes no sense with' : 'needs'} --cache-only.`);
	}
	return isCacheOnly ? (await import('./update-cache.js')).updateCache(line) : updatePages(line);
}

/**
 * Updates the pages, runs the commands that were given, and sets the exit code: 0 if everything is up to date, 3 if pages
 * need a rebuild and none was run, 1 if the service failed for some product.
 */
async function* updatePages({ args, options }: CommandLine): AsyncIterable<string> {
	const { json, then: thenCommand, else: elseCommand, 'dry-run': isDryRun = false } = options;
	const startedAt = performance.now();
	const given = productsOf(args, options.all);
	const sayProgress = sayingProgress();
	const feeds = options.feeds ? await feedsOf(options) : undefined;
	const { result, target } = await runUpdate(given, {
		cacheFile: locateCache(options),
		root: options['cache-file'] === undefined ? rootOf(options) : undefined,
		isDryRun,
		feeds,
		tells: thenCommand !== undefined,
		warn: say,
		onWait: () => say('Waiting for another build or update to finish with the output folder.'),
		onProgress: (done, total) => sayProgress(() => `${amount(done)} of ${count(total, 'product')} done`),
	});
	if (json) yield `${printableJson(result)}\n`;
	else yield* describeUpdate(result, secondsSince(startedAt), isDryRun);
	const isLeft = result.rebuild.length > 0 && (elseCommand === undefined || isDryRun);
	process.exitCode = result.failed.length > 0 ? 1 : isLeft ? 3 : 0;
	if (isDryRun) return;
	try {
		if (thenCommand !== undefined && result.files.length > 0) {
			const input = result.files.map((file) => `${file}\n`).join('');
			await runShell('--then', thenCommand, { [OUT_DIR]: target?.folder ?? '' }, input);
			await target?.told();
		}
		// Only now, because a page may be online only after the command.
		if (options['index-now']) say(await tellChangedPages(target));
	} finally {
		// Whatever became of the files, the other pages need their build.
		if (elseCommand !== undefined && result.rebuild.length > 0) {
			await runShell('--else', elseCommand, changedFor(given));
		}
	}
}

/** Only the configuration has the product list, and functions. @throws CommandError if it has no such file */
async function feedsOf(options: Options): Promise<GivenFeeds> {
	const { loadSite } = await import('./site.js');
	const { feeds, products } = (await loadSite(options)).options;
	if (feeds.productRatings || feeds.ratings) return { feeds, products };
	throw misused('--feeds needs the option "feeds.productRatings" or "feeds.ratings" of productReviews().');
}

/** The products given as arguments, by whatever started this process, or else those that are marked. */
function productsOf(pids: readonly string[], all = false): GivenProducts {
	if (all) return 'all';
	if (pids.length > 0) return pids;
	const changed = readBuildChanges({ warn: say });
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

const MOST_LETTERS = 200;

/** Says what an update did: its files, one a line, and then what is left to do. */
function* describeUpdate(
	{ files, rebuild, unchanged, notShown, failed }: UpdateResult,
	seconds: number,
	isDryRun: boolean,
): Iterable<string> {
	yield* listed(files, (file) => plainLine(file, MOST_LETTERS));
	const changed = isDryRun ? 'would change' : 'changed';
	const same = unchanged.length > 0 ? `, ${count(unchanged.length, 'product')} the same as before` : '';
	yield `${count(files.length, 'file')} ${changed} in ${seconds.toFixed(2)} s${same}\n`;
	if (notShown.length > 0) {
		yield `${notShown.length === 1 ? 'This product is' : 'These products are'} on no page, so check the id:\n`;
		yield* listed(notShown, nameProduct);
	}
	if (rebuild.length > 0) {
		const all = rebuild.some(({ page }) => page === null);
		const some = rebuild.length === 1 ? 'One page needs' : `${amount(rebuild.length)} pages need`;
		yield `${all ? 'All pages need' : some} a rebuild:\n`;
		yield* listed(rebuild, ({ page, reason }) =>
			page === null ? reason : `${plainLine(page, MOST_LETTERS)}: ${reason}`,
		);
	}
	if (failed.length > 0) {
		yield `The service failed for ${count(failed.length, 'product')}, whose reviews were left as they are:\n`;
		yield* listed(failed, ({ pid, reason }) => `${nameProduct(pid)} ${plainLine(reason, MOST_LETTERS)}`);
	}
}

/**
 * Tells IndexNow exactly the pages that an update changed, or the address in INDEX_NOW_ENDPOINT.
 * @returns a sentence for people: what it was told, or why not. A failure is never one of the update.
 */
async function tellChangedPages(target: UpdateTarget | undefined): Promise<string> {
	const { folder, build, pages } = target ?? {};
	if (!folder || !build || !pages?.size) return 'IndexNow was not told anything: no page changed.';
	const { site, base } = build;
	if (site === undefined) return `${NOT_TOLD} the Astro configuration has no "site". Set it, and build once.`;
	try {
		const key = await findKey(folder);
		if (key === undefined) return `${NOT_TOLD} ${NO_KEY}`;
		const addresses = [...pages].map((page) => fullAddress(page, site)).toSorted();
		const keyLocation = fullAddress(`${base}/${key}.txt`.replace(/\/+/g, '/'), site);
		const endpoint = process.env[INDEX_NOW_ENDPOINT];
		const { told, problem } = await tellIndexNow(addresses, { endpoint, fetch, key, keyLocation });
		if (problem === undefined) return `IndexNow was told ${count(told, 'page')}.`;
		const start =
			told > 0 ? `IndexNow was told only ${amount(told)} of ${amount(addresses.length)} pages:` : NOT_TOLD;
		return `${start} ${plainLine(problem, MOST_LETTERS)}.`;
	} catch (error) {
		return `${NOT_TOLD} ${plainLine(reasonOf(error), MOST_LETTERS)}.`;
	}
}

const NOT_TOLD = 'IndexNow was not told what changed:';

const NO_KEY =
	'the output folder has no key. Add a file <key>.txt to the folder "public" with the key as its content, ' +
	'8 to 128 letters, digits and dashes, and build once.';

/** The name of a key's file, by the protocol of IndexNow. */
const NAME = /^([a-zA-Z0-9-]{8,128})\.txt$/;

/** Longest file that may be one of a key, in bytes: other texts are not read. */
const MOST_KEY_BYTES = 200;

/** Finds the key for IndexNow in the output folder: a text file whose content is its name. */
async function findKey(folder: string): Promise<string | undefined> {
	for (const name of (await readdir(folder)).toSorted()) {
		const [, key] = NAME.exec(name) ?? [];
		const path = join(folder, name);
		if (key === undefined || (await stat(path)).size > MOST_KEY_BYTES) continue;
		if ((await readFile(path, 'utf8')).trim() === key) return key;
	}
	return undefined;
}
