import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { ReviewCache } from '../../../src/cache/open-cache.js';
import { pack } from '../../../src/cache/values.js';
import { createCacheFile } from '../../support/unit/cache.js';
import { createRevalidation } from '../../support/unit/session.js';

const FETCHED_AT = 1_700_000_000_000;
const MARKED_AT = FETCHED_AT + 500;
const LATER = FETCHED_AT + 1_000;

/** The smallest pages of a database that there are. */
const SIZE = 512;
const TYPES_OF_PAGES_WITH_ROWS = [2, 5, 10, 13];
/** Of the bits that hold no row every so many is flipped: all of them would take minutes. A prime, to meet each of a byte. */
const ELSEWHERE = 127;

/**
 * Every bit of each page that holds rows, but for the room between their list and the rows, where nothing lies; every so
 * many of the first page and of those that hold the schema.
 */
function* bitsOfRows(file: Buffer): Iterable<number> {
	for (let at = 0; at < file.length; at++) {
		const start = at - (at % SIZE);
		const isOfRows = start > 0 && TYPES_OF_PAGES_WITH_ROWS.includes(file[start] as number);
		const isInRows =
			at - start < 12 + 2 * file.readUInt16BE(start + 3) || at - start >= file.readUInt16BE(start + 5);
		for (let bit = 8 * at; bit < 8 * at + 8; bit++)
			if ((isOfRows && isInRows) || bit % ELSEWHERE === 0) yield bit;
	}
}

/** Writes a store again in such pages. @returns the number of the page with the keys of values. */
function shrinkPages(file: string): number {
	const database = new DatabaseSync(file);
	database.exec(
		`PRAGMA journal_mode = DELETE; PRAGMA page_size = ${SIZE}; VACUUM; PRAGMA journal_mode = WAL`,
	);
	const index = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_contents_1'";
	const row = database.prepare(index).get();
	database.close();
	return Number(row?.['rootpage']);
}

/** What a build keeps, as short as it can be: a value, and what is to be known without it. */
const ROWS = (
	[
		['reviews', 'p8', { pid: 'p8' }, { average: 4, count: 8 }],
		['reviews', 'p9', { pid: 'p9' }, { average: 3, count: 9 }],
		['output', 'last', { isComplete: true }, undefined],
	] as const
).map(([kind, pid, value, summary]) => {
	return { kind, pid, packed: pack(value, summary), value, name: `${kind} ${pid}` };
});

const PAGE = '/p9';
const PAGE_VALUE = { generation: 'g' };

/** Reads each row in every way. @returns those that are not there, and what is wrong of the others. */
function read(cache: ReviewCache, knownTimes: readonly number[]) {
	const missing: typeof ROWS = [];
	const wrong: string[] = [];
	const expectSame = (name: string, found: unknown, expected: unknown) => {
		if (found !== undefined && JSON.stringify(found) !== JSON.stringify(expected))
			wrong.push(`${name}: ${JSON.stringify(found)}`);
	};
	const revalidation = createRevalidation(cache, () => LATER);
	for (const row of ROWS) {
		const { kind, pid, packed, value, name } = row;
		const table = cache.table(kind);
		// As a build does: at once, since a file that is set aside takes what is known of changes along.
		const first = table.entry(pid);
		const isBelieved = first && (kind === 'output' || !revalidation.isOutdated(pid, first.fetchedAt));
		const stored = table.get(pid);
		if (!stored || !isBelieved) missing.push(row);
		expectSame(name, stored?.value, value);
		for (const entry of [first, stored, table.entries([pid]).get(pid)]) {
			const { digest, summary, state, validators, fetchedAt } = entry ?? {};
			const known = { digest: packed.digest, summary: packed.summary, state: 'fetched' };
			if (entry) expectSame(name, { digest, summary, state, validators }, known);
			if (entry && !knownTimes.includes(fetchedAt ?? 0)) wrong.push(`${name} was fetched at ${fetchedAt}`);
		}
	}
	const pages = cache.pages();
	expectSame('page', pages.get(PAGE), PAGE_VALUE);
	// Its name may be damaged: what is found under it is checked when it is read.
	for (const name of pages.showing(['p8', 'p9'])) pages.get(name);
	return { missing, wrong };
}

/** As a build does: what is not there, or has changed, is fetched, and what nobody asks for is forgotten. */
function build(cache: ReviewCache) {
	const found = read(cache, [FETCHED_AT, LATER]);
	for (const { kind, pid, packed } of found.missing) cache.table(kind).put(pid, packed, LATER);
	const pages = cache.pages();
	if (!pages.get(PAGE)) pages.put(PAGE, pack(PAGE_VALUE), ['p9']);
	pages.keepOnly(new Set([PAGE]));
	cache.prune(FETCHED_AT - 1);
	cache.close();
	return found;
}

function fill() {
	const cacheFile = createCacheFile();
	const cache = cacheFile.open('a', () => FETCHED_AT);
	for (const { kind, pid, packed } of ROWS) cache.table(kind).put(pid, packed, FETCHED_AT);
	cache.pages().put(PAGE, pack(PAGE_VALUE), ['p9']);
	createRevalidation(cache, () => MARKED_AT).mark(['p9']);
	cache.close();
	return { ...cacheFile, importantPage: shrinkPages(cacheFile.file) };
}

/** Every so many bits are flipped. After every so many of these, and after those of the keys of values, a whole build follows, and another one. Primes, to meet each bit of a byte. */
const FLIPPED = 3;
const BUILDS = 101;

test('no flipped bit of a store shows what was not stored, throws, or stays', () => {
	const { file, open, warnings, importantPage } = fill();
	const start = () => open('a', () => LATER);
	const whole = readFileSync(file);
	const isSetAside = (warning: string) => warning.includes('.set-aside');
	const wrong: string[] = [];
	let [seen, flipped, ignored] = [0, 0, 0];
	for (const bit of bitsOfRows(whole)) {
		const isImportant = Math.floor(bit / (8 * SIZE)) + 1 === importantPage;
		if (++seen % FLIPPED !== 0 && !isImportant) continue;
		const at = bit >> 3;
		const byte = Buffer.of((whole[at] as number) ^ (1 << (bit & 7)));
		const descriptor = openSync(file, 'r+');
		writeSync(descriptor, byte, 0, 1, at);
		const cache = start();
		const found = read(cache, [FETCHED_AT]);
		cache.close();
		wrong.push(...found.wrong.map((what) => `bit ${bit}: ${what}`));
		if (found.missing.length > 1) ignored += 1;
		writeSync(descriptor, whole, at, 1, at);
		closeSync(descriptor);
		if (warnings.splice(0).some(isSetAside)) writeFileSync(file, whole);
		flipped += 1;
		if (!isImportant && flipped % BUILDS !== 0) continue;
		const damaged = Buffer.from(whole);
		byte.copy(damaged, at);
		writeFileSync(file, damaged);
		wrong.push(...build(start()).wrong);
		// What was read of a file before it was set aside is not in the new one yet.
		if (warnings.splice(0).some(isSetAside)) wrong.push(...build(start()).wrong);
		const next = build(start());
		const left = [...next.wrong, ...next.missing.map(({ name }) => `${name} is gone`), ...warnings.splice(0)];
		wrong.push(...left.map((what) => `the build after that of bit ${bit}: ${what}`));
		writeFileSync(file, whole);
	}
	expect(wrong).toEqual([]);
	expect(flipped).toBeGreaterThan(2_000);
	expect(ignored).toBeGreaterThan(1_000);
});
