import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, test } from 'vitest';
import { replaceFile, writeText } from '../../../src/project/files.js';

const DEPLOY = 12_345;
const WWW = 23_456;
const isRoot = process.getuid?.() === 0;
const NOT_ROOT = 'Files can only be given to others by root on Linux.';

/** A file of somebody else, such as a deploy user whose group is that of the web server. */
function createFile(file: string, uid = DEPLOY, gid = WWW, mode = 0o640) {
	writeFileSync(file, 'old');
	chownSync(file, uid, gid);
	chmodSync(file, mode);
}

const accessOf = (file: string) => {
	const { uid, gid, mode } = statSync(file);
	return [uid, gid, mode & 0o7777];
};

test('a file and its copies are replaced, with their owner, group and mode', async ({ skip }) => {
	if (!isRoot) return skip(NOT_ROOT);
	const folder = createFolder();
	const file = join(folder, 'index.html');
	createFile(file);
	createFile(`${file}.gz`, DEPLOY, DEPLOY, 0o400);
	await replaceFile(file, Buffer.from('new'));
	expect(readFileSync(file, 'utf8')).toBe('new');
	expect(gunzipSync(readFileSync(`${file}.gz`)).toString()).toBe('new');
	expect(accessOf(file)).toEqual([DEPLOY, WWW, 0o640]);
	expect(accessOf(`${file}.gz`)).toEqual([DEPLOY, DEPLOY, 0o400]);
	writeText(file, 'newer');
	expect(readFileSync(file, 'utf8')).toBe('newer');
	expect(accessOf(file)).toEqual([DEPLOY, WWW, 0o640]);
	expect(readdirSync(folder).toSorted()).toEqual(['index.html', 'index.html.gz']);
});

test('a new file has the mode that the process gives', async () => {
	const folder = createFolder();
	const before = process.umask(0o027);
	try {
		await replaceFile(join(folder, 'one'), Buffer.from('new'));
		writeText(join(folder, 'below/two'), 'new');
	} finally {
		process.umask(before);
	}
	for (const name of ['one', 'below/two']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o640);
});

const FILES = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** Replaces a file as an ordinary user, who is in some groups and may not read this checkout. @returns the error's message, or nothing */
async function replaceAs(uid: number, groups: readonly number[], file: string): Promise<string> {
	const code = `
		const { replaceFile } = await import(${JSON.stringify(pathToFileURL(join(FILES, 'project/files.js')).href)});
		process.setgroups(${JSON.stringify(groups)});
		process.setgid(${uid});
		process.setuid(${uid});
		await replaceFile(${JSON.stringify(file)}, Buffer.from('new')).catch((error) => console.log(error.message));
	`;
	const program = runNodeInTest(['--input-type=module', '--eval', code]);
	expect(await program.ended, program.errors()).toBe(0);
	return program.printed();
}

const OTHER = 34_567;

interface Replacing {
	readonly what: string;
	readonly uid: number;
	readonly groups: readonly number[];
	readonly owner?: number;
	readonly mode?: number;
	/** Owner and group of the new file; `undefined` if the old one is left. */
	readonly after: readonly [uid: number, gid: number] | undefined;
}

test.for<Replacing>([
	{ what: 'the owner keeps a group of its own', uid: DEPLOY, groups: [WWW], after: [DEPLOY, WWW] },
	{ what: 'all may read it', uid: OTHER, groups: [], mode: 0o644, after: [OTHER, OTHER] },
	{ what: 'root owned it, and the group is kept', uid: OTHER, groups: [WWW], owner: 0, after: [OTHER, WWW] },
	{ what: 'the group could not read it any more', uid: DEPLOY, groups: [], after: undefined },
	{ what: 'the owner could not read it any more', uid: OTHER, groups: [WWW], after: undefined },
])('replaced by somebody who may not give files away: $what', async (replacing, { skip }) => {
	const { uid, groups, owner = DEPLOY, mode = 0o640, after } = replacing;
	if (!isRoot) return skip(NOT_ROOT);
	const folder = createFolder();
	chmodSync(folder, 0o777);
	const file = join(folder, 'index.html');
	createFile(file, owner, WWW, mode);
	const message = await replaceAs(uid, groups, file);
	expect(readFileSync(file, 'utf8')).toBe(after ? 'new' : 'old');
	expect(accessOf(file)).toEqual([...(after ?? [owner, WWW]), mode]);
	const why = `"${file}" was left as it is: its owner and group are ${owner}:${WWW}, its mode is 0640`;
	expect(message).toContain(after ? '' : why);
	expect(readdirSync(folder)).toEqual(['index.html']);
});
