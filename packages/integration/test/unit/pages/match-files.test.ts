import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import type { Dependency, StoredPage } from '../../../src/cache/page-store.js';
import { fragmentsIn, matchFiles } from '../../../src/pages/match-files.js';
import { addressFragment, keyOfRequest } from '../../../src/render/address.js';
import type { Fragment, FragmentRequest } from '../../../src/render/fragment.js';

const SUMMARY: FragmentRequest = { component: 'RatingSummary', props: {} };
const SECTION: FragmentRequest = { component: 'ReviewSection', props: { slots: ['after'] } };

const fragment = (pid: string, request = SUMMARY): Dependency => {
	return { pid, from: 'reviews', request, version: 'v1', held: ['d'] };
};
const own = (pid: string): Dependency => ({ pid, from: 'reviews', version: 'v1' });
/** Stands for a fragment that no page of the build was rendered with. */
const foreign = (pid: string): Dependency => ({ pid, from: 'reviews', version: 'now', held: [] });

/** The html of fragments, as components write it. */
const html = (...dependencies: readonly Dependency[]) =>
	dependencies
		.map(({ pid, request = SUMMARY }) => {
			const parts = request === SECTION ? { heading: '<h2>x</h2>', reviews: '' } : undefined;
			const written: Fragment = { html: parts ? '' : '<p>x</p>', facts: [], ...(parts && { parts }) };
			const addressed = addressFragment(written, pid, request);
			return addressed.parts ? Object.values(addressed.parts).join('<hr>') : addressed.html;
		})
		.join('\n');

type Known = Readonly<Record<string, readonly Dependency[]>>;
type Match = readonly [name: string, file: string | undefined, dependencies: readonly Dependency[]];

/** @param files their fragments, or their text. @param known pages that were rendered, by name. */
async function match(files: Readonly<Record<string, readonly Dependency[] | string>>, known: Known) {
	const folder = createFolder();
	for (const [file, held] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), typeof held === 'string' ? held : html(...held));
	}
	const rows = new Map(
		Object.entries(known).map(([name, dependencies]): [string, StoredPage] => [
			name,
			{ address: `/shop/${name}/`, dependencies, facts: [] },
		]),
	);
	const all = [...rows.values()].flatMap(({ dependencies }) => dependencies);
	const found = matchFiles(Object.keys(files), rows.keys(), {
		folder,
		get: (name) => rows.get(name),
		find: (pid, key) =>
			all.find((one) => one.pid === pid && one.request && keyOfRequest(one.request) === key) ?? foreign(pid),
		addressOf: (file) => `/shop/${file}`,
	});
	const changes: Match[] = [];
	for await (const [name, page] of found) changes.push([name, page?.file, page?.dependencies ?? []]);
	return changes;
}

const [A, B, S] = [fragment('a'), fragment('b'), fragment('s', SECTION)];

test.each<[string, Parameters<typeof match>[0], Known, readonly Match[]]>([
	['are as they were rendered', { 'k/index.html': [A, B] }, { k: [A, B] }, []],
	['lack what a page asked for and did not show', { 'k/index.html': [A] }, { k: [A, B, own('c')] }, []],
	['show nothing', { 'k/index.html': 'text', '404.html': '' }, {}, []],
	['have parts of a section', { 'k/index.html': [S] }, { k: [S] }, []],
	[
		'have html that was rendered for another page, such as a slot of a layout',
		{ 'k/index.html': [A, S], 'm/index.html': [B, S] },
		{ k: [A, S], m: [B] },
		[['m', 'm/index.html', [B, S]]],
	],
	[
		'have html that was rendered elsewhere, on a page that was not rendered with any',
		{ 'k/index.html': [A], 'about.html': [A] },
		{ k: [A] },
		[['about', 'about.html', [A]]],
	],
	[
		'lack html that something changed, and have html of another page',
		{ 'k/index.html': [A, B, S] },
		{ k: [A, A, fragment('c'), own('c')], m: [B, S] },
		[['k', 'k/index.html', [A, B, S, A, fragment('c'), own('c')]]],
	],
	[
		'have html that was rendered for no page of this build',
		{ 'k/index.html': [A, fragment('z')] },
		{ k: [A] },
		[['k', 'k/index.html', [A, foreign('z')]]],
	],
	[
		'have the html of a component more often than it was rendered',
		{ 'k/index.html': [A, A, B] },
		{ k: [A, B, own('c')] },
		[['k', 'k/index.html', [A, A, B, own('c')]]],
	],
	[
		'have one name, "kettle/" and "kettle.html/"',
		{ 'kettle/index.html': [A], 'kettle.html/index.html': [B] },
		{ kettle: [A, B] },
		[
			['kettle', undefined, []],
			['/kettle/index.html', 'kettle/index.html', [A]],
			['/kettle.html/index.html', 'kettle.html/index.html', [B]],
		],
	],
	[
		'have one name, and one of them shows nothing',
		{ 'kettle/index.html': [A], 'kettle.html': 'text' },
		{ kettle: [A, A] },
		[
			['kettle', undefined, []],
			['/kettle/index.html', 'kettle/index.html', [A, A]],
			// Something may have changed it in either.
			['/kettle.html', 'kettle.html', [A]],
		],
	],
	[
		'have names that another spelling has, "mix 50" and "mix%2050"',
		{ 'mix 50/index.html': [A], 'mix%2050/index.html': [B] },
		{ 'mix 50': [A], 'mix%2050': [B] },
		[
			['mix 50', undefined, []],
			['mix%2050', undefined, []],
			['/mix 50/index.html', 'mix 50/index.html', [A]],
			['/mix%2050/index.html', 'mix%2050/index.html', [B]],
		],
	],
	[
		'have names that another system would take for one, "p\\1" and "p/1"',
		{ 'p\\1/index.html': [A], 'p/1/index.html': [B] },
		{ 'p\\1': [A], 'p/1': [B] },
		[
			['p\\1', undefined, []],
			['p/1', undefined, []],
			['/p\\1/index.html', 'p\\1/index.html', [A]],
			['/p/1/index.html', 'p/1/index.html', [B]],
		],
	],
	[
		'are one where two pages were rendered',
		{ 'mix 50/index.html': [A] },
		{ 'mix 50': [A], 'mix%2050': [B] },
		[
			['mix 50', undefined, []],
			['mix%2050', undefined, []],
			['/mix 50/index.html', 'mix 50/index.html', [A]],
		],
	],
])('files that %s', async (_what, files, known, expected) => {
	expect(await match(files, known)).toEqual(expected);
});

test('own markup of pages that share a name may be that of either', async () => {
	const found = await match({ 'k/index.html': [A], 'k.html': [B] }, { k: [A, own('c'), B] });
	expect(found.slice(1).map(([, , dependencies]) => dependencies)).toEqual([
		[A, own('c')],
		[B, own('c')],
	]);
});

test('fragments are found whoever wrote them, each part of a section once, under any id', () => {
	const pids = ['p-1', 'größe', '"><b>', 'a b', '%41', '漢'];
	const text = html(...pids.map((pid) => fragment(pid)), S, S, fragment('p-1'));
	expect(fragmentsIn(Buffer.from(text))).toEqual([
		...pids.map((pid) => ({ pid, key: keyOfRequest(SUMMARY), times: pid === 'p-1' ? 2 : 1 })),
		{ pid: 's', key: keyOfRequest(SECTION), times: 2 },
	]);
	expect(fragmentsIn(Buffer.from('<p>data-pr="">data-pr="p-1 short"</p>'))).toEqual([]);
});
