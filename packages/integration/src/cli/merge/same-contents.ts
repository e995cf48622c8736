import { type FileHandle, open } from 'node:fs/promises';

/** Bytes read at once. */
const CHUNK = 262_144;

/** Whether two files have the same bytes. */
export async function hasSameContents(one: string, other: string): Promise<boolean> {
	const first = await open(one);
	try {
		const second = await open(other);
		try {
			return await compare(first, second);
		} finally {
			await second.close();
		}
	} finally {
		await first.close();
	}
}

async function compare(one: FileHandle, other: FileHandle): Promise<boolean> {
	const { size } = await one.stat();
	if (size !== (await other.stat()).size) return false;
	const length = Math.min(CHUNK, size);
	const [ours, theirs] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)];
	for (let at = 0; at < size; at += length) {
		const read = await Promise.all([one.read(ours, 0, length, at), other.read(theirs, 0, length, at)]);
		const [{ bytesRead }, { bytesRead: others }] = read;
		// A file that became shorter in the meantime is another one.
		if (bytesRead === 0 || bytesRead !== others) return false;
		if (!ours.subarray(0, bytesRead).equals(theirs.subarray(0, bytesRead))) return false;
	}
	return true;
}
