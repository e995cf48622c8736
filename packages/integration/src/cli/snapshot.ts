import {
	createReadStream,
	createWriteStream,
	existsSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Merged } from '../cache/merge-cache.js';
import {
	isUnusable,
	makeFolder,
	openDatabase,
	openExistingFile,
	sqliteCode,
} from '../cache/open-database.js';
import { productTotals } from '../cache/rows.js';
import { commandError } from '../errors/catalog.js';
import { CommandError } from '../errors.js';
import { describeCause } from '../failures/describe-failure.js';
import { amount, count, plainLine, printableJson, reasonOf, size } from '../text/words.js';
import { explainFailure, locateCache } from './cache-file.js';
import { openForeignCache, takeRows, useOwnCache } from './foreign-cache.js';
import type { CommandLine, Options } from './options.js';
import { loadSite } from './site.js';
import { MOST_LETTERS, misused, namePath, sayingProgress, secondsSince } from './terminal.js';

/** How far a snapshot may expand: caches shrink to a tenth, because their values are compressed already. */
const MOST_EXPANSION = 100;
/** An empty cache shrinks more. In bytes. */
const ALWAYS_ALLOWED = 67_108_864;

/**
 * Writes a snapshot of a cache: what it has of products at this moment, compressed. Builds can write the cache meanwhile.
 * The copy and the snapshot are on disk, not in memory.
 */
export async function push({ args: [to = ''], options }: CommandLine): Promise<string[]> {
	const file = locateCache(options);
	const place = readPlace(to);
	return print(
		options,
		file,
		() => writeSnapshot(file, place),
		({ products, cacheBytes, bytes }, time) => {
			const sizes = `${size(cacheBytes)} as ${size(bytes)}`;
			return `Pushed ${count(products, 'product')} to ${nameOf(place)}: ${sizes}, ${time}\n`;
		},
	);
}

/** Prints the result of a transfer, for programs or for people. @throws CommandError that says what is wrong with the cache */
async function print<Result>(
	{ json }: Options,
	file: string,
	work: () => Promise<Result>,
	describe: (result: Result, time: string) => string,
): Promise<string[]> {
	const startedAt = performance.now();
	try {
		const result = await work();
		const seconds = secondsSince(startedAt);
		return [
			json ? `${printableJson({ ...result, seconds })}\n` : describe(result, `in ${seconds.toFixed(1)} s`),
		];
	} catch (cause) {
		throw explainFailure(cause, file);
	}
}

async function writeSnapshot(file: string, place: Place) {
	const database = openExistingFile(file);
	try {
		return await withTemporary(file, async (copy) => {
			const products = copyProducts(database, copy);
			const { size: cacheBytes } = statSync(copy);
			return withTemporary('file' in place ? place.file : file, async (packed) => {
				await compress(copy, packed, cacheBytes);
				const { size: bytes } = statSync(packed);
				if ('url' in place) await upload(packed, place.url);
				// A reader finds the old snapshot or the new one, never a part.
				else renameSync(packed, place.file);
				return { products, cacheBytes, bytes };
			});
		});
	} catch (cause) {
		const isOfDisk =
			(cause as NodeJS.ErrnoException).syscall !== undefined || DISK_ERRORS.has(sqliteCode(cause) ?? 0);
		throw isOfDisk ? notWritten('The snapshot cannot be written', cause) : cause;
	} finally {
		database.close();
	}
}

/** Leaves out everything of this machine, such as pages. @returns how many products there are */
function copyProducts(database: DatabaseSync, to: string): number {
	const copy = openDatabase(to, () => {});
	try {
		copy.exec('PRAGMA synchronous = OFF');
		takeRows(database, copy);
		return productTotals(copy).products;
	} finally {
		copy.close();
	}
}

async function compress(from: string, to: string, total: number): Promise<void> {
	const sayProgress = sayingProgress();
	const counted = countBytes(createReadStream(from), (bytes) =>
		sayProgress(() => `${size(bytes)} of ${size(total)} compressed`),
	);
	// Values are compressed already, so more than level 1 only takes time.
	await pipeline(counted, createGzip({ level: 1 }), createWriteStream(to, { flags: 'wx', flush: true }));
}

/**
 * Brings the products of a snapshot into the cache: those of this site that are newer in it. Nothing that is newer in the
 * cache is lost, even if a build writes it meanwhile.
 */
export async function pull({ args: [from = ''], options }: CommandLine): Promise<string[]> {
	const place = readPlace(from);
	// Only the site itself says whose reviews are its own.
	const { project } = await loadSite(options);
	const file = options['cache-file'] === undefined ? project.cacheFile() : locateCache(options);
	const work = () => readSnapshot(file, place, project.connection().account);
	return print(options, file, work, (pulled, time) => describePulled(pulled, nameOf(place), time));
}

/** The result of a pull: of the snapshot, its products of this site and its size, and whether there was no cache before. */
interface Pulled extends Merged {
	readonly products: number;
	readonly bytes: number;
	readonly isNew: boolean;
}

/** @param account of the site: only its products are taken. */
export async function readSnapshot(file: string, from: Place, account: string): Promise<Pulled> {
	makeFolder(dirname(file));
	return withTemporary(file, async (unpacked) => {
		const bytes = await unpack(from, unpacked);
		const isNew = !existsSync(file);
		const merged = takeSnapshot(file, unpacked, account);
		return { products: merged.taken + merged.kept, ...merged, bytes, isNew };
	});
}

function takeSnapshot(file: string, from: string, account: string): Merged {
	let snapshot: DatabaseSync;
	try {
		snapshot = openForeignCache(from);
	} catch (cause) {
		throw unusable((cause as Error).message, cause);
	}
	try {
		return useOwnCache(file, (cache) => takeRows(snapshot, cache, account));
	} catch (cause) {
		if (isUnusable(cause)) throw unusable(`its database is damaged: ${cause.message}`, cause);
		if (!DISK_ERRORS.has(sqliteCode(cause) ?? 0)) throw cause;
		throw notWritten('The cache has taken only a part of the snapshot, which is whole', cause);
	} finally {
		snapshot.close();
	}
}

/** Decompresses to a file. @returns how many bytes the snapshot has */
async function unpack(from: Place, to: string): Promise<number> {
	let read = 0;
	const chunks = 'url' in from ? download(from.url) : readFile(from.file);
	const counted = countBytes(chunks, (bytes) => (read = bytes));
	// A small file could otherwise fill the disk.
	const limited = (unpacked: AsyncIterable<Uint8Array>) =>
		countBytes(unpacked, (bytes) => {
			if (bytes > Math.max(ALWAYS_ALLOWED, read * MOST_EXPANSION))
				throw unusable(`it expands to more than ${MOST_EXPANSION} times its size`);
		});
	try {
		await pipeline(counted, createGunzip(), limited, createWriteStream(to, { flags: 'wx', flush: true }));
		return read;
	} catch (cause) {
		const { syscall, message } = cause as NodeJS.ErrnoException;
		if (cause instanceof CommandError) throw cause;
		if (syscall !== undefined) throw notWritten('The snapshot cannot be unpacked beside the cache', cause);
		if (read === 0) throw unusable('it is empty', cause);
		if (message === 'incorrect header check') throw unusable('it is not compressed as a snapshot is', cause);
		throw unusable('it is damaged, or its end is missing', cause);
	}
}

async function* readFile(file: string): AsyncGenerator<Uint8Array, void, undefined> {
	try {
		yield* createReadStream(file);
	} catch (cause) {
		const name = namePath(file);
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw missing(name, cause);
		throw unusable(`${name} cannot be read, because ${reasonOf(cause)}`, cause);
	}
}

function describePulled(
	{ products, taken, kept, ignored, bytes, isNew }: Pulled,
	name: string,
	time: string,
): string {
	const what = isNew ? 'the cache is new' : `${amount(taken)} newer than in the cache, ${amount(kept)} not`;
	const parts = [
		[ignored.ofOthers, 'of another service or website ID'],
		[ignored.ofFuture, 'fetched in the future'],
		[ignored.unusable, 'damaged, or not what this version writes'],
		[ignored.ofOtherKinds, 'neither reviews nor ratings'],
	] as const;
	const found = parts.filter(([rows]) => rows > 0).map(([rows, what]) => `${count(rows, 'row')} ${what}`);
	const line = `Pulled ${count(products, 'product')} from ${name}: ${what}; ${size(bytes)}, ${time}\n`;
	return found.length > 0 ? `${line}Ignored: ${found.join('; ')}\n` : line;
}

/** A place for a message. The query of a presigned URL is a secret. */
function nameOf(place: Place): string {
	if ('file' in place) return namePath(place.file);
	return plainLine(`${place.url.origin}${place.url.pathname}`, MOST_LETTERS);
}

/** How long a folder that a killed process left stays, in milliseconds: a day. */
const LEFT_FOR = 86_400_000;

/** Runs something with the path of a file in a temporary folder beside another file, and removes what killed processes left. */
async function withTemporary<Result>(
	file: string,
	run: (temporary: string) => Promise<Result>,
): Promise<Result> {
	const prefix = `${file}.tmp-`;
	const made = mkdtempSync(prefix);
	try {
		for (const name of readdirSync(dirname(file))) {
			const other = join(dirname(file), name);
			const isLeft = other.startsWith(prefix) && Date.now() - statSync(other).mtimeMs > LEFT_FOR;
			if (isLeft) rmSync(other, { recursive: true, force: true });
		}
		return await run(join(made, basename(file)));
	} finally {
		rmSync(made, { recursive: true, force: true });
	}
}

/** SQLite's codes for errors of the disk, a full disk, and a file that cannot be opened. The database itself may be whole. */
const DISK_ERRORS = new Set([10, 13, 14]);

function notWritten(what: string, cause: unknown): CommandError {
	return commandError('PR_FILE_NOT_WRITTEN', `${what}: ${reasonOf(cause)}.`, cause);
}

function unusable(reason: string, cause?: unknown): CommandError {
	const message = `The snapshot cannot be used: ${reason}. Nothing but whole reviews was taken.`;
	return commandError('PR_SNAPSHOT_UNUSABLE', message, cause);
}

/** A transfer that stands still for so long has failed, in milliseconds. */
const LONGEST_SILENCE = 60_000;

/** The value of the header `Authorization` that is sent to a URL, such as `Bearer ...`. */
const AUTHORIZATION = 'REVIEWS_SNAPSHOT_AUTHORIZATION';

/** Where a snapshot is kept. */
type Place = { readonly file: string } | { readonly url: URL };

/** Also a mistyped URL: as a path, it would be printed with its query. */
const LIKE_URL = /:\/\/|^\s*https?:/i;

const OWN_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Reads a path or a URL of the command line. @throws CommandError for a URL that cannot be used */
function readPlace(text: string): Place {
	if (!LIKE_URL.test(text)) return { file: resolve(text) };
	const url = URL.parse(text);
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw misused('The place of a snapshot is the path of a file, or a URL that begins with https://.');
	}
	if (url.username || url.password) {
		throw misused(
			`The URL must not contain a password. Set ${AUTHORIZATION} to the value of the header Authorization.`,
		);
	}
	// Pages show the contents of a snapshot, so nobody may change it on its way.
	if (url.protocol === 'http:' && !OWN_MACHINE.test(url.hostname)) {
		throw misused('The URL of a snapshot must begin with https://, except on this machine.');
	}
	return { url };
}

/** Sends a file with PUT. @throws CommandError if that fails */
async function upload(file: string, url: URL): Promise<void> {
	const length = statSync(file).size;
	const transfer = watchTransfer();
	const body = Readable.from(transfer.watch(createReadStream(file)));
	try {
		const response = await send(url, {
			method: 'PUT',
			// Object stores refuse a body without a length.
			headers: { 'content-type': 'application/octet-stream', 'content-length': String(length) },
			body: Readable.toWeb(body) as ReadableStream,
			duplex: 'half',
			signal: transfer.signal,
		});
		await response.body?.cancel();
	} finally {
		transfer.end();
		body.destroy();
	}
}

/** Receives a file with GET. @throws CommandError if that fails, also while it is read */
async function* download(url: URL): AsyncGenerator<Uint8Array, void, undefined> {
	const transfer = watchTransfer();
	try {
		const { body } = await send(url, { signal: transfer.signal });
		if (body) yield* transfer.watch(body);
	} catch (cause) {
		throw cause instanceof CommandError ? cause : failed('GET', url, describeCause(cause), cause);
	} finally {
		transfer.end();
	}
}

async function send(url: URL, init: RequestInit & { readonly duplex?: 'half' }): Promise<Response> {
	const { method = 'GET' } = init;
	const headers = { ...init.headers, ...authorization() };
	// Pages show the contents of a snapshot, so it must come from where the user says.
	const response = await fetch(url, { ...init, headers, redirect: 'error' }).catch((cause) => {
		throw failed(method, url, describeCause(cause), cause);
	});
	if (response.ok) return response;
	await response.body?.cancel();
	const { status, statusText } = response;
	if (method === 'GET' && status === 404) throw missing(`${url.origin}${url.pathname}`);
	throw failed(method, url, `the answer was ${[status, statusText].join(' ').trim()}.`);
}

function authorization(): Record<string, string> {
	const value = process.env[AUTHORIZATION]?.trim();
	if (!value) return {};
	if (/^[\x20-\x7e]+$/.test(value)) return { authorization: value };
	// The error of fetch() would repeat it.
	throw misused(`The variable ${AUTHORIZATION} is not the value of a header: one line of ASCII characters.`);
}

/** Aborts a transfer that stands still, and says how far others are. */
function watchTransfer() {
	const controller = new AbortController();
	const sayProgress = sayingProgress();
	const timer = setTimeout(() => {
		controller.abort(`nothing was transferred for ${LONGEST_SILENCE / 1_000} s.`);
	}, LONGEST_SILENCE);
	const onBytes = (bytes: number) => {
		timer.refresh();
		sayProgress(() => `${size(bytes)} transferred`);
	};
	return {
		signal: controller.signal,
		watch: (chunks: AsyncIterable<Uint8Array>) => countBytes(chunks, onBytes),
		end: () => clearTimeout(timer),
	};
}

/** Passes chunks on. @param onBytes called before each, with how many bytes there have been */
async function* countBytes(
	chunks: AsyncIterable<Uint8Array>,
	onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
	let bytes = 0;
	for await (const chunk of chunks) {
		bytes += chunk.length;
		onBytes(bytes);
		yield chunk;
	}
}

/** @param place as a message may name it. */
function missing(place: string, cause?: unknown): CommandError {
	return commandError('PR_SNAPSHOT_MISSING', `There is no snapshot at ${place}.`, cause);
}

function failed(method: string, url: URL, reason: string, cause?: unknown): CommandError {
	return commandError('PR_SNAPSHOT_TRANSFER', `[${method}] ${url.origin}${url.pathname}: ${reason}`, cause);
}
