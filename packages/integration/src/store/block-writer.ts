import type { DatabaseSync } from 'node:sqlite';
import { BLOCK_SIZE, type Block, memberKey, openBlock, packBlock } from './blocks.js';
import { prepareToAddBlock, prepareToRead, prepareToReadBlock, type RowKey } from './rows.js';

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
