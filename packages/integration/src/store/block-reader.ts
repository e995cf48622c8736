import type { DatabaseSync } from 'node:sqlite';
import QuickLRU from 'quick-lru';
import { readAttachments, type ValueAttachments } from './attachments.js';
import { type Block, memberKey, openBlock } from './blocks.js';
import type { Kind } from './review-store.js';
import { prepareToRead, prepareToReadBlock } from './rows.js';

/** Reads what was made of the values of one account. What is damaged is missing, since it can be made again. */
export interface BlockReader {
	/** What was made of the current values of these products. */
	find(kind: Kind, pids: readonly string[]): ReadonlyMap<string, ValueAttachments>;
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

	const read = (block: number): Block => {
		const found = content(block);
		const members: Block = found ? openBlock(found) : new Map();
		recent.set(block, members);
		return members;
	};
	return {
		find(kind, pids) {
			const found = new Map<string, ValueAttachments>();
			for (const row of placed.all(account, kind, JSON.stringify(pids))) {
				const { pid, digest, block } = row as { pid: string; digest: string; block: bigint };
				try {
					const members = recent.get(Number(block)) ?? read(Number(block));
					const bytes = members.get(memberKey(account, kind, pid));
					const attachments = bytes && readAttachments(bytes);
					if (attachments?.digest === digest) found.set(pid, attachments);
				} catch {
					// Whoever makes it again replaces the block.
				}
			}
			return found;
		},
		clear: () => recent.clear(),
	};
}
