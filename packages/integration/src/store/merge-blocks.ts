import type { DatabaseSync } from 'node:sqlite';
import { createBlockWriter, type NewMember } from './block-writer.js';
import { memberKey, openBlock, type PackedBlock } from './blocks.js';
import { inTransaction } from './in-transaction.js';
import { type KeyedRow, prepareToAddBlock, prepareToReadBlock } from './rows.js';

/** A value that was taken. */
type Taken = Pick<KeyedRow, 'account' | 'kind' | 'pid' | 'digest'>;

/** Which values have something in one block of another store. */
interface BlockUse {
	readonly taken: Taken[];
	/** How many there are, with those that were not taken. */
	count: number;
}

/** Collects which blocks of another store the rows that are merged need. */
export interface BlockUses {
	readonly all: ReadonlyMap<number, BlockUse>;
	add(row: KeyedRow, isTaken: boolean): void;
}

export function createBlockUses(): BlockUses {
	const all = new Map<number, BlockUse>();
	return {
		all,
		add({ block, account, kind, pid, digest }, isTaken) {
			if (block == null) return;
			const use = all.get(block) ?? { taken: [], count: 0 };
			use.count += 1;
			if (isTaken) use.taken.push({ account, kind, pid, digest });
			all.set(block, use);
		},
	};
}

/** Blocks of one transaction. A build that writes meanwhile waits for no more than these. */
const BATCH = 50;

/** Takes what was made of values, after the values. Damaged blocks are left out: what they had can be made again. */
export function takeBlocks(
	source: DatabaseSync,
	target: DatabaseSync,
	uses: ReadonlyMap<number, BlockUse>,
): void {
	const read = prepareToReadBlock(source);
	const take = createTake(target);
	const wanted = [...uses].filter(([, { taken }]) => taken.length > 0).sort(([one], [other]) => one - other);
	for (let at = 0; at < wanted.length; at += BATCH) {
		inTransaction(target, () => {
			for (const [number, use] of wanted.slice(at, at + BATCH)) {
				const block = read(number);
				if (block) take(block, use);
			}
		});
	}
}

function createTake(target: DatabaseSync): (block: PackedBlock, use: BlockUse) => void {
	const write = createBlockWriter(target);
	const add = prepareToAddBlock(target);
	return (block, { taken, count }) => {
		if (taken.length === count) add(block, taken);
		else write(membersOf(block, taken));
	};
}

function membersOf(block: PackedBlock, values: readonly Taken[]): NewMember[] {
	try {
		const members = openBlock(block);
		return values.flatMap(({ account, kind, pid, digest }) => {
			const bytes = members.get(memberKey(account, kind, pid));
			return bytes ? [{ account, kind, pid, digest, bytesWith: () => bytes }] : [];
		});
	} catch {
		return [];
	}
}
