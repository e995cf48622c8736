import type { NewNote } from 'product-reviews-sandbox';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { publishToShop } from '../../scripts/demo/publish-to-shop.mjs';

/** Publishes into a shop that never noted where its reviews are. */
async function publishWithoutBuild(build: () => Promise<void>) {
	const lines: string[] = [];
	const notes: NewNote[] = [];
	const publish = publishToShop({
		cacheDir: createFolder(),
		shop: 'http://localhost:4321',
		build,
		onNote: (note) => notes.push(note),
	});
	const { signal } = new AbortController();
	const log = (line: string) => void lines.push(line);
	const result = await publish({ pids: ['p-1'], all: false, signal, log }).catch(
		(error: Error) => error.message,
	);
	return { result, lines, notes };
}

test('the demo builds the shop if a publish is not enough, and says so', async () => {
	const builds: number[] = [];
	const { lines, notes } = await publishWithoutBuild(async () => void builds.push(1));
	expect(builds).toEqual([1]);
	expect(lines).toEqual([
		expect.stringMatching(/^All pages: no build has kept/),
		expect.stringMatching(/^The shop was built in \d+\.\d\d s$/),
	]);
	expect(notes).toEqual([expect.objectContaining({ pid: 'p-1', text: 'The shop was built', items: [] })]);
});

test('the demo notes nothing if the build fails', async () => {
	const { result, notes } = await publishWithoutBuild(() => Promise.reject(new Error('no build')));
	expect({ result, notes }).toEqual({ result: 'no build', notes: [] });
});
