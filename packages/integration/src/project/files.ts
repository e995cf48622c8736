import {
	closeSync,
	fchmodSync,
	fchownSync,
	fstatSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	type Stats,
	statSync,
	writeFileSync,
} from 'node:fs';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { UNFINISHED } from '../constants.js';
import { ProductReviewsError } from '../errors.js';

export interface FoundFile {
	/** Absolute path, not of a link: it is in the output folder. */
	readonly path: string;
	/** Its path before links were resolved. */
	readonly link: string;
	readonly name: string;
	readonly contents: Buffer;
}

export async function findPageFiles(
	folder: string,
	names: readonly string[],
): Promise<readonly FoundFile[] | 'outside'> {
	const found: FoundFile[] = [];
	for (const name of names) {
		const link = join(folder, name);
		const contents = await ifThere(readFile(link));
		if (!contents) continue;
		const [path, within] = await Promise.all([realpath(link), realpath(folder)]);
		if (!path.startsWith(within + sep)) return 'outside';
		found.push({ path, link, name, contents });
	}
	return found;
}

/** Awaits a result of the file system; `undefined` if the name is not that of a file. */
function ifThere<Result>(result: Promise<Result>): Promise<Result | undefined> {
	return result.catch(noneIfMissing);
}

/** Reads a file; `undefined` if the name is not that of a file. */
export function readIfThere(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		return noneIfMissing(error);
	}
}

function noneIfMissing(error: unknown): undefined {
	if (!NO_FILE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

/** Error codes of names that are not those of files. One with several folders cannot be there if the first is a file. */
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

/** Finds the compressed copies of a file that are there. */
export async function copiesOf(folder: string, name: string): Promise<string[]> {
	const names = Object.keys(COPIES).map((end) => name + end);
	const found = await Promise.all(names.map((copy) => isFile(join(folder, copy))));
	return names.filter((_, index) => found[index]);
}

/**
 * Replaces a file and its compressed copies. Each is replaced as a whole, so nobody reads half of one, and keeps its owner,
 * group and mode. The copies come first: if the file itself is new, so are they.
 * @throws ProductReviewsError if whoever reads a file could not read the new one.
 */
export async function replaceFile(file: string, contents: Buffer, links: readonly string[] = []) {
	for (const [end, compress] of Object.entries(COPIES)) {
		for (const name of [...links, file]) {
			if (await isFile(name + end)) await replaceOne(name + end, await compress(contents));
		}
	}
	await replaceOne(file, contents);
}

/**
 * Writes a text into a file, which is replaced as a whole if it exists, and makes its folder. For builds: what the system
 * has not written to the disk when the power fails is written by the next one.
 */
export function writeText(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true });
	const write = (descriptor: number) => {
		keepAccess(descriptor, file);
		writeFileSync(descriptor, text);
	};
	replaceWhole(file, write, file + UNFINISHED);
}

/**
 * Replaces a file as a whole: a reader finds the old one or the new one.
 * @param write writes into the file that takes its place.
 * @param unfinished the name of that file until it is complete. @default one for each process
 */
export function replaceWhole(
	file: string,
	write: (descriptor: number) => void,
	unfinished = `${file}.${process.pid}.tmp`,
): void {
	try {
		const descriptor = openSync(unfinished, 'w');
		try {
			write(descriptor);
		} finally {
			closeSync(descriptor);
		}
		renameSync(unfinished, file);
	} catch (error) {
		rmSync(unfinished, { force: true });
		throw error;
	}
}

/**
 * Gives a new file the owner, group and mode of the one that it is to replace, if there is one. Only root may give files to
 * others, and others may give them to their own groups: what cannot be kept is given up if everyone who may read the file
 * can read the new one. Access control lists are not kept: Node cannot read them.
 * @param descriptor of the new file.
 * @throws ProductReviewsError if somebody could not read it any more, such as a web server.
 */
export function keepAccess(descriptor: number, file: string): void {
	const former = statSync(file, { throwIfNoEntry: false });
	if (!former?.isFile()) return;
	const { uid, gid, mode } = former;
	const now = fstatSync(descriptor);
	if (uid !== now.uid || gid !== now.gid) {
		const isGiven = tryToGive(descriptor, uid, gid) || tryToGive(descriptor, now.uid, gid);
		if (!isGiven || uid !== now.uid) assertReadable(file, former, fstatSync(descriptor));
	}
	// A change of the owner takes bits from it. Unlike the mode of a new file, this one is not limited by the process.
	fchmodSync(descriptor, mode & 0o7777);
}

function tryToGive(descriptor: number, uid: number, gid: number): boolean {
	try {
		fchownSync(descriptor, uid, gid);
		return true;
	} catch (error) {
		if (NOT_PERMITTED.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
		throw error;
	}
}

/** Codes of a system that does not let this process give files away, or of one without owners. */
const NOT_PERMITTED = ['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP'];

/**
 * Checks that whoever read the former file can read the new one. Root reads everything; others read as everyone, group or
 * owner.
 */
function assertReadable(file: string, former: Stats, now: Stats): void {
	const { uid, gid, mode } = former;
	const losesGroup = gid !== now.gid && (mode & 0o040) !== 0;
	const losesOwner = uid !== now.uid && uid !== 0 && (mode & 0o400) !== 0;
	if ((mode & 0o004) !== 0 || !(losesGroup || losesOwner)) return;
	const octal = (mode & 0o777).toString(8).padStart(4, '0');
	throw new ProductReviewsError(
		'PR_FILE_NOT_WRITTEN',
		`"${file}" was left as it is: its owner and group are ${uid}:${gid}, its mode is ${octal}, and this process may only replace it by a file of ${now.uid}:${now.gid}, which a web server might not be able to read.`,
		`Run this as the user ${uid} or as root, or make the files of the output folder readable for all.`,
	);
}

export interface RenewContext {
	readonly folder: string;
	/** Folders with copies of its files. */
	readonly copies: readonly string[];
	readonly isDryRun: boolean;
	/** `true` if an earlier run may have left a file unfinished, or changed one without reporting it. */
	readonly isResumed: boolean;
}

/**
 * Replaces the text of a file that a build wrote, unless it is the same or the file is gone.
 * @returns its name and those of its compressed copies, if it changed or if a killed run may have changed it.
 */
export async function renewText(
	name: string,
	text: string,
	{ folder, copies: others, isDryRun, isResumed }: RenewContext,
): Promise<readonly string[]> {
	if (isResumed && !isDryRun) await removeUnfinished(join(folder, name));
	const files = await findPageFiles(folder, [name]);
	const found = files === 'outside' ? undefined : files[0];
	if (!found) return [];
	const renewed = Buffer.from(text);
	const isSame = found.contents.equals(renewed);
	if (isSame && !isResumed) return [];
	const copies = await copiesOf(folder, name);
	// A killed run writes copies first, and may have written others.
	if (!isDryRun && (!isSame || copies.length > 0)) {
		await replaceCopies(name, renewed, others);
		await replaceFound(found, renewed);
	}
	return [name, ...copies];
}

/** Replaces a file that was found, with its compressed copies: those of the link that leads to it, too. */
export function replaceFound({ path, link }: FoundFile, contents: Buffer) {
	return replaceFile(path, contents, link === path ? [] : [link]);
}

/** Replaces a file in other folders that have a copy of it, before the file itself: if that is new, so are they. */
export async function replaceCopies(name: string, contents: Buffer, folders: readonly string[]) {
	for (const folder of folders) {
		const found = await findPageFiles(folder, [name]);
		if (found !== 'outside') for (const file of found) await replaceFound(file, contents);
	}
}

/** Removes files that a killed run had not finished writing. */
export async function removeUnfinished(file: string): Promise<void> {
	for (const end of ['', ...Object.keys(COPIES)]) await ifThere(rm(file + end + UNFINISHED, { force: true }));
}

async function replaceOne(file: string, contents: Uint8Array): Promise<void> {
	const unfinished = file + UNFINISHED;
	try {
		const handle = await open(unfinished, 'w');
		try {
			keepAccess(handle.fd, file);
			await handle.writeFile(contents);
			await handle.sync();
		} finally {
			await handle.close();
		}
		await rename(unfinished, file);
	} catch (error) {
		await rm(unfinished, { force: true });
		throw error;
	}
}

async function isFile(file: string): Promise<boolean> {
	return (await ifThere(stat(file)))?.isFile() ?? false;
}
