import { readFileSync, writeFileSync } from 'node:fs';
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
import { createRevalidation } from '../../../src/cache/create-revalidation.js';
import { pack } from '../../../src/store/pack.js';
import type { ReviewStore } from '../../../src/store/review-store.js';
import { createStoreFile } from '../../support/unit/store.js';

const FETCHED_AT = 1_700_000_000_000;
const MARKED_AT = FETCHED_AT + 1_000;
const LATER = MARKED_AT + 1_000;
/** Of the other bits every so many is flipped. */
const ELSEWHERE = 31;
/** Every so many times that all is asked for, the next build is looked at. */
const NEXT = 13;

/** A store that knows of "p9" that it has changed since it was fetched, and of "p8" that it has not. */
function fill() {
	const storeFile = createStoreFile(join(createFolder('flipped-marks', memoryFolder()), 'reviews.db'));
	const store = storeFile.open('a', () => MARKED_AT);
	for (const pid of ['p8', 'p9']) store.table('reviews').put(pid, pack({ pid }), FETCHED_AT);
	createRevalidation(store, () => MARKED_AT).mark(['p9']);
	store.close();
	shrinkPages(storeFile.file);
	return storeFile;
}

/** Products whose stored reviews are believed. */
function believed(store: ReviewStore): readonly string[] {
	const { isOutdated } = createRevalidation(store, () => LATER);
	return ['p8', 'p9'].filter((pid) => {
		const entry = store.table('reviews').entry(pid);
		return entry && !isOutdated(pid, entry.fetchedAt);
	});
}

/** As a build does: what is not believed is fetched. @returns what was believed. */
function build(store: ReviewStore, at: number): readonly string[] {
	const before = believed(store);
	for (const pid of ['p8', 'p9'])
		if (!before.includes(pid)) store.table('reviews').put(pid, pack({ pid }), at);
	store.prune(FETCHED_AT - 1);
	store.close();
	return before;
}

test('a whole mark outdates its product, and no other', () => {
	const { open, warnings } = fill();
	expect(
		build(
			open('a', () => LATER),
			LATER,
		),
	).toEqual(['p8']);
	expect(
		build(
			open('a', () => LATER),
			LATER,
		),
	).toEqual(['p8', 'p9']);
	expect(warnings).toEqual([]);
});

test('no flipped bit hides that a product has changed, and the build after asks for nothing', {
	timeout: 120_000,
}, () => {
	const { file, open, warnings } = fill();
	const whole = readFileSync(file);
	const marks = rootPageOf('marks', file);
	const wrong: string[] = [];
	let asked = 0;
	for (const bit of bitsOfRows(whole)) {
		if (pageOf(bit) !== marks && bit % ELSEWHERE !== 0) continue;
		const damaged = Buffer.from(whole);
		damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
		writeFileSync(file, damaged);
		const first = build(
			open('a', () => LATER),
			LATER,
		);
		if (first.includes('p9')) wrong.push(`bit ${bit}: p9 is believed (${warnings})`);
		if (first.length === 0) {
			asked += 1;
			if (warnings.length === 0) wrong.push(`bit ${bit}: nothing is said`);
			// What was read of a file before it was set aside is not in the new one yet.
			if (warnings.splice(0).some((warning) => warning.includes('.set-aside')))
				build(
					open('a', () => LATER),
					LATER,
				);
			const next =
				asked % NEXT === 0
					? build(
							open('a', () => LATER),
							LATER,
						)
					: ['p8', 'p9'];
			if (next.length < 2) wrong.push(`bit ${bit}: the next build believes only ${next} (${warnings})`);
		}
		warnings.length = 0;
	}
	expect(wrong).toEqual([]);
	expect(asked).toBeGreaterThan(500);
});
