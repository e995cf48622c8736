import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { expectSame, readFiles } from '../support/build/project.js';
import { productIds, publish, removeReviews, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(4);
const [, NONE] = PIDS as [string, string];
const { project, service } = await startShop('updated-store', PIDS, {
	environment: TOKEN,
	options: { feeds: { markdown: true, ratings: true } },
});
const RATINGS = 'product-ratings.json';
const TWIN = `products/${NONE}/reviews.md`;

test('a build writes files for programs, and an update writes what changed in them and in their copies, as a build would', async () => {
	removeReviews(service, NONE);
	await project.build();
	expect(JSON.parse(project.read(RATINGS))).toEqual({
		...Object.fromEntries(PIDS.map((pid) => [pid, { average: 4.5, count: 2 }])),
		[NONE]: { count: 0 },
	});
	expect(project.read(TWIN)).toContain('\nNo reviews yet.\n');
	expect(project.read(TWIN.replace('.md', '.html').replace('reviews', 'index'))).toContain(
		`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${NONE}</title><link rel="alternate" type="text/markdown" href="/${TWIN}">`,
	);
	const copied = [RATINGS, TWIN];
	const fileOf = (name: string) => join(project.root, 'dist', name);
	for (const name of copied) writeFileSync(fileOf(`${name}.gz`), gzipSync(project.read(name)));

	publish(service, NONE, 'The first one.', { rating: 3 });
	const { files } = await project.updateJson([NONE, 'typo']);
	expect(files).toEqual(expect.arrayContaining(copied.flatMap((name) => [name, `${name}.gz`])));
	expect(JSON.parse(project.read(RATINGS))[NONE]).toEqual({ average: 3, count: 1 });
	expect(project.read(TWIN)).toContain('> ★★★☆☆ 3 of 5 **New**\n> New, ');
	const contents = new Map(readFiles(join(project.root, 'dist')));
	for (const name of copied) {
		const copy = contents.get(`${name}.gz`);
		expect(copy && gunzipSync(copy).toString()).toBe(project.read(name));
		contents.delete(`${name}.gz`);
	}
	expectSame(contents, await project.buildAnew());
	expect((await project.updateJson([NONE])).files).toEqual([]);
});
