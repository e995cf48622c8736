import { constants, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { FilePlan } from './plan-files.js';

/** Files copied at once. */
const AT_ONCE = 16;

/**
 * Writes a new folder.
 * @param onProgress called with the number of files that are copied.
 * @throws Error of the file system. What was written until then stays.
 */
export async function writeFolder(
	folder: string,
	{ copied, joined }: FilePlan,
	onProgress: (done: number) => void,
): Promise<void> {
	const made = new Map<string, Promise<unknown>>();
	const makeFolder = (path: string) => {
		const known = made.get(path) ?? mkdir(path, { recursive: true });
		made.set(path, known);
		return known;
	};
	await makeFolder(folder);
	const limit = pLimit(AT_ONCE);
	let done = 0;
	const copy = async ([name, from]: readonly [string, string]) => {
		const path = join(folder, name);
		await makeFolder(dirname(path));
		// Shares the bytes where the file system can.
		await copyFile(from, path, constants.COPYFILE_FICLONE);
		done += 1;
		onProgress(done);
	};
	try {
		await limit.map(copied, copy);
	} finally {
		// After a failure, no other copy starts.
		limit.clearQueue();
	}
	for (const { name, text } of joined) {
		const path = join(folder, name);
		await makeFolder(dirname(path));
		await writeFile(path, text);
	}
}
