import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { REPORT_PAGE_FILE } from '../../constants.js';
import { CommandError } from '../../errors.js';
import { type CondensedRecord, restoreRecord } from '../../parse/record.js';
import { summarize } from '../../report/log.js';
import { type BuildReport, readReport } from '../../report/report.js';
import { markProducts } from '../../store/mark-products.js';
import { mendMarks } from '../../store/row-upkeep.js';
import {
	findAccounts,
	findProduct,
	findProducts,
	type ProductRow,
	type ProductTotals,
	type ProductValue,
	productRows,
	productTotals,
	unpackRow,
} from '../../store/rows.js';
import {
	age,
	ago,
	amount,
	count,
	isoTime,
	nameProduct,
	nameProducts,
	plainLine,
	printableJson,
	reasonOf,
	size,
} from '../../text/words.js';
import { VERSION } from '../../version.js';
import { createReportPage } from '../report-page/create-report-page.js';
import { locateStore, namePath, useStore } from './locate-store.js';
import type { CommandLine } from './read-command.js';
import { accountName, describeRecord, LIST_THEM, removeProducts, vacuumStore } from './trim-store.js';

/** A command that only reads or changes the store. */
type StoreCommand = CommandLine & {
	readonly name: Exclude<
		CommandLine['name'],
		'publish' | 'refresh' | 'merge' | 'doctor' | 'store push' | 'store pull' | 'explain'
	>;
};

/** Where and when a command runs. */
export interface CommandContext {
	/** The working directory. */
	readonly cwd: string;
	/** Milliseconds since 1970. */
	readonly now: number;
}

/**
 * Runs a command, and returns the texts to print. The work is done while they are read.
 * @throws Error if the command fails; the message is for people.
 */
export function runCommand(command: StoreCommand, { cwd, now }: CommandContext): Iterable<string> {
	const { name, pids, json, html, limit, isAll } = command;
	const { store, report } = locateStore(command.place, cwd);
	if (name === 'report') {
		return html
			? writeReportPage(report, html.file, cwd)
			: printReport(report, namePath(report, cwd), { json, now });
	}
	return useStore(store, namePath(store, cwd), (database) => {
		switch (name) {
			case 'store ls':
				return listProducts(database, { json, limit, now });
			case 'store show':
				return showProduct(database, pids[0] ?? '', { json, now });
			case 'store rm':
				return removeProducts(database, pids);
			case 'store vacuum':
				return vacuumStore(database, store);
			case 'invalidate':
				return invalidateProducts(database, isAll ? 'all' : pids, { json, now });
		}
	});
}

/**
 * Marks products as changed, for every account that has them. The next build asks the service for them again, and so does
 * a running dev server when a page next shows them. The answer is believed even if many products have lost their reviews.
 * @param given product ids; `'all'` means every stored product.
 * @param now milliseconds since 1970.
 */
function* invalidateProducts(
	database: DatabaseSync,
	given: readonly string[] | 'all',
	{ json, now }: { readonly json: boolean; readonly now: number },
): Iterable<string> {
	// A damaged mark would be replaced unnoticed.
	const { areAllMarked } = mendMarks(database, now);
	const pids = given === 'all' ? findProducts(database) : given;
	const unknown = markProducts(database, pids, now);
	if (json) {
		const missing = new Set(unknown);
		yield `${printableJson({ marked: pids.filter((pid) => !missing.has(pid)), unknown })}\n`;
		return;
	}
	if (areAllMarked)
		yield 'The store was damaged, and may have lost which products have changed. The next build asks the service for all of them.\n';
	const marked = pids.length - unknown.length;
	if (marked > 0)
		yield `Marked ${count(marked, 'product')}. The next build asks the service again, and "astro dev" on the next visit.\n`;
	if (pids.length === 0) yield 'The store has no product to mark.\n';
	if (unknown.length > 0)
		yield `Not in the store, and fetched by the next build anyway: ${nameProducts(unknown)}.\n`;
}

/**
 * Writes the report of the last build as a page for people.
 * @param report path of the build's report.
 * @param given path of the page, relative to the working directory. @default beside the report
 * @throws CommandError if there is no report, or the page cannot be written.
 */
function writeReportPage(report: string, given: string | undefined, cwd: string): string[] {
	const name = namePath(report, cwd);
	const page = pageOf(readReport(report, name), name);
	const file = given === undefined ? join(dirname(report), REPORT_PAGE_FILE) : resolve(cwd, given);
	try {
		writeFileSync(file, page);
	} catch (cause) {
		throw new CommandError(
			'PR_FILE_NOT_WRITTEN',
			`The page could not be written to ${namePath(file, cwd)}: ${reasonOf(cause)}.`,
			'Make its folder writable, or name another file after --html.',
			{ cause },
		);
	}
	return [`Wrote ${namePath(file, cwd)}, ${size(Buffer.byteLength(page))}\n`];
}

function pageOf(report: BuildReport, name: string): string {
	try {
		return createReportPage(report);
	} catch (cause) {
		// Only the form of the file itself can be wrong.
		throw new CommandError(
			'PR_NO_REPORT',
			`The report at ${name} does not have the form that version ${VERSION} writes.`,
			'Build again to renew it.',
			{ cause },
		);
	}
}

/**
 * Prints the report of the last build.
 * @param name the file, for messages.
 * @param now milliseconds since 1970.
 * @throws CommandError if there is no report, or the file is not one.
 */
function printReport(
	file: string,
	name: string,
	{ json, now }: { readonly json: boolean; readonly now: number },
): string[] {
	const report = readReport(file, name);
	if (json) return [`${printableJson(report, '\t')}\n`];
	const built = Date.parse(report.builtAt);
	const age = Number.isNaN(built) ? '' : ` (${ago(now - built)})`;
	const lines = summarize(report, name);
	return [
		`Built at ${plainLine(report.builtAt, 40)}${age} with version ${plainLine(report.version, 40)}\n`,
		...(lines.length > 0 ? lines : ['No page and no list asked for reviews.']).map((line) => `${line}\n`),
		...troubles(report),
	];
}

/** Products listed; --json has all of them. */
const MOST_LISTED = 50;

const TROUBLES: ReadonlySet<string | undefined> = new Set(['stale', 'failed', 'unreadable']);

/** One line for each product for which the service failed. */
function troubles({ products }: BuildReport): string[] {
	const failed = [...products].filter(({ status }) => TROUBLES.has(status));
	if (failed.length === 0) return [];
	const lines = failed
		.slice(0, MOST_LISTED)
		.map(({ pid, status, reason = '' }) => `  ${status} ${nameProduct(pid)} ${plainLine(reason, 200)}\n`);
	const more = failed.length - lines.length;
	return [
		'The service failed for:\n',
		...lines,
		...(more > 0 ? [`  and ${amount(more)} more: see --json\n`] : []),
	];
}

/** How to list the products of a store. */
interface Listing {
	readonly json: boolean;
	/** Most lines. @default all */
	readonly limit: number | undefined;
	/** Milliseconds since 1970. */
	readonly now: number;
}

/** One line for each stored product, and the totals of the whole store in the last line. */
function* listProducts(database: DatabaseSync, { json, limit, now }: Listing): Iterable<string> {
	const accounts = findAccounts(database);
	const totals = productTotals(database);
	const rows = productRows(database, accounts, limit);
	if (json) {
		yield* asJson(rows, totals);
		return;
	}
	const hasAccounts = accounts.length > 1;
	let printed = 0;
	for (const row of rows) {
		printed += 1;
		const { account, kind, pid, state, fetched_at, bytes } = row;
		const cells = [
			plainLine(state, 7).padEnd(7),
			age(now - fetched_at).padStart(8),
			size(bytes).padStart(8),
			...(totals.reviewData > 0 ? [kind.padEnd('review-data'.length)] : []),
			...(hasAccounts ? [accountName(account)] : []),
			// The last column may be of any length, as ids are.
			nameProduct(pid),
		];
		yield `${cells.join('  ')}\n`;
	}
	const unprinted = totals.values - printed;
	if (unprinted > 0) yield `and ${amount(unprinted)} more\n`;
	const { products, bytes, stale } = totals;
	yield `${count(products, 'product')}, ${size(bytes)}, ${amount(stale)} stale\n`;
}

/** One document with a product on each line. */
function* asJson(rows: Iterable<ProductRow>, { products, bytes, stale }: ProductTotals): Iterable<string> {
	let before = '{"products":[\n';
	for (const { account, kind, pid, state, fetched_at, bytes } of rows) {
		yield before + printableJson({ pid, kind, state, fetchedAt: isoTime(fetched_at), bytes, account });
		before = ',\n';
	}
	yield `${before === ',\n' ? '\n' : before}],"totals":${printableJson({ products, bytes, stale })}}\n`;
}

/**
 * Prints everything that a store has of a product.
 * @param now milliseconds since 1970.
 * @throws CommandError if the store has nothing of it.
 */
function* showProduct(
	database: DatabaseSync,
	pid: string,
	{ json, now }: { readonly json: boolean; readonly now: number },
): Iterable<string> {
	const accounts = findAccounts(database);
	const rows = findProduct(database, accounts, pid);
	if (rows.length === 0) {
		throw new CommandError(
			'PR_NOT_STORED',
			`The product ${nameProduct(pid)} is not in the store.`,
			LIST_THEM,
		);
	}
	if (json) {
		yield `${printableJson({ pid, kept: rows.map(toJson) }, '\t')}\n`;
		return;
	}
	yield `Product ${nameProduct(pid)}\n`;
	for (const row of rows) {
		const { account, kind, digest, fetched_at, used_at, state, validators, value } = row;
		const when = (time: number) => `${isoTime(time)} (${ago(now - time)})`;
		yield `\n${kind}${accounts.length > 1 ? `, account ${accountName(account).trimEnd()}` : ''}\n`;
		yield `  ${kind === 'mark' || kind === 'rating' ? 'written   ' : 'fetched   '}  ${when(fetched_at)}\n`;
		yield `  used        ${when(used_at)}\n`;
		yield `  state       ${plainLine(state, 20)}\n`;
		yield `  digest      ${plainLine(digest, 60)}\n`;
		yield `  size        ${size(value.length)} compressed\n`;
		yield `  validators  ${validators === null ? 'no' : 'yes'}\n`;
		for (const line of linesOf(row)) yield `  ${line}\n`;
	}
}

function linesOf(row: ProductValue): string[] {
	const { record, unreadable } = recordOf(row);
	return unreadable === undefined
		? describeRecord(row.kind, record)
		: [plainLine(`cannot be read: ${unreadable}`, 200)];
}

function toJson(row: ProductValue) {
	const { account, kind, digest, fetched_at, used_at, state, validators, value } = row;
	return {
		kind,
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

/** A damaged value is reported as unreadable; the rest of the product can still be shown. */
function recordOf(row: ProductValue): { record?: unknown; unreadable?: string } {
	try {
		if (!row.isWhole) return { unreadable: 'its entry is damaged' };
		// A rating is in what is known of the row.
		if (row.kind === 'rating') return { record: JSON.parse(row.summary ?? '') };
		const record = unpackRow(row);
		return { record: row.kind === 'reviews' ? restoreRecord(record as CondensedRecord) : record };
	} catch (error) {
		return { unreadable: (error as Error).message };
	}
}
