import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fromElsewhere } from '../../cache/brought-rows.js';
import { CommandError } from '../../errors.js';
import { type Merged, mergeStore } from '../../store/merge-store.js';
import {
	assertTables,
	isUnusable,
	makeFolder,
	openDatabase,
	openExistingFile,
	readHeader,
	whyNotAStore,
} from '../../store/open-database.js';
import { mendMarks } from '../../store/row-upkeep.js';
import { reasonOf } from '../../text/words.js';
import {
	counted,
	createDecompress,
	download,
	isDiskError,
	MAGIC_LENGTH,
	missing,
	type SnapshotPlace,
	type TransferContext,
	temporaryBeside,
	unusable,
} from './transfer.js';

/** What a snapshot brought. */
export interface Pulled extends Merged {
	/** Products of this site in the snapshot. */
	readonly products: number;
	/** Of the snapshot. */
	readonly bytes: number;
	/** Whether there was no store before. */
	readonly isNew: boolean;
}

/** What a pull works with. */
export interface PullContext extends TransferContext {
	/** Of the site. Only its products are taken. */
	readonly account: string;
	/** Called if the store that is there cannot be used, with the reason. A new one is made. */
	readonly onSetAside: (reason: string) => void;
	/** Names a file, for messages. */
	readonly name: (file: string) => string;
}

/**
 * Brings the products of a snapshot into a store: those that are newer in it. Nothing that is newer in the store is lost, even
 * if a build writes it meanwhile.
 * @param file of the store.
 * @throws CommandError if the snapshot cannot be fetched or used, and what SQLite throws.
 */
export async function pullStore(file: string, from: SnapshotPlace, context: PullContext): Promise<Pulled> {
	makeFolder(dirname(file));
	const temporary = temporaryBeside(file, Date.now());
	try {
		const bytes = await unpack(from, temporary.path, context);
		assertStore(temporary.path);
		const isNew = !existsSync(file);
		const merged = within(temporary.path, (snapshot) => merge(snapshot, file, context));
		return { products: merged.taken + merged.kept, ...merged, bytes, isNew };
	} finally {
		temporary.remove();
	}
}

function within<Result>(file: string, action: (snapshot: DatabaseSync) => Result): Result {
	const snapshot = openExistingFile(file);
	try {
		return action(snapshot);
	} finally {
		snapshot.close();
	}
}

function merge(snapshot: DatabaseSync, file: string, { account, onSetAside }: PullContext): Merged {
	const database = openDatabase(file, onSetAside);
	try {
		const now = Date.now();
		mendMarks(snapshot, now);
		const merged = mergeStore(snapshot, database, { now, ...fromElsewhere(account) });
		database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		return merged;
	} catch (cause) {
		if (isUnusable(cause)) throw unusable(`its database is damaged: ${(cause as Error).message}`, cause);
		if (!isDiskError(cause)) throw cause;
		throw new CommandError(
			'PR_FILE_NOT_WRITTEN',
			`The store has taken only a part of the snapshot: ${cause.message}.`,
			'Make room, and pull again. What it has taken is whole.',
			{ cause },
		);
	} finally {
		database.close();
	}
}

/** Decompresses to a file. @returns how many bytes the snapshot has */
async function unpack(from: SnapshotPlace, to: string, context: PullContext): Promise<number> {
	const { chunks, read } = startReading(from, context);
	const { head, rest } = await splitHead(chunks);
	if (head.length === 0) throw unusable('it is empty');
	const decompress = createDecompress(head);
	try {
		const file = createWriteStream(to, { flags: 'wx', flush: true });
		await pipeline(Readable.from(rest), decompress, (unpacked) => limited(unpacked, read), file);
	} catch (cause) {
		if (cause instanceof CommandError) throw cause;
		const isOfFileSystem = (cause as NodeJS.ErrnoException).syscall !== undefined;
		throw isOfFileSystem ? notWritten(cause) : unusable('it is damaged, or its end is missing', cause);
	}
	return read();
}

/** Stores shrink to a tenth, because their values are compressed already. */
const MOST_EXPANSION = 100;
/** An empty store shrinks more. In bytes. */
const ALWAYS_ALLOWED = 67_108_864;

/** A small file could otherwise fill the disk. @param read returns how many bytes of the snapshot were read */
async function* limited(
	unpacked: AsyncIterable<Uint8Array>,
	read: () => number,
): AsyncGenerator<Uint8Array, void, undefined> {
	let bytes = 0;
	for await (const chunk of unpacked) {
		bytes += chunk.length;
		if (bytes > Math.max(ALWAYS_ALLOWED, read() * MOST_EXPANSION)) {
			throw unusable(`it expands to more than ${MOST_EXPANSION} times its size`);
		}
		yield chunk;
	}
}

function startReading(from: SnapshotPlace, context: PullContext) {
	let bytes = 0;
	const add = (count: number) => {
		bytes += count;
	};
	const source = 'url' in from ? download(from.url, context) : readFile(from.file, context);
	return {
		chunks: counted(source, 'Read', undefined, { ...context, log: () => {} }, add),
		read: () => bytes,
	};
}

async function* readFile(file: string, context: PullContext): AsyncGenerator<Uint8Array, void, undefined> {
	try {
		yield* counted(createReadStream(file), 'Read', undefined, context);
	} catch (cause) {
		const name = context.name(file);
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw missing(name, cause);
		throw unusable(`${name} cannot be read, because ${reasonOf(cause)}`, cause);
	}
}

/** The first bytes say how the rest is compressed. */
async function splitHead(chunks: AsyncGenerator<Uint8Array, void, undefined>) {
	let start = Buffer.alloc(0);
	while (start.length < MAGIC_LENGTH) {
		const next = await chunks.next();
		if (next.done) break;
		start = Buffer.concat([start, next.value]);
	}
	async function* rest() {
		yield start;
		yield* chunks;
	}
	return { head: start.subarray(0, MAGIC_LENGTH), rest: rest() };
}

function notWritten(cause: unknown): CommandError {
	return new CommandError(
		'PR_FILE_NOT_WRITTEN',
		`The snapshot cannot be unpacked beside the store: ${reasonOf(cause)}.`,
		'Check that the folder of the store can be written and is not full.',
		{ cause },
	);
}

/**
 * Makes sure that an unpacked snapshot is a store: of this version, with the tables of a store and nothing else, and not
 * damaged. The checksum of a snapshot says only that it is what somebody compressed.
 * @throws CommandError if it is not.
 */
function assertStore(file: string): void {
	const header = readHeader(file);
	const reason = header ? whyNotAStore(header) : 'it is not a database';
	if (reason) throw unusable(reason);
	const found = findProblem(file);
	if (found) throw unusable(found.reason, found.cause);
}

function findProblem(file: string): { readonly reason: string; readonly cause?: unknown } | undefined {
	try {
		const database = openExistingFile(file);
		try {
			// SQLite recommends both for files from elsewhere.
			database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
			assertTables(database);
			// A trigger would run in every later build.
			const { count } = database.prepare(COUNT_OTHERS).get() as { count: number };
			if (count > 0) return { reason: 'it has more than the tables of a store' };
			const check = database.prepare('PRAGMA quick_check(1)').get();
			return check?.['quick_check'] === 'ok' ? undefined : { reason: 'its database is damaged' };
		} finally {
			database.close();
		}
	} catch (cause) {
		return { reason: (cause as Error).message, cause };
	}
}

/** Indexes without a statement belong to their tables. */
const COUNT_OTHERS = `SELECT count(*) AS count FROM sqlite_schema
	WHERE sql IS NOT NULL AND NOT (type = 'table' AND name IN ('entries', 'marks', 'contents', 'blocks', 'shown'))`;
