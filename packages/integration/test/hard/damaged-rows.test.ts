import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Sandbox } from 'product-reviews-sandbox';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { storeFileIn, storeWarnings } from '../support/build/store.js';

const PIDS = productIds(20);
const store = createLastingFolder('store');
const file = storeFileIn(store.folder);
let service: Sandbox;
let project: BuildProject;

beforeAll(async () => {
	service = await startService(PIDS);
	project = createProject('store');
	expect(storeWarnings(await build())).toEqual([]);
});

afterAll(async () => {
	await service.close();
	project.remove();
	store.remove();
});

/** Builds, and looks whether each page shows the reviews of its own product. @returns what it printed. */
async function build(): Promise<string> {
	const { status, output } = await project.build({
		service: service.url,
		options: { products: PIDS, cacheDir: store.folder },
		pages: PIDS,
	});
	expect(status, output).toBe(0);
	const marks = PIDS.map((_pid, index) => markOf(index));
	for (const [index] of PIDS.entries()) {
		const page = project.read(`products/n${index + 1}/index.html`);
		expect(marks.filter((mark) => page.includes(mark))).toEqual([marks[index]]);
		expect(page).toContain('4.5 out of 5');
	}
	return output;
}

/** What the file holds of a product's reviews. */
function rowOf(pid: string) {
	const database = new DatabaseSync(file, { readOnly: true });
	const row = database
		.prepare(
			"SELECT * FROM entries JOIN contents USING (account, kind, pid) WHERE kind = 'reviews' AND pid = ?",
		)
		.get(pid) as { account: string; digest: string; summary: string; value: Uint8Array };
	database.close();
	return row;
}

/** The block with the html of a product, as it is in the file. */
function blockOf(pid: string): Uint8Array {
	const database = new DatabaseSync(file, { readOnly: true });
	const row = database
		.prepare("SELECT value FROM entries JOIN blocks USING (block) WHERE kind = 'reviews' AND pid = ?")
		.get(pid) as { value: Uint8Array };
	database.close();
	return row.value;
}

/** Flips a bit wherever these bytes are in the file. */
function flip(bytes: Uint8Array, at: number): void {
	const whole = readFileSync(file);
	const found = whole.indexOf(bytes);
	expect(found).toBeGreaterThan(0);
	for (let start = found; start >= 0; start = whole.indexOf(bytes, start + 1))
		whole[start + at] = (whole[start + at] as number) ^ 1;
	writeFileSync(file, whole);
}

test.each<[string, () => void]>([
	[
		'an id, which is that of its neighbour then',
		() => {
			const { account, digest } = rowOf('p-18');
			const key = Buffer.from(`${account}reviewsp-18${digest}`);
			flip(key, key.indexOf('p-18') + 3);
		},
	],
	[
		'an id, which is that of no product then',
		() => {
			const { account, digest } = rowOf('p-7');
			const key = Buffer.from(`${account}reviewsp-7${digest}`);
			flip(key, key.indexOf('p-7') + 1);
		},
	],
	[
		'a rating that is known without the reviews',
		() => {
			const { digest, summary } = rowOf('p-5');
			const whole = readFileSync(file);
			const from = whole.indexOf(digest);
			const at = whole.indexOf(summary, from);
			flip(whole.subarray(at - 60, at + summary.length), 60 + summary.indexOf(':') + 1);
		},
	],
	[
		'the brace of the same',
		() => {
			const { digest, summary } = rowOf('p-6');
			const whole = readFileSync(file);
			const at = whole.indexOf(summary, whole.indexOf(digest));
			flip(whole.subarray(at - 60, at + summary.length), 60);
		},
	],
	[
		'reviews and of their html',
		() => {
			flip(rowOf('p-9').value, 40);
			flip(blockOf('p-9'), 40);
		},
	],
])('a flipped bit of %s: pages are right, and the log says it in a line', async (_what, damage) => {
	damage();
	// What the test before it damaged is whole again: there would be another row.
	expect(storeWarnings(await build())).toEqual([
		'The store had 1 damaged row. Damaged rows are ignored and fetched again. If this keeps happening, check the disk, and the cache that the store is restored from.',
	]);
});

test.each<[string, () => void]>([
	['html', () => flip(blockOf('p-3'), 40)],
	// Nobody reads them as long as their html is whole.
	['reviews', () => flip(rowOf('p-3').value, 40)],
])('a flipped bit of %s alone: pages are right', async (_what, damage) => {
	damage();
	expect(storeWarnings(await build())).toEqual([]);
});

test('after them there is nothing to say', async () => {
	expect(storeWarnings(await build())).toEqual([]);
});
