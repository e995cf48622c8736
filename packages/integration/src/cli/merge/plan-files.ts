import { type FileHandle, open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import pLimit from 'p-limit';
import { CommandError } from '../../errors.js';
import { amount, count, plainLine } from '../../text/words.js';
import { isIndexName, joinIndexes, joinSitemaps, seriesOf, type TextFile } from './join-sitemaps.js';
import type { ShardFolder } from './target.js';

/** The output folder of the whole site. Names are relative to it, with forward slashes. */
export interface FilePlan {
	/** Absolute paths of the files that are copied as they are, by name. */
	readonly copied: ReadonlyMap<string, string>;
	/** Files that are made from those of several shards. */
	readonly joined: readonly TextFile[];
}

type Shard = Pick<ShardFolder, 'name' | 'outDir'>;

/** Files compared at once. */
const AT_ONCE = 16;

/** Files that several shards have, and that differ, by name. */
type Different = ReadonlyMap<string, readonly Shard[]>;

/**
 * Finds out which files the whole site has, and where each comes from. Files that several shards have must be the same in
 * all of them, except sitemaps, which are joined.
 * @param onProgress called with the number of files that were compared, and of those to compare.
 * @throws CommandError that names the files that differ.
 */
export async function planFiles(
	shards: readonly Shard[],
	onProgress: (done: number, total: number) => void,
): Promise<FilePlan> {
	const owners = new Map<string, Shard[]>();
	for (const shard of shards) {
		for (const name of await filesOf(shard)) {
			const known = owners.get(name);
			if (known) known.push(shard);
			else owners.set(name, [shard]);
		}
	}
	const joined = await joinAllSitemaps(shards, [...owners.keys()]);
	const isJoined = new Set(joined.map(({ name }) => name));
	const different = await findDifferent(
		[...owners].filter(([name, all]) => all.length > 1 && !isJoined.has(name)),
		onProgress,
	);
	const contradicting = new Map([...different, ...findFilesLikeFolders(owners)]);
	if (contradicting.size > 0) throw contradiction(contradicting);
	const copied = new Map<string, string>();
	for (const [name, [owner]] of owners) {
		if (owner && !isJoined.has(name)) copied.set(name, join(owner.outDir, name));
	}
	return { copied, joined };
}

async function filesOf({ name, outDir }: Shard): Promise<readonly string[]> {
	const { files, others } = await listFiles(outDir);
	const [first] = others;
	if (first === undefined) return files;
	throw new CommandError(
		'PR_SHARD_UNUSABLE',
		`The output of ${name} has what is not a file of its own: ${plainLine(first, MOST_LETTERS)}.`,
		'Replace links in it with the files that they lead to.',
	);
}

/** Names that are a file in one shard, and a folder in another. */
function findFilesLikeFolders(owners: ReadonlyMap<string, readonly Shard[]>): Different {
	const found = new Map<string, readonly Shard[]>();
	for (const [name, all] of owners) {
		for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
			const folder = name.slice(0, at);
			const ofFile = owners.get(folder);
			if (ofFile) found.set(folder, [...ofFile.slice(0, 1), ...all.slice(0, 1)]);
		}
	}
	return found;
}

async function findDifferent(
	shared: readonly (readonly [name: string, owners: readonly Shard[]])[],
	onProgress: (done: number, total: number) => void,
): Promise<Different> {
	const limit = pLimit(AT_ONCE);
	const different = new Map<string, readonly Shard[]>();
	let done = 0;
	const compare = async ([name, [first, ...others]]: (typeof shared)[number]) => {
		for (const other of others) {
			if (!first || (await hasSameContents(join(first.outDir, name), join(other.outDir, name)))) continue;
			different.set(name, [first, other]);
			break;
		}
		done += 1;
		onProgress(done, shared.length);
	};
	await limit.map(shared, compare);
	return different;
}

/** Joined sitemaps and their indexes. Those that cannot be joined are left out, and compared like any other file. */
async function joinAllSitemaps(shards: readonly Shard[], names: readonly string[]): Promise<TextFile[]> {
	const readAll = (files: readonly string[]) => Promise.all(shards.map((shard) => readThose(shard, files)));
	const joined: TextFile[] = [];
	for (const [series, files] of Map.groupBy(names, seriesOf)) {
		// Every series of sitemaps has this number. Other files may be many.
		if (series === undefined || !files.includes(`${series}-0.xml`)) continue;
		const ofShards = await readAll(files);
		if (isSameEverywhere(ofShards)) continue;
		const found = ofShards.filter(({ length }) => length > 0);
		joined.push(...(joinSitemaps(series, found) ?? []));
	}
	for (const name of names.filter(isIndexName)) {
		const ofShards = await readAll([name]);
		if (joined.length === 0 && isSameEverywhere(ofShards)) continue;
		const texts = ofShards.flat().map(({ text }) => text);
		const text = joinIndexes(texts, joined);
		if (text !== undefined) joined.push({ name, text });
	}
	return joined;
}

function isSameEverywhere(shards: readonly (readonly TextFile[])[]): boolean {
	const [first, ...others] = shards.map((files) => JSON.stringify(files));
	return others.every((other) => other === first);
}

/** Those of the files that a shard has. */
async function readThose({ outDir }: Shard, names: readonly string[]): Promise<TextFile[]> {
	const found: TextFile[] = [];
	for (const name of names) {
		try {
			found.push({ name, text: await readFile(join(outDir, name), 'utf8') });
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		}
	}
	return found;
}

/** Files named in the message. */
const MOST_NAMED = 20;
const MOST_LETTERS = 200;

function contradiction(different: Different): CommandError {
	const lines = [...different]
		.slice(0, MOST_NAMED)
		.map(
			([name, shards]) => `${plainLine(name, MOST_LETTERS)}: ${shards.map((shard) => shard.name).join(', ')}`,
		);
	const more = different.size - MOST_NAMED;
	return new CommandError(
		'PR_SHARDS_DIFFER',
		[
			`${count(different.size, 'file')} of several shards ${different.size === 1 ? 'is' : 'are'} not the same in all of them:`,
			...lines,
			...(more > 0 ? [`and ${amount(more)} more`] : []),
		].join('\n'),
		'Build all shards from the same commit and the same reviews, or let only one shard write these files. Tools that read the whole site, such as a search index, run after the merge.',
	);
}

/** What is in a folder and in the folders in it, by names relative to it, with forward slashes. */
interface ListedFiles {
	readonly files: readonly string[];
	/** Links that lead out of the folder, to a folder or nowhere, and what is neither a file nor a folder. */
	readonly others: readonly string[];
}

/** Lists every file of a folder, by name. */
async function listFiles(folder: string): Promise<ListedFiles> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const root = await realpath(folder);
	const [files, others]: [string[], string[]] = [[], []];
	for (const entry of entries) {
		if (entry.isDirectory()) continue;
		const path = join(entry.parentPath, entry.name);
		const isFile = entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path, root)));
		(isFile ? files : others).push(relative(folder, path).replaceAll(sep, '/'));
	}
	return { files: files.sort(), others: others.sort() };
}

async function leadsToFile(link: string, root: string): Promise<boolean> {
	try {
		const path = await realpath(link);
		return path.startsWith(root + sep) && (await stat(path)).isFile();
	} catch {
		return false;
	}
}

/** Bytes read at once. */
const CHUNK = 262_144;

/** Whether two files have the same bytes. */
async function hasSameContents(one: string, other: string): Promise<boolean> {
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
