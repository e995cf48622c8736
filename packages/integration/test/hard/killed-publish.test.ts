import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, expect, test } from 'vitest';
import { startPublish } from '../support/build/publish.js';
import { createPublishedSite, expectSame, type Files, readFiles } from '../support/build/published-site.js';
import { productIds, startService } from '../support/build/service.js';
import { createMoments } from '../support/unit/killed-file.js';

const PIDS = productIds(10);
/** All of them take two minutes. */
const KILLS = process.env['TEST_FULL'] === '1' ? 200 : 25;
/** So many are killed before one that is not. */
const KILLS_IN_A_ROW = 8;
const cleanups: (() => unknown)[] = [];

afterAll(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

const PACKERS = { '.gz': zlib.gzipSync, '.br': zlib.brotliCompressSync, '.zst': zlib.zstdCompressSync };
const UNPACKERS = {
	'.gz': zlib.gunzipSync,
	'.br': zlib.brotliDecompressSync,
	'.zst': zlib.zstdDecompressSync,
};
const COPY = /\.(?:gz|br|zst)$/;

/** Changes one review of each product. */
function edit({ store }: Sandbox, body: string): void {
	for (const pid of PIDS) {
		const [review] = store.listReviews({ pid });
		store.editReview(review?.id ?? '', { body: `${pid}: ${body}` });
	}
}

/** The contents of a file or of what is packed in it. */
function unpacked(name: string, contents: Buffer): Buffer {
	const end = COPY.exec(name)?.[0] as keyof typeof UNPACKERS | undefined;
	return end ? UNPACKERS[end](contents) : contents;
}

/** Adds copies to pages, and gives some a mode of their own. */
function pack(folder: string, pages: readonly string[]): void {
	for (const [index, page] of pages.entries()) {
		const file = join(folder, page);
		for (const [end, compress] of Object.entries(PACKERS).slice(0, index % 4))
			writeFileSync(file + end, compress(readFileSync(file)));
		if (index % 4 === 0) chmodSync(file, 0o660);
		if (index % 4 === 3) chmodSync(`${file}.gz`, 0o604);
	}
}

/** Reads files again and again. @returns a function that ends it, with the names of files that were neither of two. */
function readAll(folder: string, names: readonly string[], states: readonly Files[]) {
	const torn = new Set<string>();
	let isOver = false;
	const reading = (async () => {
		for (let at = 0; !isOver; at++) {
			const name = names[(at * 7) % names.length] as string;
			const contents = unpacked(name, readFileSync(join(folder, name)));
			if (!states.some((files) => files.get(name.replace(COPY, ''))?.equals(contents))) torn.add(name);
			if (at % 5 === 0) await setTimeout(2);
		}
	})();
	return async () => {
		isOver = true;
		await reading;
		return [...torn];
	};
}

test(`a publish that is killed ${KILLS} times leaves whole files, and the next one is as a build anew`, {
	timeout: 900_000,
}, async () => {
	const between = createMoments();
	const service = await startService(PIDS);
	const site = createPublishedSite('published-store', service, PIDS);
	cleanups.push(service.close, site.project.remove);
	edit(service, 'one');
	await site.build();
	const one = site.files();
	edit(service, 'two, which is longer');
	const states = [one, await site.buildAnew()] as const;
	const dist = join(site.project.root, 'dist');
	// Some pages: to compress them takes most of a publish's time.
	const pages = [...one.keys()].filter((name) => name.endsWith('.html'));
	pack(dist, pages.slice(0, 8));
	const names = [...readFiles(dist).keys()];
	const modes = () => names.map((name) => statSync(join(dist, name)).mode);
	const before = modes();
	const publish = () => startPublish(site.project, ['--all'], { REVIEWS_TOKEN: service.token });

	const startedAt = performance.now();
	expect(await publish().ended).toBe(0);
	const duration = performance.now() - startedAt;
	const endReading = readAll(dist, names, states);
	let killed = 0;
	for (let run = 0; killed < KILLS; run++) {
		const isTwo = Math.floor(run / 3) % 2 === 1;
		edit(service, isTwo ? 'two, which is longer' : 'one');
		const { child, ended, errors } = publish();
		if (run % KILLS_IN_A_ROW < KILLS_IN_A_ROW - 1) {
			await setTimeout(between(0.35, 1) * duration);
			child.kill('SIGKILL');
			if ((await ended) === 'SIGKILL') killed += 1;
			continue;
		}
		expect(await ended, errors()).toBe(0);
		const after = readFiles(dist);
		expect([...after.keys()]).toEqual(names);
		const shown = new Map([...after].filter(([name]) => !COPY.test(name)));
		expectSame(shown, isTwo ? states[1] : states[0]);
		for (const [name, contents] of after)
			expect(unpacked(name, contents), name).toEqual(shown.get(name.replace(COPY, '')));
		expect(modes()).toEqual(before);
	}
	expect(await endReading()).toEqual([]);
});
