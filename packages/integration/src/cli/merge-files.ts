import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { constants, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pLimit from 'p-limit';
import { commandError } from '../errors/catalog.js';
import { CommandError } from '../errors.js';
import { amount, count, plainLine, reasonOf } from '../text/words.js';
import { joinIndexes, joinSitemaps, seriesOf, type TextFile } from './sitemaps.js';
import { sayingProgress } from './terminal.js';

/** Files compared or copied at once. */
const AT_ONCE = 16;
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

type Owners = ReadonlyMap<string, readonly Shard[]>;

/**
 * Finds out which files the whole site has, and where each comes from. Files that several shards have must be the same in
 * all of them, except sitemaps, which are joined.
 * @throws CommandError that names the files that differ.
 */
export async function planFiles(shards: readonly Shard[]): Promise<FilePlan> {
	try {
		const owners = new Map<string, Shard[]>();
		for (const shard of shards) {
			for (const name of await filesOf(shard)) owners.set(name, [...(owners.get(name) ?? []), shard]);
		}
		const joined = await joinAllSitemaps(shards, owners);
		for (const { name } of joined) owners.delete(name);
		const different = await findDifferent(owners);
		if (different.size > 0) throw contradiction(different);
		const copied = new Map([...owners].map(([name, [owner]]) => [name, join(owner?.outDir ?? '', name)]));
		return { copied, joined };
	} catch (cause) {
		const { path } = cause as NodeJS.ErrnoException;
		const shard = shards.find(({ outDir }) => path?.startsWith(outDir));
		if (!shard) throw cause;
		const message = `The output of ${shard.name} cannot be read: ${reasonOf(cause)}.`;
		throw commandError('PR_SHARD_UNUSABLE', message, cause);
	}
}

/** Every file of a shard's output. @throws CommandError for what is neither a file nor a folder, such as a link */
async function filesOf({ name, outDir }: Shard): Promise<readonly string[]> {
	const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => !entry.isDirectory());
	const nameOf = (file: Dirent) => relative(outDir, join(file.parentPath, file.name)).replaceAll(sep, '/');
	const other = files.find((file) => !file.isFile());
	if (!other) return files.map(nameOf).sort();
	throw new CommandError(
		'PR_SHARD_UNUSABLE',
		`The output of ${name} has what is not a file of its own: ${plainLine(nameOf(other), MOST_LETTERS)}.`,
		'Replace links in it with the files that they lead to.',
	);
}

/** Files that are not the same in all shards that have them, and names that are those of folders elsewhere. */
async function findDifferent(owners: Owners): Promise<Owners> {
	const different = new Map<string, readonly Shard[]>();
	await pLimit(AT_ONCE).map([...owners], async ([name, [first, ...others]]) => {
		for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) {
			const owner = owners.get(folder)?.[0];
			if (owner && first) different.set(folder, [owner, first]);
		}
		if (!first || others.length === 0) return;
		const digest = await digestOf(join(first.outDir, name));
		for (const other of others) {
			if ((await digestOf(join(other.outDir, name))) !== digest) different.set(name, [first, other]);
		}
	});
	return different;
}

async function digestOf(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

function contradiction(different: Owners): CommandError {
	const { size } = different;
	const named = [...different]
		.slice(0, MOST_NAMED)
		.map(([name, shards]) => `${plainLine(name, MOST_LETTERS)}: ${shards.map((one) => one.name).join(', ')}`);
	const head = `${count(size, 'file')} of several shards ${size === 1 ? 'is' : 'are'} not the same in all of them:`;
	const more = size > MOST_NAMED ? [`and ${amount(size - MOST_NAMED)} more`] : [];
	return commandError('PR_SHARDS_DIFFER', [head, ...named, ...more].join('\n'));
}

/** Joined sitemaps and their indexes. Those that cannot be joined are left out, and compared like any other file. */
async function joinAllSitemaps(shards: readonly Shard[], owners: Owners): Promise<TextFile[]> {
	const names = [...owners.keys()];
	const readAll = (files: readonly string[]) => {
		const read = async (shard: Shard, name: string) => {
			return { name, text: await readFile(join(shard.outDir, name), 'utf8') };
		};
		const ownOf = (shard: Shard) => files.filter((name) => owners.get(name)?.includes(shard));
		return Promise.all(shards.map((shard) => Promise.all(ownOf(shard).map((name) => read(shard, name)))));
	};
	const joined: TextFile[] = [];
	for (const [series, files] of Map.groupBy(names, seriesOf)) {
		// Every series of sitemaps has this number. Other files may be many.
		if (series === undefined || !files.includes(`${series}-0.xml`)) continue;
		const ofShards = await readAll(files);
		if (!areSame(ofShards)) joined.push(...(joinSitemaps(series, ofShards) ?? []));
	}
	for (const name of names.filter((name) => name.endsWith('-index.xml'))) {
		const ofShards = await readAll([name]);
		if (joined.length === 0 && areSame(ofShards)) continue;
		const text = joinIndexes(
			ofShards.flat().map((file) => file.text),
			joined,
		);
		if (text !== undefined) joined.push({ name, text });
	}
	return joined;
}

function areSame(shards: readonly (readonly TextFile[])[]): boolean {
	return new Set(shards.map((files) => JSON.stringify(files))).size === 1;
}

/**
 * Writes a new folder.
 * @throws CommandError if two names are one here, and Error of the file system. What was written until then stays.
 */
export async function writeFolder(folder: string, { copied, joined }: FilePlan): Promise<void> {
	const sayProgress = sayingProgress();
	let written = 0;
	await mkdir(folder, { recursive: true });
	const folders = new Set([...copied.keys(), ...joined.map(({ name }) => name)].map(dirname));
	for (const name of folders) await mkdir(join(folder, name), { recursive: true });
	await pLimit(AT_ONCE).map([...copied], async ([name, from]) => {
		// Shares the bytes where the file system can.
		const mode = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
		await copyFile(from, join(folder, name), mode).catch((cause) => rethrow(cause, name));
		written += 1;
		sayProgress(() => `${amount(written)} of ${count(copied.size, 'file')} copied`);
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
