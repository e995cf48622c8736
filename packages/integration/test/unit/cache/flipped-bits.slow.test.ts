import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { UnusableFileError } from '../../../src/cache/open-database.js';
import { pack } from '../../../src/records/packed.js';
import { isOutdated } from '../../../src/reviews/parts.js';
import { createCacheFile } from '../../support/unit/cache.js';

const FETCHED_AT = 1_700_000_000_000;
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
	const index = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_payloads_1'";
	const row = database.prepare(index).get();
	database.close();
	return Number(row?.['rootpage']);
}

/** Lists what a build keeps, as short as it can be: a record, and what is to be known without it. */
const RECORDS = (
	[
		['reviews', 'p8', { pid: 'p8' }, { average: 4, count: 8 }],
		['reviews', 'p9', { pid: 'p9' }, { average: 3, count: 9 }],
		['review-data', 'p9', { questions: 1 }, undefined],
	] as const
).map(([part, pid, value, summary]) => {
	return { part, pid, packed: pack(value, summary), value, name: `${part} ${pid}` };
});

const PAGE = 'p9';
const DEPENDENCIES = RECORDS.map(({ part, pid, packed }) => {
	return { pid, from: part, version: packed.digest, held: ['d'] };
});
const PAGE_ROW = { address: '/p9/', dependencies: DEPENDENCIES, facts: [] };
const BUILD = { id: 'build', account: 'a' };
/** Lists what pages show of products, by product and part. */
const SHOWN = DEPENDENCIES.map(({ pid, from: part, version }) => ({ pid, part, version, pages: [PAGE] }));
const byName = (one: { pid: string; part: string }, other: typeof one) =>
	`${one.pid} ${one.part}`.localeCompare(`${other.pid} ${other.part}`);

type Opened = ReturnType<ReturnType<typeof createCacheFile>['openBoth']>;

/** Reads each row in every way. @returns records that are not there, and what is wrong of the others */
function read({ store, pages }: Opened, knownTimes: readonly number[]) {
	const missing: typeof RECORDS = [];
	const wrong: string[] = [];
	const expectSame = (name: string, found: unknown, expected: unknown) => {
		if (found !== undefined && JSON.stringify(found) !== JSON.stringify(expected))
			wrong.push(`${name}: ${JSON.stringify(found)}`);
	};
	for (const one of RECORDS) {
		const { part, pid, packed, value, name } = one;
		// As a build does: at once, since a file that is set aside takes what is known of changes along.
		const first = store.entry(pid, part);
		const accept = first && !isOutdated(first, store.markOf(pid));
		const stored = store.read(pid, part)?.record;
		if (stored === undefined || !accept) missing.push(one);
		expectSame(name, stored, value);
		for (const entry of [first, store.entries([pid], part).get(pid)]) {
			const { digest, summary, state, validators, revision, fetchedAt } = entry ?? {};
			const known = { digest: packed.digest, summary: packed.summary, state: 'fetched', revision: 0 };
			if (entry) expectSame(name, { digest, summary, state, validators, revision }, known);
			if (entry && !knownTimes.includes(fetchedAt ?? 0)) wrong.push(`${name} was fetched at ${fetchedAt}`);
		}
	}
	const { row, next } = pages.get(PAGE) ?? {};
	expectSame('page', row, PAGE_ROW);
	expectSame('page, next', next, undefined);
	// Whatever the index says is proven, and whoever asks what it does not have is told that it is damaged.
	if (pages.isOf(BUILD)) {
		for (const [what, ask, expected] of [
			['products', () => pages.products(), ['p8', 'p9']],
			['shown', () => pages.products() && pages.shown(['p8', 'p9']).toSorted(byName), SHOWN.toSorted(byName)],
		] as const) {
			try {
				expectSame(what, ask(), expected);
			} catch (error) {
				if (!(error instanceof UnusableFileError)) throw error;
			}
		}
	}
	return { missing, wrong };
}

/** As a build does: what is not there, or has changed, is fetched, and what nobody asks for is forgotten. */
function build(opened: Opened) {
	const { store, pages } = opened;
	const found = read(opened, [FETCHED_AT, LATER]);
	for (const { part, pid, packed } of found.missing)
		store.put(pid, part, packed, { fetchedAt: LATER, revision: 0 });
	pages.put(PAGE, PAGE_ROW);
	pages.finish(new Set([PAGE]), BUILD, false);
	store.prune(FETCHED_AT - 1);
	store.close();
	return found;
}

function fill() {
	const cacheFile = createCacheFile();
	const opened = cacheFile.openBoth('a', () => FETCHED_AT);
	for (const { part, pid, packed } of RECORDS)
		opened.store.put(pid, part, packed, { fetchedAt: FETCHED_AT, revision: 0 });
	build(opened);
	return { ...cacheFile, importantPage: shrinkPages(cacheFile.file) };
}

/** Every so many bits are flipped, and of those of the keys of values; with `TEST_FULL=1`, many more. After every so many of these, and after those of the keys, a whole build follows, and another one. Primes, to meet each bit of a byte. */
const [FLIPPED, OF_KEYS] = process.env['TEST_FULL'] === '1' ? [3, 1] : [29, 3];
const BUILDS = 101;

test('no flipped bit of a store shows what was not stored, throws, or stays', () => {
	const { file, openBoth, warnings, importantPage } = fill();
	const start = () => openBoth('a', () => LATER);
	const whole = readFileSync(file);
	const isSetAside = (warning: string) => warning.includes('.set-aside');
	const wrong: string[] = [];
	let [seen, flipped, ignored] = [0, 0, 0];
	for (const bit of bitsOfRows(whole)) {
		const isImportant = Math.floor(bit / (8 * SIZE)) + 1 === importantPage;
		if (++seen % (isImportant ? OF_KEYS : FLIPPED) !== 0) continue;
		const at = bit >> 3;
		const byte = Buffer.of((whole[at] as number) ^ (1 << (bit & 7)));
		const descriptor = openSync(file, 'r+');
		writeSync(descriptor, byte, 0, 1, at);
		const opened = start();
		const found = read(opened, [FETCHED_AT]);
		opened.store.close();
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
		const left = [...next.missing.map(({ name }) => `${name} is gone`), ...warnings.splice(0)];
		// Where the index of records is damaged, each build requests what it does not find, until one finds the damage.
		if (!isImportant) next.wrong.push(...left);
		wrong.push(...next.wrong.map((what) => `the build after that of bit ${bit}: ${what}`));
		writeFileSync(file, whole);
	}
	expect(wrong).toEqual([]);
	expect(flipped).toBeGreaterThan(6_000 / FLIPPED);
	expect(ignored).toBeGreaterThan(3_000 / FLIPPED);
});
