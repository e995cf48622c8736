import type { DatabaseSync } from 'node:sqlite';
import QuickLRU from 'quick-lru';
import type { Kind } from './review-store.js';
import { prepareToAddBlock, prepareToRead, prepareToReadBlock, type RowKey } from './rows.js';
import { decode, encode, frame, readAttachments, readFrame, type ValueAttachments } from './values.js';

/**
 * What was made of several values, compressed together: bytes of attachments, by {@link memberKey}. Pages mostly ask for
 * what was written together. Unpacking it at once takes half the time for each, and the file is smaller, because the html of
 * one product repeats that of another.
 */
type Block = ReadonlyMap<string, Buffer>;

/** A block as the file has it. */
export interface PackedBlock {
	readonly codec: number;
	readonly value: Uint8Array;
}

/**
 * Length of a new block, in bytes before compression: four or five products. Twice as many save little more, and cost twice
 * as much where pages ask for products in another order.
 */
const BLOCK_SIZE = 131_072;

/** Proves to a reader that a block has what it looks for. */
function memberKey(account: string, kind: string, pid: string): string {
	return JSON.stringify([account, kind, pid]);
}

function packBlock(members: Block): PackedBlock {
	const lengths: Lengths = [...members].map(([key, bytes]) => [key, bytes.length]);
	return encode(frame(lengths, [...members.values()]));
}

/** @throws Error if it is damaged. */
function openBlock({ codec, value }: PackedBlock): Block {
	const bytes = decode(codec, value);
	const { table, start } = readFrame<Lengths>(bytes);
	const members = new Map<string, Buffer>();
	let at = start;
	for (const [key, length] of table) {
		members.set(key, bytes.subarray(at, at + length));
		at += length;
	}
	return members;
}

type Lengths = readonly (readonly [key: string, length: number])[];

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

/** What was made of a value, on its way into a block. */
export interface NewMember extends RowKey {
	/** Of the value that it was made of. */
	readonly digest: string;
	/** Its bytes. @param old those that are in the file */
	bytesWith(old: Buffer | undefined): Buffer;
}

/**
 * Returns a function that writes what was made of values, in the caller's transaction. What was made of a value that the file
 * does not have is left out. A product stays in its block, so products that pages ask for together stay together.
 */
export function createBlockWriter(database: DatabaseSync): (added: Iterable<NewMember>) => void {
	const find = prepareToRead(
		database,
		'SELECT digest, block FROM entries WHERE account = ? AND kind = ? AND pid = ?',
	);
	const replace = createReplace(database);
	const insert = createInsert(database);
	return (added) => {
		const current = [...added].flatMap((member) => {
			const row = find.get(member.account, member.kind, member.pid);
			return row?.['digest'] === member.digest ? [{ member, block: row['block'] }] : [];
		});
		const others: NewMember[] = [];
		for (const [block, group] of Map.groupBy(current, ({ block }) => block)) {
			const members = group.map(({ member }) => member);
			if (block === null || !replace(Number(block), members)) others.push(...members);
		}
		insert(others);
	};
}

/** Returns a function that puts members into the block that they are in. @returns whether it is there, and whole */
function createReplace(database: DatabaseSync): (block: number, added: readonly NewMember[]) => boolean {
	const read = prepareToReadBlock(database);
	const write = database.prepare('UPDATE blocks SET codec = ?, value = ? WHERE block = ?');
	const remove = database.prepare('DELETE FROM blocks WHERE block = ?');
	const readBlock = (block: number): Block | undefined => {
		const found = read(block);
		try {
			return found && openBlock(found);
		} catch {
			remove.run(block);
			return undefined;
		}
	};
	return (block, added) => {
		const members = readBlock(block);
		if (!members) return false;
		const changed = added.map((member) => {
			const key = keyOf(member);
			return [key, member.bytesWith(members.get(key))] as const;
		});
		if (changed.every(([key, bytes]) => members.get(key)?.equals(bytes))) return true;
		const { codec, value } = packBlock(new Map([...members, ...changed]));
		write.run(codec, value, block);
		return true;
	};
}

/** Returns a function that puts members into new blocks. */
function createInsert(database: DatabaseSync): (added: readonly NewMember[]) => void {
	const add = prepareToAddBlock(database);
	const insert = (members: ReadonlyMap<NewMember, Buffer>) => {
		if (members.size === 0) return;
		const keyed = [...members].map(([member, bytes]) => [keyOf(member), bytes] as const);
		add(packBlock(new Map(keyed)), members.keys());
	};
	return (added) => {
		let members = new Map<NewMember, Buffer>();
		let length = 0;
		for (const member of added) {
			const bytes = member.bytesWith(undefined);
			members.set(member, bytes);
			length += bytes.length;
			if (length < BLOCK_SIZE) continue;
			insert(members);
			members = new Map();
			length = 0;
		}
		insert(members);
	};
}

function keyOf({ account, kind, pid }: NewMember): string {
	return memberKey(account, kind, pid);
}
