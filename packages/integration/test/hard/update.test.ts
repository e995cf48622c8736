import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import type { Sandbox } from 'product-reviews-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { type AstroRun, expectSame, readFiles } from '../support/build/project.js';
import { startRoundRobin } from '../support/build/round-robin.js';
import { IN_TEST, productIds, publish, startShop } from '../support/build/service.js';

const PIDS = productIds(8);
/** All of them take minutes. */
const KILLS = process.env['TEST_FULL'] === '1' ? 200 : 3;
/** So many are killed before one that is not. */
const KILLS_IN_A_ROW = 3;
const COPIES = {
	'.gz': [zlib.gzipSync, zlib.gunzipSync],
	'.br': [zlib.brotliCompressSync, zlib.brotliDecompressSync],
	'.zst': [zlib.zstdCompressSync, zlib.zstdDecompressSync],
} as const;
const COPY = /\.(?:gz|br|zst)$/;

const createSite = ({ options, ...more }: AstroRun = {}) =>
	startShop('updated-store', PIDS, {
		...IN_TEST,
		...more,
		options: { feeds: { markdown: true, ratings: true }, ...options },
	});

function edit({ store }: Sandbox, body: string): void {
	for (const pid of PIDS) {
		const [review] = store.listReviews({ pid });
		store.editReview(review?.id ?? '', { body: `${pid}: ${body}` });
	}
}

/** A file, or what is packed in it. */
function read(file: string): Buffer {
	const end = COPY.exec(file)?.[0] as keyof typeof COPIES | undefined;
	return end ? COPIES[end][1](readFileSync(file)) : readFileSync(file);
}

/** Adds copies to pages, and gives some a mode of their own. */
function pack(folder: string, pages: readonly string[]): void {
	for (const [index, page] of pages.entries()) {
		const file = join(folder, page);
		for (const [end, [compress]] of Object.entries(COPIES).slice(0, index % 4))
			writeFileSync(file + end, compress(readFileSync(file)));
		if (index % 4 === 0) chmodSync(file, 0o660);
		if (index % 4 === 3) chmodSync(`${file}.gz`, 0o604);
	}
}

test(`an update that is killed ${KILLS} times leaves whole files, and the next one is as a build anew`, {
	timeout: 900_000,
}, async () => {
	const { service, project } = await createSite();
	edit(service, 'one');
	await project.build();
	const one = project.contents();
	edit(service, 'two, which is longer');
	const states = [one, await project.buildAnew()] as const;
	const dist = join(project.root, 'dist');
	// Some pages: to compress them takes most of an update's time.
	pack(dist, [...one.keys()].filter((name) => /\.(?:html|json|md)$/.test(name)).slice(0, 12));
	const names = [...readFiles(dist).keys()];
	const modes = () => names.map((name) => statSync(join(dist, name)).mode);
	const before = modes();

	const startedAt = performance.now();
	expect((await project.update(['--all'])).status).toBe(0);
	let duration = performance.now() - startedAt;

	/** Files that a visitor saw neither as they were nor as they will be. */
	const torn = new Set<string>();
	let isOver = false;
	const visits = (async () => {
		for (let at = 0; !isOver; at++) {
			const name = names[(at * 7) % names.length] as string;
			const contents = read(join(dist, name));
			if (!states.some((files) => files.get(name.replace(COPY, ''))?.equals(contents))) torn.add(name);
			await setTimeout(5);
		}
	})();
	onTestFinished(() => {
		isOver = true;
		return visits;
	});
	let killed = 0;
	for (let run = 0; killed < KILLS || run % (KILLS_IN_A_ROW + 1) > 0; run++) {
		const isTwo = Math.floor(run / 3) % 2 === 1;
		edit(service, isTwo ? 'two, which is longer' : 'one');
		const { end, ended, errors } = project.startUpdate(['--all']);
		if (run % (KILLS_IN_A_ROW + 1) < KILLS_IN_A_ROW) {
			// Any moment after it began to write, each as likely as another.
			await setTimeout((0.35 + ((run * 0.618) % 1) * 0.65) * duration);
			if ((await end('SIGKILL')) === 'SIGKILL') killed += 1;
			// A machine that is less busy than at first is done before.
			else duration *= 0.7;
			continue;
		}
		expect(await ended, errors()).toBe(0);
		const after = readFiles(dist);
		expect([...after.keys()]).toEqual(names);
		expectSame(new Map([...after].filter(([name]) => !COPY.test(name))), isTwo ? states[1] : states[0]);
		for (const name of names) expect(read(join(dist, name)), name).toEqual(after.get(name.replace(COPY, '')));
		expect(modes()).toEqual(before);
	}
	isOver = true;
	await visits;
	expect([...torn]).toEqual([]);
});

test('builds and updates wait for each other', async () => {
	let hold = async () => {};
	const urls: string[] = [];
	const gate = await startRoundRobin(urls, () => hold());
	onTestFinished(gate.close);
	// As long as requests are held, nothing gives them up.
	const { service, project } = await createSite({ service: gate.url, options: { timeout: '5m' } });
	urls.push(service.url);
	const updateOne = () => project.startUpdate(['p-1']);
	const build = () => project.start(['build'], { options: { revalidate: 'always' } });
	await project.build();
	publish(service, 'p-1', 'News');
	for (const [first, other] of [
		[updateOne, build],
		[build, updateOne],
	] as const) {
		const [asked, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		hold = () => {
			asked.resolve();
			return open.promise;
		};
		const owner = first();
		// Whoever asks the service has the folder.
		await asked.promise;
		const waiting = other();
		await waiting.says(/Waiting for another build or update to finish with the output folder/);
		open.resolve();
		for (const { ended, output } of [owner, waiting]) expect(await ended, output()).toBe(0);
	}
	expectSame(project.contents(), await project.buildAnew());
});
