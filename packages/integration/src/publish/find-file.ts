import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathAfterBase } from '../pages/name-page.js';
import { type FileProof, isSameProof, proveFile } from '../pages/stored-page.js';

/** The file of a page. */
export interface FoundFile {
	/** Absolute path, not of a link: it is in the output folder. */
	readonly path: string;
	/** Relative to the output folder, with forward slashes. */
	readonly name: string;
	readonly contents: Buffer;
	readonly proof: FileProof;
}

/**
 * Every file that may be the page's. Which one it is depends on Astro's `build.format` and on the kind of page.
 * @param address path of the page's address, in readable form.
 */
export function fileNames(address: string, base: string): readonly string[] {
	const path = pathAfterBase(address, base);
	if (path === '') return ['index.html'];
	return [...new Set([path, decode(path)])]
		.filter(isInside)
		.flatMap((name) => [name, `${name}/index.html`, `${name}.html`]);
}

/** Whether a name stays in its folder, and on one line. */
function isInside(name: string): boolean {
	return !name.split(/[/\\]/).includes('..') && !CONTROL.test(name);
}

const CONTROL = /\p{Cc}/u;

/** File names have the characters that a readable address still encodes, such as "?". */
function decode(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

/**
 * Finds the file of a page by its contents.
 * @param folder the output folder.
 * @param names relative to it, see {@link fileNames}.
 * @returns `'gone'` if there is none of its names, `'altered'` if there are only others, and `'outside'` if it is a link that
 * leads out of the output folder.
 */
export async function findFile(
	folder: string,
	names: readonly string[],
	proofs: readonly FileProof[],
): Promise<FoundFile | 'gone' | 'altered' | 'outside'> {
	let isThere = false;
	for (const name of names) {
		const contents = await read(join(folder, name));
		if (!contents) continue;
		isThere = true;
		const proof = proveFile(contents);
		if (proofs.some((known) => isSameProof(known, proof))) {
			const [path, within] = await Promise.all([realpath(join(folder, name)), realpath(folder)]);
			return path.startsWith(within + sep) ? { path, name, contents, proof } : 'outside';
		}
	}
	return isThere ? 'altered' : 'gone';
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
