import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, copyFile, mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pLimit from 'p-limit';
import { CommandError } from '../errors.js';
import { amount, count, plainLine } from '../text/words.js';
import { joinIndexes, joinSitemaps, seriesOf, type TextFile } from './sitemaps.js';

/** Files compared or copied at once. */
const AT_ONCE = 16;
/** Files named in a message. */
const MOST_NAMED = 20;
const MOST_LETTERS = 200;

/** The output folder of the whole site. Names are relative to it, with forward slashes. */
export interface FilePlan {
	/** Absolute paths of the files that are copied as they are, by name. */
	readonly copied: ReadonlyMap<string, string>;
	/** Files that are made from those of several shards. */
	readonly joined: readonly TextFile[];
}

/** A shard, as far as its output matters. */
interface Shard {
	readonly name: string;
	readonly outDir: string;
}

/** Shards by the name of a file. */
type Owners = ReadonlyMap<string, readonly Shard[]>;

/**
 * Finds out which files the whole site has, and where each comes from. Files that several shards have must be the same in
 * all of them, except sitemaps, which are joined.
 * @throws CommandError that names the files that differ.
 */
export async function planFiles(shards: readonly Shard[]): Promise<FilePlan> {
	const owners = new Map<string, Shard[]>();
	for (const shard of shards) {
		for (const name of await filesOf(shard)) owners.set(name, [...(owners.get(name) ?? []), shard]);
	}
	const joined = await joinAllSitemaps(shards, [...owners.keys()]);
	for (const { name } of joined) owners.delete(name);
	const different = new Map([...(await findDifferent(owners)), ...findFilesLikeFolders(owners)]);
	if (different.size > 0) throw contradiction(different);
	const copied = new Map([...owners].map(([name, [owner]]) => [name, join(owner?.outDir ?? '', name)]));
	return { copied, joined };
}

/** Every file of a shard's output. @throws CommandError for links that lead out of it, to a folder or nowhere, and for what is neither a file nor a folder */
async function filesOf({ name, outDir }: Shard): Promise<readonly string[]> {
	const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
	const root = await realpath(outDir);
	const files: string[] = [];
	for (const entry of entries) {
		if (entry.isDirectory()) continue;
		const path = join(entry.parentPath, entry.name);
		const file = relative(outDir, path).replaceAll(sep, '/');
		const isFile = entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path, root)));
		if (!isFile) {
			throw new CommandError(
				'PR_SHARD_UNUSABLE',
				`The output of ${name} has what is not a file of its own: ${plainLine(file, MOST_LETTERS)}.`,
				'Replace links in it with the files that they lead to.',
			);
		}
		files.push(file);
	}
	return files.sort();
}

async function leadsToFile(link: string, root: string): Promise<boolean> {
	try {
		const path = await realpath(link);
		return path.startsWith(root + sep) && (await stat(path)).isFile();
	} catch {
		return false;
	}
}

/** Names that are a file in one shard, and a folder in another. */
function findFilesLikeFolders(owners: Owners): Owners {
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

/** Files that are not the same in all shards that have them. */
async function findDifferent(owners: Owners): Promise<Owners> {
	const common = [...owners].filter(([, all]) => all.length > 1);
	const different = new Map<string, readonly Shard[]>();
	await pLimit(AT_ONCE).map(common, async ([name, all]) => {
		const digests = await Promise.all(all.map(({ outDir }) => digestOf(join(outDir, name))));
		const other = all.find((_, index) => digests[index] !== digests[0]);
		if (other) different.set(name, [...all.slice(0, 1), other]);
	});
	return different;
}

async function digestOf(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

function contradiction(different: Owners): CommandError {
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
	for (const name of names.filter((name) => name.endsWith('-index.xml'))) {
		const ofShards = await readAll([name]);
		if (joined.length === 0 && isSameEverywhere(ofShards)) continue;
		const texts = ofShards.flat().map(({ text }) => text);
		const text = joinIndexes(texts, joined);
		if (text !== undefined) joined.push({ name, text });
	}
	return joined;
}

function isSameEverywhere(shards: readonly (readonly TextFile[])[]): boolean {
	return new Set(shards.map((files) => JSON.stringify(files))).size === 1;
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

/**
 * Writes a new folder.
 * @throws CommandError if two names are one here, and Error of the file system. What was written until then stays.
 */
export async function writeFolder(folder: string, { copied, joined }: FilePlan): Promise<void> {
	await mkdir(folder, { recursive: true });
	const folders = new Set([...copied.keys(), ...joined.map(({ name }) => name)].map(dirname));
	for (const name of folders) await mkdir(join(folder, name), { recursive: true });
	await pLimit(AT_ONCE).map([...copied], async ([name, from]) => {
		// Shares the bytes where the file system can.
		const mode = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
		await copyFile(from, join(folder, name), mode).catch((cause) => rethrow(cause, name));
	});
	for (const { name, text } of joined) {
		await writeFile(join(folder, name), text, { flag: 'wx' }).catch((cause) => rethrow(cause, name));
	}
}

/** The folder is new, so a file that is there has a name that the file system takes for the same. */
function rethrow(cause: NodeJS.ErrnoException, name: string): never {
	if (cause.code !== 'EEXIST') throw cause;
	throw new CommandError(
		'PR_SHARDS_DIFFER',
		`Here, the name of ${plainLine(name, MOST_LETTERS)} is also that of another file.`,
		'Give pages names that differ in more than upper and lower case, or merge where file names are case-sensitive.',
		{ cause },
	);
}
