import { chmod, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { UNFINISHED } from '../constants.js';

export interface FoundFile {
	/** Absolute path, not of a link: it is in the output folder. */
	readonly path: string;
	readonly name: string;
	readonly contents: Buffer;
}

export async function findPageFiles(
	folder: string,
	names: readonly string[],
): Promise<readonly FoundFile[] | 'outside'> {
	const found: FoundFile[] = [];
	for (const name of names) {
		const contents = await read(join(folder, name));
		if (!contents) continue;
		const [path, within] = await Promise.all([realpath(join(folder, name)), realpath(folder)]);
		if (!path.startsWith(within + sep)) return 'outside';
		found.push({ path, name, contents });
	}
	return found;
}

async function read(path: string): Promise<Buffer | undefined> {
	try {
		return await readFile(path);
	} catch (error) {
		if (NO_FILE.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
		throw error;
	}
}

/** What keeps a name from being that of a file. */
const NO_FILE = ['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'];

const brotli = promisify(zlib.brotliCompress);

const QUALITY = zlib.constants.BROTLI_PARAM_QUALITY;

/** Brotli's best takes 10 s for the sitemap of 50,000 pages, the next but one 0.3 s. Only sitemaps are that large. */
const qualityFor = ({ length }: Buffer) => (length < 1_000_000 ? 11 : 9);

/** Compressed copies that web servers send instead of a file, by the end of their names. */
const COPIES = {
	'.gz': promisify(zlib.gzip),
	'.br': (contents: Buffer) => brotli(contents, { params: { [QUALITY]: qualityFor(contents) } }),
	...(typeof zlib.zstdCompress === 'function' && { '.zst': promisify(zlib.zstdCompress) }),
};

/** Compressed copies that web servers send instead of a file, as far as they are there. */
export async function copiesOf(folder: string, name: string): Promise<string[]> {
	const names = Object.keys(COPIES).map((end) => name + end);
	const modes = await Promise.all(names.map((copy) => modeOf(join(folder, copy))));
	return names.filter((_, index) => modes[index] !== undefined);
}

/**
 * Replaces a file and its compressed copies. Each is replaced as a whole, so nobody reads half of one. The copies come
 * first: if the file itself is new, so are they.
 */
export async function replaceFile(
	file: string,
	contents: Buffer,
	links: readonly string[] = [],
): Promise<void> {
	for (const [end, compress] of Object.entries(COPIES)) {
		for (const name of [...links, file]) {
			const mode = await modeOf(name + end);
			if (mode !== undefined) await replaceOne(name + end, await compress(contents), mode);
		}
	}
	await replaceOne(file, contents, (await modeOf(file)) ?? 0o644);
}

export interface RenewContext {
	readonly folder: string;
	readonly isDryRun: boolean;
	/** Whether an earlier run may have left a file that it had not finished, or whose change nobody was told of. */
	readonly isResumed: boolean;
}

/**
 * Replaces the text of a file that a build wrote, unless it is the same or the file is gone.
 * @returns its name and those of its compressed copies, if it changed or if a killed run may have changed it.
 */
export async function renewText(
	name: string,
	text: string,
	{ folder, isDryRun, isResumed }: RenewContext,
): Promise<readonly string[]> {
	const link = join(folder, name);
	if (isResumed && !isDryRun) await removeUnfinished(link);
	const files = await findPageFiles(folder, [name]);
	if (files === 'outside' || !files[0]) return [];
	const [{ path, contents }] = files as [FoundFile];
	const renewed = Buffer.from(text);
	const isSame = contents.equals(renewed);
	if (isSame && !isResumed) return [];
	const copies = await copiesOf(folder, name);
	// A killed run writes copies first, and may have written others.
	if (!isDryRun && (!isSame || copies.length > 0)) {
		await replaceFile(path, renewed, link === path ? [] : [link]);
	}
	return [name, ...copies];
}

/** Removes what a run that was killed had not finished writing. */
export async function removeUnfinished(file: string): Promise<void> {
	for (const end of ['', ...Object.keys(COPIES)]) {
		try {
			await rm(file + end + UNFINISHED, { force: true });
		} catch (error) {
			// A page may have several names: "a.html/index.html" cannot be there if "a.html" is a file.
			if (!['ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
		}
	}
}

async function replaceOne(file: string, contents: Uint8Array, mode: number): Promise<void> {
	const unfinished = file + UNFINISHED;
	try {
		const handle = await open(unfinished, 'w', mode);
		try {
			await handle.writeFile(contents);
			await handle.sync();
		} finally {
			await handle.close();
		}
		// Unlike the mode of a new file, this one is not limited by the process.
		await chmod(unfinished, mode);
		await rename(unfinished, file);
	} catch (error) {
		await rm(unfinished, { force: true });
		throw error;
	}
}

async function modeOf(file: string): Promise<number | undefined> {
	try {
		const found = await stat(file);
		return found.isFile() ? found.mode & 0o7777 : undefined;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}
