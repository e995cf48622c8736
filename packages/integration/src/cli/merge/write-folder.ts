import { constants, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inParallel } from '../../collections/in-parallel.js';
import { CommandError } from '../../errors.js';
import { plainLine } from '../../text/clean-text.js';
import type { FilePlan } from './plan-files.js';

/** Files copied at once. */
const AT_ONCE = 16;

/**
 * Writes a new folder.
 * @param onProgress called with the number of files that are copied.
 * @throws CommandError if two names are one here, and Error of the file system. What was written until then stays.
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
	let done = 0;
	await inParallel([...copied], AT_ONCE, async ([name, from]) => {
		const path = join(folder, name);
		// Shares the bytes where the file system can.
		const mode = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
		await writeNew(name, () => makeFolder(dirname(path)).then(() => copyFile(from, path, mode)));
		done += 1;
		onProgress(done);
	});
	for (const { name, text } of joined) {
		const path = join(folder, name);
		await writeNew(name, () => makeFolder(dirname(path)).then(() => writeFile(path, text, { flag: 'wx' })));
	}
}

/** The folder is new, so what is there has a name that the file system takes for the same. */
async function writeNew(name: string, write: () => Promise<void>): Promise<void> {
	try {
		await write();
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
		throw new CommandError(
			'PR_SHARDS_DIFFER',
			`Here, the name of ${plainLine(name, MOST_LETTERS)} is also that of another file.`,
			'Give pages names that differ in more than upper and lower case, or merge where file names are case-sensitive.',
			{ cause },
		);
	}
}

const MOST_LETTERS = 200;
