import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandError } from '../../errors.js';
import { fullAddress } from '../../pages/page.js';
import { readBuildChanges } from '../../session/changed-products.js';
import { amount, count, nameProduct, plainLine, printableJson, reasonOf } from '../../text/words.js';
import { tellIndexNow } from '../../update/index-now.js';
import { type GivenProducts, runUpdate, type UpdateTarget } from '../../update/update.js';
import type { PageToRebuild, UpdateResult } from '../../update/update-products.js';
import { locateStore } from './locate-store.js';
import type { CommandLine } from './read-command.js';

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
	const { result: published, target } = await runUpdate(given, {
		storeFile,
		root: command.place.store === undefined ? resolve(run.cwd(), command.place.root ?? '.') : undefined,
		isDryRun,
		tells: thenCommand !== undefined,
		warn,
		onWait: () => warn('Waiting for another build or update to finish with the output folder.'),
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
	{ files }: UpdateResult,
	target: UpdateTarget | undefined,
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

function exitCodeOf({ failed, rebuild }: UpdateResult, isRebuilt: boolean): number {
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

/** What a shell command gets. */
interface ShellContext {
	/** Text on its standard input. @default that of this process */
	readonly input?: string;
	/** Variables besides those of this process. */
	readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs a shell command until it ends. All of its output goes to standard error: ours is for the result.
 * @param option that it was given with, for the message.
 * @throws CommandError if it fails, or Error if it cannot be started.
 */
async function runShell(
	option: string,
	command: string,
	{ input, environment }: ShellContext,
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
	throw new CommandError(
		'PR_COMMAND_FAILED',
		`The command of ${option} ended with ${signal ?? `code ${code}`}.`,
		'Its output is above.',
	);
}

/** Lines of one kind; --json has all of them. */
const MOST_LISTED = 20;

const MOST_LETTERS = 200;

/**
 * Says what a publish did: its files, one a line, and then what is left to do.
 * @param seconds how long it took.
 */
function* describePublished(
	{ files, rebuild, unchanged, notShown, failed }: UpdateResult,
	{ seconds, isDryRun }: { readonly seconds: number; readonly isDryRun: boolean },
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
		yield `${rebuild.some(({ page }) => page === null) ? 'All pages need' : needs(rebuild.length)} a rebuild:\n`;
		yield* listed(rebuild, describeRebuild);
	}
	if (failed.length > 0) {
		yield `The service failed for ${count(failed.length, 'product')}, whose reviews were left as they are:\n`;
		yield* listed(failed, ({ pid, reason }) => `${nameProduct(pid)} ${plainLine(reason, MOST_LETTERS)}`);
	}
}

function describeRebuild({ page, reason }: PageToRebuild): string {
	return page === null ? reason : `${plainLine(page, MOST_LETTERS)}: ${reason}`;
}

function needs(pages: number): string {
	return pages === 1 ? 'One page needs' : `${amount(pages)} pages need`;
}

function* listed<Item>(items: readonly Item[], describe: (item: Item) => string): Iterable<string> {
	for (const item of items.slice(0, MOST_LISTED)) yield `  ${describe(item)}\n`;
	const more = items.length - MOST_LISTED;
	if (more > 0) yield `  and ${amount(more)} more: see --json\n`;
}

/** What the command `publish` tells IndexNow with. */
interface TellContext {
	/** Other than the one that the protocol recommends. */
	readonly endpoint: string | undefined;
	readonly fetch: typeof fetch;
}

/**
 * Tells IndexNow exactly the pages that a publish changed.
 * @returns a sentence for people: what it was told, or why not. A failure is never one of the publish.
 */
async function tellChangedPages(
	target: Omit<UpdateTarget, 'told'> | undefined,
	context: TellContext,
): Promise<string> {
	const { folder, build, pages } = target ?? {};
	if (!folder || !build || !pages?.size) return 'IndexNow was not told anything: no page changed.';
	const { site, base } = build;
	if (site === undefined) return `${NOT_TOLD} the Astro configuration has no "site". Set it, and build once.`;
	try {
		const key = await findKey(folder);
		if (key === undefined) return `${NOT_TOLD} ${NO_KEY}`;
		const addresses = [...pages].map((page) => fullAddress(page, site)).toSorted();
		const keyLocation = fullAddress(`${base}/${key}.txt`.replace(/\/+/g, '/'), site);
		const { told, problem } = await tellIndexNow(addresses, { ...context, key, keyLocation });
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

/**
 * Finds the key for IndexNow: a text file whose content is its name.
 * @param folder the output folder.
 * @returns `undefined` if there is none.
 */
async function findKey(folder: string): Promise<string | undefined> {
	for (const name of (await readdir(folder)).toSorted()) {
		const [, key] = NAME.exec(name) ?? [];
		const path = join(folder, name);
		if (key === undefined || (await stat(path)).size > MOST_KEY_BYTES) continue;
		if ((await readFile(path, 'utf8')).trim() === key) return key;
	}
	return undefined;
}
