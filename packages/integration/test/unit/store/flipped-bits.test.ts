import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
	bitsOfRows,
	memoryFolder,
	pageOf,
	rootPageOf,
	shrinkPages,
} from 'product-reviews-test-support/flipped-bits';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import type { Kind, ReviewStore } from '../../../src/store/review-store.js';
import { createStoreFile } from '../../support/unit/store.js';

const FETCHED_AT = 1_700_000_000_000;
const LATER = FETCHED_AT + 1_000;

/** What a build keeps, as short as it can be: a value, and what is to be known without it. */
const ROWS: readonly (readonly [StoredKind, string, unknown, unknown])[] = [
	['reviews', 'p8', { pid: 'p8' }, { average: 4, count: 8 }],
	['reviews', 'p9', { pid: 'p9' }, { average: 3, count: 9 }],
	['output', 'last', { isComplete: true }, undefined],
];

type StoredKind = Exclude<Kind, 'page'>;

/** The page that shows a product. */
const PAGE_NAME = '/p9';
const PAGE_VALUE = JSON.stringify({ generation: 'g' });

/** What was made of a value. */
const attachmentsOf = (pid: string) => ({
	set: 's',
	items: { k: { text: `About ${pid}.`, about: { pid } } },
});

interface WrittenRow {
	readonly kind: StoredKind;
	readonly pid: string;
	readonly packed: ReturnType<typeof pack>;
	/** What reading the row has to give, as JSON, but for its times. */
	readonly expected: string;
}

const WRITTEN: readonly WrittenRow[] = ROWS.map(([kind, pid, value, summary]) => {
	const packed = pack(value, summary, kind === 'reviews' ? attachmentsOf(pid) : undefined);
	return { kind, pid, packed, expected: JSON.stringify([packed.digest, packed.summary, value]) };
});

/** Reads each row in every way. @returns those that are not there, and what is wrong of the others. */
function read(store: ReviewStore, knownTimes: readonly number[]) {
	const missing: WrittenRow[] = [];
	const wrong: string[] = [];
	for (const row of WRITTEN) {
		const { kind, pid, packed, expected } = row;
		const table = store.table(kind);
		const stored = table.get(pid);
		if (!stored) missing.push(row);
		else if (JSON.stringify([stored.digest, stored.summary, stored.value]) !== expected)
			wrong.push(`${kind} ${pid}: ${JSON.stringify(stored)}`);
		const attachment = table.attachment(pid, 's', 'k');
		if (attachment && JSON.stringify(attachment) !== JSON.stringify(attachmentsOf(pid).items.k))
			wrong.push(`${kind} ${pid}: ${JSON.stringify(attachment)}`);
		for (const entry of [stored, table.entries([pid]).get(pid)]) {
			const isRight =
				!entry ||
				(entry.digest === packed.digest &&
					entry.summary === packed.summary &&
					entry.state === 'fetched' &&
					entry.validators === undefined &&
					knownTimes.includes(entry.fetchedAt));
			if (!isRight) wrong.push(`${kind} ${pid}: ${JSON.stringify(entry)}`);
		}
	}
	const pages = store.pages();
	const page = JSON.stringify(pages.get(PAGE_NAME) ?? JSON.parse(PAGE_VALUE));
	if (page !== PAGE_VALUE) wrong.push(`page ${page}`);
	// Its name may be damaged: what is found under it is checked when it is read.
	for (const name of pages.showing(['p8', 'p9'])) pages.get(name);
	return { missing, wrong };
}

/** As a build does: what is not there is fetched, and what nobody asks for is forgotten. */
function build(store: ReviewStore) {
	const { missing, wrong } = read(store, [FETCHED_AT, LATER]);
	for (const { kind, pid, packed } of missing) store.table(kind).put(pid, packed, LATER);
	const pages = store.pages();
	if (!pages.get(PAGE_NAME)) pages.put(PAGE_NAME, pack(JSON.parse(PAGE_VALUE)), ['p9']);
	pages.keepOnly(new Set([PAGE_NAME]));
	store.prune(FETCHED_AT - 1);
	store.close();
	return { missing, wrong };
}

function fill() {
	const storeFile = createStoreFile(join(createFolder('flipped-bits', memoryFolder()), 'reviews.db'));
	const store = storeFile.open('a', () => FETCHED_AT);
	for (const { kind, pid, packed } of WRITTEN) store.table(kind).put(pid, packed, FETCHED_AT);
	store.pages().put(PAGE_NAME, pack(JSON.parse(PAGE_VALUE)), ['p9']);
	store.close();
	shrinkPages(storeFile.file);
	return storeFile;
}

/** Every so many bits, and for each bit of the index of values, a whole build follows, and another one after it. */
const BUILDS = 499;
test('no flipped bit of a store shows what was not stored, throws, or stays', { timeout: 600_000 }, () => {
	const { file, open, warnings } = fill();
	const whole = readFileSync(file);
	const index = rootPageOf('sqlite_autoindex_contents_1', file);
	const wrong: string[] = [];
	let flipped = 0;
	let ignored = 0;
	const isSetAside = (warning: string) => warning.includes('.set-aside');
	for (const bit of bitsOfRows(whole)) {
		const at = bit >> 3;
		const byte = Buffer.of((whole[at] as number) ^ (1 << (bit & 7)));
		const descriptor = openSync(file, 'r+');
		writeSync(descriptor, byte, 0, 1, at);
		const store = open('a', () => LATER);
		const found = read(store, [FETCHED_AT]);
		store.close();
		wrong.push(...found.wrong.map((what) => `bit ${bit}: ${what}`));
		if (found.missing.length > 0) ignored += 1;
		writeSync(descriptor, whole, at, 1, at);
		closeSync(descriptor);
		if (warnings.some(isSetAside)) writeFileSync(file, whole);
		flipped += 1;
		if (flipped % BUILDS === 0 || pageOf(bit) === index) {
			const damaged = Buffer.from(whole);
			byte.copy(damaged, at);
			writeFileSync(file, damaged);
			wrong.push(...build(open('a', () => LATER)).wrong);
			// What was read of a file before it was set aside is not in the new one yet.
			if (warnings.splice(0).some(isSetAside)) wrong.push(...build(open('a', () => LATER)).wrong);
			const next = build(open('a', () => LATER));
			const left = [
				...next.wrong,
				...next.missing.map(({ kind, pid }) => `${kind} ${pid} is gone`),
				...warnings,
			];
			wrong.push(...left.map((what) => `the build after that of bit ${bit}: ${what}`));
			writeFileSync(file, whole);
		}
		warnings.length = 0;
	}
	expect(wrong).toEqual([]);
	expect(flipped).toBeGreaterThan(4_000);
	expect(ignored).toBeGreaterThan(3_000);
});
