import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
	age,
	amount,
	count,
	isoTime,
	nameProduct,
	nameProducts,
	plainLine,
	printableJson,
	reasonOf,
	size,
} from '../base/words.js';
import { isUnusable, openExistingFile, SQLITE_BUSY, sqliteCode } from '../cache/open-database.js';
import {
	countParts,
	deleteProducts,
	findAccounts,
	findProduct,
	findProducts,
	type ListedPart,
	listParts,
	markProducts,
	type StoredProduct,
	type Totals,
} from '../cache/queries.js';
import { CommandError } from '../errors.js';
import { findCache } from '../project/manifest.js';
import { readPacked } from '../records/packed.js';
import { commandError } from './catalog.js';
import { type CommandLine, misused, namePath, type Options, rootOf, say } from './terminal.js';

/** Returns the absolute path of the file of the project's cache, or of the one that the command line names. */
export function locateCache(options: Options): string {
	const { 'cache-file': given } = options;
	if (given !== undefined) return resolve(given);
	const { file, notice } = findCache(rootOf(options));
	if (notice !== undefined) say(notice);
	return file;
}

/**
 * Opens the existing file of a cache for an action, and closes it when everything is printed or the reader stops.
 * @throws CommandError that says what is wrong with the file, and what to do.
 */
function* useCache(options: Options, action: (database: DatabaseSync) => Iterable<string>): Iterable<string> {
	const file = locateCache(options);
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(file);
		yield* action(database);
	} catch (cause) {
		throw explainFailure(cause, file);
	} finally {
		database?.close();
	}
}

/** Says what is wrong with the file of a cache. @returns other errors as they are */
export function explainFailure(thrown: unknown, file: string): Error {
	const cause = thrown as NodeJS.ErrnoException;
	const name = namePath(file);
	if (cause instanceof CommandError) return cause;
	if (cause.code === 'ENOENT') return commandError('PR_CACHE_MISSING', `There is no cache at ${name}.`);
	const sqlite = sqliteCode(cause);
	if (sqlite === SQLITE_BUSY)
		return commandError('PR_CACHE_BUSY', `The cache at ${name} is in use: ${cause.message}.`, cause);
	if (cause.syscall === undefined && sqlite === undefined && !isUnusable(cause)) return cause;
	const message = `The file at ${name} cannot be used as a cache: ${reasonOf(cause)}. It was left unchanged.`;
	return commandError('PR_CACHE_UNUSABLE', message, cause);
}

/** Prints a line for each cached product, and the totals of the whole cache in the last line. */
export function listProducts({ options }: CommandLine): Iterable<string> {
	const { json, limit: given } = options;
	const limit = given === undefined ? undefined : Number(given);
	if (limit !== undefined && !(/^\d+$/.test(given ?? '') && limit >= 1 && Number.isSafeInteger(limit)))
		throw misused(`--limit takes a whole number from 1, not "${given}".`);
	return useCache(options, function* (database) {
		const accounts = findAccounts(database);
		const totals = countParts(database);
		const rows = listParts(database, limit);
		yield* json ? listAsJson(rows, totals) : listAsLines(rows, totals, accounts.length > 1);
	});
}

function* listAsLines(
	rows: Iterable<ListedPart>,
	{ products, records, reviewData, bytes: total, stale }: Totals,
	hasAccounts: boolean,
): Iterable<string> {
	const now = Date.now();
	let printed = 0;
	for (const { account, part, pid, state, fetched_at, bytes } of rows) {
		printed += 1;
		const cells = [
			plainLine(state, 7).padEnd(7),
			age(now - fetched_at).padStart(8),
			size(bytes).padStart(8),
			...(reviewData > 0 ? [part.padEnd('review-data'.length)] : []),
			// The first letters of an account's name, which reveal nothing about the service.
			...(hasAccounts ? [plainLine(account, 60).slice(0, 8).padEnd(8)] : []),
			// The last column may be of any length, as ids are.
			nameProduct(pid),
		];
		yield `${cells.join('  ')}\n`;
	}
	if (records > printed) yield `and ${amount(records - printed)} more\n`;
	yield `${count(products, 'product')}, ${size(total)}, ${amount(stale)} stale\n`;
}

/** Writes one document with a product on each line. */
function* listAsJson(rows: Iterable<ListedPart>, { products, bytes: total, stale }: Totals) {
	let before = '{"products":[\n';
	for (const { account, part, pid, state, fetched_at, bytes } of rows) {
		yield before + printableJson({ pid, kind: part, state, fetchedAt: isoTime(fetched_at), bytes, account });
		before = ',\n';
	}
	yield `${before === ',\n' ? '\n' : before}],"totals":${printableJson({ products, bytes: total, stale })}}\n`;
}

/** Prints everything cached of a product, as JSON. @throws CommandError if nothing is cached */
export function showProduct({ args: [pid = ''], options }: CommandLine): Iterable<string> {
	return useCache(options, function* (database) {
		const rows = findProduct(database, pid);
		if (rows.length === 0) throw notCached(`The product ${nameProduct(pid)} is not in the cache.`);
		yield `${printableJson({ pid, kept: rows.map(toJson) }, '\t')}\n`;
	});
}

function notCached(message: string): CommandError {
	const hint = 'List what is cached with "astro-product-reviews cache ls".';
	return new CommandError('PR_NOT_CACHED', message, hint);
}

function toJson(row: StoredProduct) {
	const { account, part, digest, fetched_at, used_at, state, validators, value } = row;
	return {
		kind: part,
		account,
		fetchedAt: isoTime(fetched_at),
		usedAt: isoTime(used_at),
		state,
		digest,
		bytes: value.length,
		hasValidators: validators !== null,
		...recordOf(row),
	};
}

/** Reports a damaged value as unreadable, so that the rest of the product can still be shown. */
function recordOf(row: StoredProduct): { record?: unknown; unreadable?: string } {
	try {
		if (!row.isIntact) return { unreadable: 'its entry is damaged' };
		return { record: readPacked(row.part, row) };
	} catch (error) {
		return { unreadable: (error as Error).message };
	}
}

/**
 * Deletes everything that is cached of products, of all accounts. The cache still knows what pages showed: a page is rendered
 * again only if the next build fetches something different.
 * @throws CommandError if none of the products is cached.
 */
export function clearProducts({ args: pids, options }: CommandLine): Iterable<string> {
	return useCache(options, function* (database) {
		const unknown = deleteProducts(database, pids);
		if (unknown.length === pids.length) {
			throw notCached(`Not in the cache: ${nameProducts(unknown)}.`);
		}
		const cleared = count(pids.length - unknown.length, 'product');
		yield `Removed ${cleared}. The next build that needs them fetches them.\n`;
		if (unknown.length > 0) yield `Not in the cache: ${nameProducts(unknown)}.\n`;
	});
}

/**
 * Marks products as changed, for every account that has them. The next build asks the service for them again, and so does
 * a running dev server when a page next shows them. The answer is accepted even if many products have lost their reviews.
 */
export function invalidateProducts({ args, options }: CommandLine): Iterable<string> {
	return useCache(options, function* (database) {
		const pids = options.all ? findProducts(database) : args;
		const unknown = markProducts(database, pids, 'person');
		if (options.json) {
			const missing = new Set(unknown);
			yield `${printableJson({ marked: pids.filter((pid) => !missing.has(pid)), unknown })}\n`;
			return;
		}
		const marked = pids.length - unknown.length;
		if (marked > 0)
			yield `Marked ${count(marked, 'product')}. The next build fetches them again, and "astro dev" on the next visit.\n`;
		if (pids.length === 0) yield 'The cache has no product to mark.\n';
		if (unknown.length > 0)
			yield `Not in the cache, and fetched by the next build anyway: ${nameProducts(unknown)}.\n`;
	});
}
