import { randomBytes } from 'node:crypto';
import {
	createReadStream,
	createWriteStream,
	existsSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { fromElsewhere } from '../cache/brought-rows.js';
import { CommandError } from '../errors.js';
import { type Merged, mergeStore } from '../store/merge-store.js';
import { isUnusable, makeFolder, openDatabase, openExistingFile } from '../store/open-database.js';
import { productTotals } from '../store/rows.js';
import { amount, count, plainLine, printableJson, reasonOf, size } from '../text/words.js';
import { explainFailure, locateCache } from './cache-file.js';
import type { CommandLine } from './options.js';
import { loadSite } from './site.js';
import { MOST_LETTERS, namePath, say, secondsSince } from './terminal.js';
import { download, missing, type Place, readPlace, upload } from './transfer.js';

/** How far a snapshot may expand: caches shrink to a tenth, because their values are compressed already. */
const MOST_EXPANSION = 100;
/** An empty cache shrinks more. In bytes. */
const ALWAYS_ALLOWED = 67_108_864;

/**
 * Writes a snapshot of a cache: what it has of products at this moment, compressed. Builds can write the cache meanwhile.
 * The copy and the snapshot are on disk, not in memory.
 */
export async function push({ args: [to = ''], options }: CommandLine): Promise<string[]> {
	const startedAt = performance.now();
	const file = locateCache(options);
	const place = readPlace(to);
	try {
		const pushed = await writeSnapshot(file, place);
		const seconds = secondsSince(startedAt);
		if (options.json) return [`${printableJson({ ...pushed, seconds })}\n`];
		const { products, cacheBytes, bytes } = pushed;
		const sizes = `${size(cacheBytes)} as ${size(bytes)}`;
		return [
			`Pushed ${count(products, 'product')} to ${nameOf(place)}: ${sizes}, in ${seconds.toFixed(1)} s\n`,
		];
	} catch (cause) {
		throw explainFailure(cause, file);
	}
}

async function writeSnapshot(file: string, place: Place) {
	const database = openExistingFile(file);
	const copy = temporaryBeside(file);
	try {
		copyCache(database, copy.path);
		const products = keepProducts(copy.path);
		const { size: cacheBytes } = statSync(copy.path);
		const packed = temporaryBeside('file' in place ? place.file : file);
		try {
			await compress(copy.path, packed.path);
			const { size: bytes } = statSync(packed.path);
			if ('url' in place) await upload(packed.path, place.url);
			// A reader finds the old snapshot or the new one, never a part.
			else renameSync(packed.path, place.file);
			return { products, cacheBytes, bytes };
		} finally {
			packed.remove();
		}
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
		throw notWritten('The snapshot cannot be written', cause);
	} finally {
		copy.remove();
		database.close();
	}
}

function copyCache(database: DatabaseSync, to: string): void {
	try {
		database.prepare('VACUUM INTO ?').run(to);
	} catch (cause) {
		if (isDiskError(cause)) throw notWritten('A copy of the cache cannot be written beside it', cause);
		throw cause;
	}
}

/** Removes everything of this machine: pages, and what builds made of values. @returns how many products there are */
function keepProducts(file: string): number {
	const copy = openExistingFile(file);
	try {
		copy.exec(`PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
			DELETE FROM shown;
			DELETE FROM contents WHERE kind IN ('page', 'output'); DELETE FROM entries WHERE kind IN ('page', 'output');
			VACUUM`);
		return productTotals(copy).products;
	} finally {
		copy.close();
	}
}

async function compress(from: string, to: string): Promise<void> {
	// Values are compressed already, so more than level 1 only takes time.
	const file = createWriteStream(to, { flags: 'wx', flush: true });
	await pipeline(createReadStream(from), createGzip({ level: 1 }), file);
}

/** The result of a pull. */
interface Pulled extends Merged {
	/** Products of this site in the snapshot. */
	readonly products: number;
	/** Of the snapshot. */
	readonly bytes: number;
	/** Whether there was no cache before. */
	readonly isNew: boolean;
}

/**
 * Brings the products of a snapshot into the cache: those of this site that are newer in it. Nothing that is newer in the
 * cache is lost, even if a build writes it meanwhile.
 */
export async function pull({ args: [from = ''], options }: CommandLine): Promise<string[]> {
	const startedAt = performance.now();
	const place = readPlace(from);
	// Only the site itself says whose reviews are its own.
	const { project } = await loadSite(options);
	const file = options['cache-file'] === undefined ? project.storeFile() : locateCache(options);
	try {
		const pulled = await readSnapshot(file, place, project.connection().account);
		const seconds = secondsSince(startedAt);
		return options.json
			? [`${printableJson({ ...pulled, seconds })}\n`]
			: [describePulled(pulled, nameOf(place), seconds)];
	} catch (cause) {
		throw explainFailure(cause, file);
	}
}

/** @param account of the site: only its products are taken. */
export async function readSnapshot(file: string, from: Place, account: string): Promise<Pulled> {
	makeFolder(dirname(file));
	const temporary = temporaryBeside(file);
	try {
		const bytes = await unpack(from, temporary.path);
		assertCache(temporary.path);
		const isNew = !existsSync(file);
		const merged = mergeInto(file, temporary.path, account);
		return { products: merged.taken + merged.kept, ...merged, bytes, isNew };
	} finally {
		temporary.remove();
	}
}

function mergeInto(file: string, from: string, account: string): Merged {
	const snapshot = openExistingFile(from);
	const database = openDatabase(file, (reason) => {
		say(`The cache at ${namePath(file)} could not be used, and was set aside: ${reason}.`);
	});
	try {
		const now = Date.now();
		const merged = mergeStore(snapshot, database, { now, ...fromElsewhere(account) });
		database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		return merged;
	} catch (cause) {
		if (isUnusable(cause)) throw unusable(`its database is damaged: ${cause.message}`, cause);
		if (!isDiskError(cause)) throw cause;
		throw notWritten('The cache has taken only a part of the snapshot, which is whole', cause);
	} finally {
		database.close();
		snapshot.close();
	}
}

/** Decompresses to a file. @returns how many bytes the snapshot has */
async function unpack(from: Place, to: string): Promise<number> {
	let read = 0;
	async function* counted() {
		for await (const chunk of 'url' in from ? download(from.url) : readFile(from.file)) {
			read += chunk.length;
			yield chunk;
		}
		if (read === 0) throw unusable('it is empty');
	}
	// A small file could otherwise fill the disk.
	async function* limited(unpacked: AsyncIterable<Uint8Array>) {
		let bytes = 0;
		for await (const chunk of unpacked) {
			bytes += chunk.length;
			if (bytes > Math.max(ALWAYS_ALLOWED, read * MOST_EXPANSION)) {
				throw unusable(`it expands to more than ${MOST_EXPANSION} times its size`);
			}
			yield chunk;
		}
	}
	try {
		const file = createWriteStream(to, { flags: 'wx', flush: true });
		await pipeline(Readable.from(counted()), createGunzip(), limited, file);
	} catch (cause) {
		const { syscall, message } = cause as NodeJS.ErrnoException;
		if (cause instanceof CommandError) throw cause;
		if (syscall !== undefined) throw notWritten('The snapshot cannot be unpacked beside the cache', cause);
		if (message === 'incorrect header check') throw unusable('it is not compressed as a snapshot is', cause);
		throw unusable('it is damaged, or its end is missing', cause);
	}
	return read;
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

/**
 * Makes sure that an unpacked snapshot is a cache: of this version, with the tables of a cache and nothing else, and not
 * damaged. The checksum of a snapshot says only that it is as somebody compressed it.
 * @throws CommandError if it is not.
 */
function assertCache(file: string): void {
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(file);
		// SQLite recommends both for files from elsewhere.
		database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
		const others = database.prepare(COUNT_OTHERS).get() as { count: number };
		// A trigger would run in every later build.
		if (others.count > 0) throw unusable('it has more than the tables of a cache');
		const check = database.prepare('PRAGMA quick_check(1)').get();
		if (check?.['quick_check'] !== 'ok') throw unusable('its database is damaged');
	} catch (cause) {
		throw cause instanceof CommandError ? cause : unusable((cause as Error).message, cause);
	} finally {
		database?.close();
	}
}

/** Indexes without a statement belong to their tables. */
const COUNT_OTHERS = `SELECT count(*) AS count FROM sqlite_schema
	WHERE sql IS NOT NULL AND NOT (type = 'table' AND name IN ('entries', 'marks', 'contents', 'shown'))`;

function describePulled(
	{ products, taken, kept, ignored, bytes, isNew }: Pulled,
	name: string,
	seconds: number,
): string {
	const what = isNew ? 'the cache is new' : `${amount(taken)} newer than in the cache, ${amount(kept)} not`;
	const parts = [
		[ignored.ofOthers, 'of another service or website id'],
		[ignored.ofFuture, 'fetched in the future'],
		[ignored.unusable, 'damaged, or not what this version writes'],
		[ignored.ofOtherKinds, 'neither reviews nor ratings'],
	] as const;
	const found = parts.filter(([rows]) => rows > 0).map(([rows, what]) => `${count(rows, 'row')} ${what}`);
	const line = `Pulled ${count(products, 'product')} from ${name}: ${what}; ${size(bytes)}, in ${seconds.toFixed(1)} s\n`;
	return found.length > 0 ? `${line}Ignored: ${found.join('; ')}\n` : line;
}

/** A place for a message. The query of a presigned URL is a secret. */
function nameOf(place: Place): string {
	if ('file' in place) return namePath(place.file);
	return plainLine(`${place.url.origin}${place.url.pathname}`, MOST_LETTERS);
}

/** How long a file that a killed process left stays, in milliseconds: a day. */
const LEFT_FOR = 86_400_000;

const SUFFIX = /\.[0-9a-f]{16}\.tmp(?:-journal|-wal|-shm)?$/;

/**
 * Names a temporary file beside another one. The name is random, because processes of two containers that share a folder
 * may have the same id. Removes files that killed processes left there.
 */
function temporaryBeside(file: string): { readonly path: string; remove(): void } {
	const path = `${file}.${randomBytes(8).toString('hex')}.tmp`;
	const left = readdirSync(dirname(file)).filter(
		(name) => name.startsWith(`${basename(file)}.`) && SUFFIX.test(name),
	);
	for (const name of left) {
		const other = join(dirname(file), name);
		const found = statSync(other, { throwIfNoEntry: false });
		if (found && Date.now() - found.mtimeMs > LEFT_FOR) rmSync(other, { force: true });
	}
	const remove = () => {
		for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
	};
	return { path, remove };
}

/** SQLite's codes for errors of the disk, a full disk, and a file that cannot be opened. */
const CODES = new Set([10, 13, 14]);

/** Whether SQLite could not write a file. The database itself may be whole. */
function isDiskError(error: unknown): boolean {
	const { errcode = 0 } = error as { readonly errcode?: number };
	return CODES.has(errcode & 0xff);
}

function notWritten(what: string, cause: unknown): CommandError {
	const hint = 'Check that the folder exists, can be written, and has room.';
	return new CommandError('PR_FILE_NOT_WRITTEN', `${what}: ${reasonOf(cause)}.`, hint, { cause });
}

function unusable(reason: string, cause?: unknown): CommandError {
	return new CommandError(
		'PR_SNAPSHOT_UNUSABLE',
		`The snapshot cannot be used: ${reason}.`,
		'Nothing but whole reviews was taken. Push a new snapshot.',
		{ cause },
	);
}
