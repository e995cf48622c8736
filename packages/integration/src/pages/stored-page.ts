import { crc32 } from 'node:zlib';
import type { Finding } from '../audit/audit.js';
import type { Dependency } from './dependency.js';
import type { Place } from './marks.js';

/** What the store keeps about a page. */
export interface StoredPage {
	/** Identifies the last rendering; `undefined` if the page has no key in an incremental build. */
	readonly generation?: string | undefined;
	/** Path of the page's address, in readable form. */
	readonly address: string;
	readonly dependencies: readonly Dependency[];
	/** When the reviews on it last changed, in milliseconds since 1970; `undefined` if this is unknown. */
	readonly changedAt?: number | undefined;
	/** Findings of the audit; omitted if it was not audited. */
	readonly findings?: readonly Finding[] | undefined;
	/** The page's file, and where its fragments are; `null` if they cannot be replaced there, omitted if it is unknown. */
	readonly file?: PlacedFragments | null | undefined;
	/** The page as it will be after a publish that has not finished yet. Its file is either this or the one above. */
	readonly next?: Omit<StoredPage, 'next'> | undefined;
}

/** The file of a page, and where its fragments are. */
export interface PlacedFragments extends FileProof {
	readonly places: readonly Place[];
}

/** Tells the contents of a file from all others. */
export interface FileProof {
	/** In bytes. */
	readonly size: number;
	/** CRC-32 of the contents. */
	readonly checksum: number;
}

/** The proof of these contents. */
export function proveFile(contents: Buffer): FileProof {
	return { size: contents.length, checksum: crc32(contents) };
}

export function isSameProof(one: FileProof, other: FileProof): boolean {
	return one.size === other.size && one.checksum === other.checksum;
}

/** The products that a page shows something of. */
export function productsOf({ dependencies }: Pick<StoredPage, 'dependencies'>): readonly string[] {
	return [...new Set(dependencies.map(({ pid }) => pid))];
}
