import type { DatabaseSync } from 'node:sqlite';
import QuickLRU from 'quick-lru';
import { readAttachments, type ValueAttachments } from './attachments.js';
import { type Block, memberKey, openBlock } from './blocks.js';
import type { Kind } from './review-store.js';
import { prepareToRead, prepareToReadBlock } from './rows.js';

/** Where the file has what was made of a value. */
export interface PlacedAttachments {
	readonly pid: string;
	/** Of the value. */
	readonly digest: string;
	readonly block: bigint;
}

/** Reads what was made of the values of one account. What is damaged is missing, since it can be made again. */
export interface BlockReader {
	/** Where what was made of the current values of these products is. */
	find(kind: Kind, pids: readonly string[]): readonly PlacedAttachments[];
	/** `undefined` if it is no longer there. */
	read(kind: Kind, placed: PlacedAttachments): ValueAttachments | undefined;
	/** Forgets what was read: the file has changed. */
	clear(): void;
}

/** Blocks that are kept in memory, a megabyte or two: the next product is probably in one of them. */
const RECENT = 8;

export function createBlockReader(database: DatabaseSync, account: string): BlockReader {
	const placed = prepareToRead(
		database,
		`SELECT pid, digest, block FROM entries
		WHERE account = ? AND kind = ? AND block IS NOT NULL AND pid IN (SELECT value FROM json_each(?))`,
	);
	const content = prepareToReadBlock(database);
	const recent = new QuickLRU<number, Block>({ maxSize: RECENT });

	const open = (block: number): Block => {
		const found = content(block);
		const members: Block = found ? openBlock(found) : new Map();
		recent.set(block, members);
		return members;
	};
	return {
		find: (kind, pids) =>
			placed.all(account, kind, JSON.stringify(pids)) as unknown as readonly PlacedAttachments[],
		read(kind, { pid, digest, block }) {
			try {
				const members = recent.get(Number(block)) ?? open(Number(block));
				const bytes = members.get(memberKey(account, kind, pid));
				const attachments = bytes && readAttachments(bytes);
				return attachments?.digest === digest ? attachments : undefined;
			} catch {
				// Whoever makes it again replaces the block.
				return undefined;
			}
		},
		clear: () => recent.clear(),
	};
}
