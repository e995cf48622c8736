import { decode, encode } from './codec.js';
import { frame, readFrame } from './frame.js';

/**
 * What was made of several values, compressed together: bytes of attachments, by {@link memberKey}. Pages mostly ask for
 * what was written together. Unpacking it at once takes half the time for each, and the file is smaller, because the html of
 * one product repeats that of another.
 */
export type Block = ReadonlyMap<string, Buffer>;

/** A block as the file has it. */
export interface PackedBlock {
	readonly codec: number;
	readonly value: Uint8Array;
}

/**
 * Length of a new block, in bytes before compression: four or five products. Twice as many save little more, and cost twice
 * as much where pages ask for products in another order.
 */
export const BLOCK_SIZE = 131_072;

/** Proves to a reader that a block has what it looks for. */
export function memberKey(account: string, kind: string, pid: string): string {
	return JSON.stringify([account, kind, pid]);
}

export function packBlock(members: Block): PackedBlock {
	const lengths: Lengths = [...members].map(([key, bytes]) => [key, bytes.length]);
	return encode(frame(lengths, [...members.values()]));
}

/** @throws Error if it is damaged. */
export function openBlock({ codec, value }: PackedBlock): Block {
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
