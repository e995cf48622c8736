import { createReadStream, createWriteStream, renameSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../../errors.js';
import { openExistingFile } from '../../store/open-database.js';
import { productTotals } from '../../store/rows.js';
import { reasonOf } from '../../text/words.js';
import {
	counted,
	createCompress,
	isDiskError,
	type SnapshotPlace,
	type TransferContext,
	temporaryBeside,
	upload,
} from './transfer.js';

/** A snapshot that was written. */
export interface Pushed {
	readonly products: number;
	/** Of the copy of the store. */
	readonly storeBytes: number;
	/** Of the snapshot. */
	readonly bytes: number;
}

/**
 * Writes a snapshot of a store: what it has of products at this moment, compressed. Builds can write the store meanwhile.
 * The copy and the snapshot are on disk, not in memory.
 * @param file of the store.
 * @throws CommandError if the snapshot cannot be written or sent, and what SQLite throws.
 */
export async function pushStore(
	database: DatabaseSync,
	file: string,
	to: SnapshotPlace,
	context: TransferContext,
): Promise<Pushed> {
	const copy = temporaryBeside(file, Date.now());
	try {
		copyStore(database, copy.path);
		const products = keepProducts(copy.path);
		const { size: storeBytes } = statSync(copy.path);
		const bytes =
			'file' in to
				? await writeTo(to.file, copy.path, context)
				: await sendTo(to.url, copy.path, file, context);
		return { products, storeBytes, bytes };
	} finally {
		copy.remove();
	}
}

function copyStore(database: DatabaseSync, to: string): void {
	try {
		database.prepare('VACUUM INTO ?').run(to);
	} catch (cause) {
		if (!isDiskError(cause)) throw cause;
		throw new CommandError(
			'PR_FILE_NOT_WRITTEN',
			`A copy of the store cannot be written beside it: ${cause.message}.`,
			'Check that the folder of the store can be written and has room for a copy.',
			{ cause },
		);
	}
}

/** Removes what belongs to this machine: pages, and what builds made of values. @returns how many products there are */
function keepProducts(file: string): number {
	const copy = openExistingFile(file);
	try {
		copy.exec(`PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
			DELETE FROM blocks; DELETE FROM shown; UPDATE entries SET block = NULL;
			DELETE FROM contents WHERE kind IN ('page', 'output'); DELETE FROM entries WHERE kind IN ('page', 'output');
			VACUUM`);
		return productTotals(copy).products;
	} finally {
		copy.close();
	}
}

/** A reader finds the old snapshot or the new one, never a part. */
async function writeTo(file: string, copy: string, context: TransferContext): Promise<number> {
	try {
		const packed = temporaryBeside(file, Date.now());
		try {
			const bytes = await compress(copy, packed.path, context);
			renameSync(packed.path, file);
			return bytes;
		} finally {
			packed.remove();
		}
	} catch (cause) {
		throw new CommandError(
			'PR_FILE_NOT_WRITTEN',
			`The snapshot cannot be written: ${reasonOf(cause)}.`,
			'Check that its folder exists, can be written, and is not full.',
			{ cause },
		);
	}
}

async function sendTo(url: URL, copy: string, file: string, context: TransferContext): Promise<number> {
	const packed = temporaryBeside(`${file}.snapshot`, Date.now());
	try {
		const bytes = await compress(copy, packed.path, context);
		await upload(packed.path, url, context);
		return bytes;
	} finally {
		packed.remove();
	}
}

async function compress(from: string, to: string, context: TransferContext): Promise<number> {
	const { size } = statSync(from);
	const source = Readable.from(counted(createReadStream(from), 'Compressed', size, context));
	await pipeline(source, createCompress(size), createWriteStream(to, { flags: 'wx', flush: true }));
	return statSync(to).size;
}
