import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodePath, nameOfPath, withoutIndex } from '../base/paths.js';
import type { Dependency, StoredPage } from '../cache/page-store.js';
import { keyOfRequest } from '../render/address.js';

/** An address in a file: product ID and key of the request, with how often it stands there. */
interface FoundFragment {
	readonly pid: string;
	readonly key: string;
	readonly times: number;
}

const ATTRIBUTE = 'data-pr="';
const ADDRESS = /^([^" ]*) ([0-9a-z]{8})(?:\.(\w+))?$/;

/** Returns the fragments that stand in a page, whoever rendered them. Their addresses are ASCII, so no text is made of the rest. */
export function fragmentsIn(contents: Buffer): readonly FoundFragment[] {
	// The parts of a section have one address each.
	const parts = new Map<string, Map<string, number>>();
	for (let at = contents.indexOf(ATTRIBUTE); at >= 0; at = contents.indexOf(ATTRIBUTE, at + 1)) {
		const start = at + ATTRIBUTE.length;
		const address = contents.toString('latin1', start, contents.indexOf('"', start));
		const [, pid = '', key = '', part = ''] = ADDRESS.exec(address) ?? [];
		if (key === '') continue;
		const name = `${pid} ${key}`;
		const times = parts.get(name) ?? new Map<string, number>();
		parts.set(name, times.set(part, (times.get(part) ?? 0) + 1));
	}
	return [...parts].map(([name, times]) => {
		const [pid = '', key = ''] = name.split(' ');
		return { pid: decodePath(pid), key, times: Math.max(...times.values()) };
	});
}

/** Files compared in one turn of the event loop, so that V8 collects garbage before it takes more memory for it. */
const IN_TURN = 50;

export interface MatchContext {
	/** Folder of the pages. */
	readonly folder: string;
	readonly get: (name: string) => StoredPage | undefined;
	/**
	 * Finds a fragment that some page was rendered with. If there is none, nothing of this build wrote it: once the reviews
	 * change, only a build can say what belongs there.
	 */
	readonly find: (pid: string, key: string) => Dependency;
	/** The address of a file's page. */
	readonly addressOf: (file: string) => string;
}

/**
 * Compares what the files of a build hold with what was rendered for their pages. Html also reaches pages that it was not rendered
 * for, such as a slot that a layout renders once for all pages; and two pages may have one name.
 * @param files relative to the folder. @param names of the pages that were rendered.
 * @returns the pages for which the two differ; `undefined` for a name that stands for no page of its own.
 */
export async function* matchFiles(
	files: Iterable<string>,
	names: Iterable<string>,
	{ folder, get, find, addressOf }: MatchContext,
): AsyncGenerator<readonly [string, StoredPage | undefined]> {
	const namesOf = Map.groupBy(names, formOf);
	const read = createReader();
	let compared = 0;
	for (const [form, group] of Map.groupBy(files, (file) => formOf(nameOfFile(file)))) {
		if (++compared % IN_TURN === 0) await nextTurn();
		const own = namesOf.get(form) ?? [];
		const rows = own.flatMap((name) => get(name) ?? []);
		const rendered = rows.flatMap((row) => row.dependencies.map(withKey));
		const held = group.map((file) => fragmentsIn(read(join(folder, file))));
		// An endpoint may have the name of a page.
		const isShared =
			(group.length > 1 || own.length > 1) &&
			held.filter((fragments) => fragments.length > 0).length + rows.length > 1;
		if (!isShared && isExplained(held.flat(), rendered)) continue;
		// Of two pages with one file, that has what the last one wrote.
		const besides =
			own.length > group.length ? rendered.filter(({ key }) => !key) : lostOf(rendered, held.flat());
		const dependenciesOf = (fragments: readonly FoundFragment[] = []) => [
			...fragments.flatMap(({ pid, key, times }) => {
				const known = rendered.find((one) => one.key === key && one.dependency.pid === pid);
				return Array.from({ length: times }, () => known?.dependency ?? find(pid, key));
			}),
			...besides.map(({ dependency }) => dependency),
		];
		if (isShared) {
			for (const name of own) yield [name, undefined];
			for (const [index, file] of group.entries()) {
				const dependencies = dependenciesOf(held[index]);
				const [row] = rows;
				yield [`/${file}`, { facts: [], ...row, file, address: addressOf(file), dependencies }];
			}
			continue;
		}
		const [file = ''] = group;
		const [name = nameOfFile(file)] = own;
		const [row = { address: addressOf(file), facts: [] }] = rows;
		yield [name, { ...row, file, dependencies: dependenciesOf(held[0]) }];
	}
}

/** A dependency of a page that was rendered, and the key of its fragment, if it has one. */
interface Rendered {
	readonly dependency: Dependency;
	readonly key: string | undefined;
}

export function withKey(dependency: Dependency): Rendered {
	return { dependency, key: dependency.request && keyOfRequest(dependency.request) };
}

/** Returns whether a file holds no more than what was rendered for it. */
function isExplained(held: readonly FoundFragment[], rendered: readonly Rendered[]): boolean {
	const byName = Map.groupBy(rendered, ({ dependency, key }) => `${dependency.pid} ${key}`);
	return held.every(({ pid, key, times }) => times <= (byName.get(`${pid} ${key}`)?.length ?? 0));
}

/** Returns a function that reads one file after the other into the same memory: a build may have 100,000 of them. */
function createReader(): (file: string) => Buffer {
	let buffer = Buffer.allocUnsafe(65_536);
	return (file) => {
		const descriptor = openSync(file, 'r');
		try {
			const { size } = fstatSync(descriptor);
			if (size > buffer.length) buffer = Buffer.allocUnsafe(2 * size);
			return buffer.subarray(0, readSync(descriptor, buffer, 0, size, 0));
		} finally {
			closeSync(descriptor);
		}
	};
}

/** Names a file as its address does: that of "kettle.html/index.html" is "/kettle.html/". */
function nameOfFile(file: string): string {
	return nameOfPath(withoutIndex(file));
}

/** Two names of this form may be of one file, such as "mix 50" and "mix%2050". */
function formOf(name: string): string {
	return decodePath(name).replaceAll('\\', '/');
}

/**
 * Returns what pages were rendered with that their files do not hold: data that their code uses, and fragments that something
 * else changed after their components wrote them.
 */
function lostOf(rendered: readonly Rendered[], held: readonly FoundFragment[]): readonly Rendered[] {
	const left = new Map<string, number>();
	for (const { pid, key, times } of held) left.set(`${pid} ${key}`, times + (left.get(`${pid} ${key}`) ?? 0));
	return rendered.filter(({ dependency, key }) => {
		const name = `${dependency.pid} ${key}`;
		const times = key === undefined ? 0 : (left.get(name) ?? 0);
		left.set(name, times - 1);
		return times <= 0;
	});
}
