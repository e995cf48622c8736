import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { CommandError } from '../../errors.js';

/** First bytes of a compressed file. */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/** Bytes that tell one from the other. */
export const MAGIC_LENGTH = ZSTD_MAGIC.length;

// zstd came with Node 22.15. Values in the store are compressed already, so more than level 1 only takes time.
const hasZstd = typeof zlib.createZstdCompress === 'function';

/**
 * Compresses a snapshot, with a checksum of the whole: zstd if this Node has it, gzip otherwise.
 * @param length of what is compressed, in bytes.
 */
export function createCompress(length: number): Transform {
	if (!hasZstd) return zlib.createGzip({ level: 1 });
	const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = zlib.constants;
	const params = { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_checksumFlag]: 1 };
	return zlib.createZstdCompress({ params, pledgedSrcSize: length });
}

/**
 * Reads what {@link createCompress} of any version of Node wrote. Fails if the checksum is wrong, or the end is missing.
 * @param head the first bytes of the file.
 * @throws CommandError if it is neither, or this version of Node cannot read it.
 */
export function createDecompress(head: Buffer): Transform {
	if (head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return zlib.createGunzip();
	if (!head.equals(ZSTD_MAGIC)) throw unusable('it is not compressed as a snapshot is');
	if (hasZstd) return zlib.createZstdDecompress();
	throw unusable('it was made by a newer Node, and this one is older than 22.15');
}

/** @param reason a clause. */
export function unusable(reason: string, cause?: unknown): CommandError {
	return new CommandError(
		'PR_SNAPSHOT_UNUSABLE',
		`The snapshot cannot be used: ${reason}.`,
		'Nothing but whole reviews was taken. Push a new snapshot.',
		{ cause },
	);
}
