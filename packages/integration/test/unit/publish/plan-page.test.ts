import { expect, test } from 'vitest';
import type { Place } from '../../../src/pages/marks.js';
import type { Dependency } from '../../../src/pages/page.js';
import { proveFile, type StoredPage } from '../../../src/pages/page.js';
import { type CurrentContents, editPage, planPage } from '../../../src/publish/plan-page.js';
import type { Fragment } from '../../../src/render/fragment.js';

const HTML = '<!--ä-b-->';
/** Where "ä" and "b" are in it, in bytes. */
const [A, B] = [4, 7];
const at = (dependency: number, offset: number, part?: string): Place => {
	const place = { dependency, offset, length: offset === A ? 2 : 1 };
	return part === undefined ? place : { ...place, part };
};

/** What a page shows of a product: a fragment, a section with slots, or what its own markup makes of the data. */
const shown = (pid: string, props?: object): Dependency => ({
	...{ pid, from: 'reviews', version: 'old', digest: 'old' },
	...(props && { request: { component: 'ReviewList', props: { ...props } } }),
});
const fragment = (pid: string) => shown(pid, {});
const section = (pid: string) => shown(pid, { slots: ['after'] });

/** What the service says of a product now: another version, and perhaps other html. */
type News = Pick<Fragment, 'html' | 'parts'> & { readonly version: string; readonly digest: string };
const news = (html: string): News => ({ version: 'new', digest: 'new', html });
const parts = (given: Fragment['parts']): News => ({ ...news(''), parts: given });
const LOOKS_THE_SAME: News = { ...news('never shown'), digest: 'old' };
const SAME: News = { ...LOOKS_THE_SAME, version: 'old' };

/** @param now by product; the service fails for others */
function createSetup(
	dependencies: readonly Dependency[],
	file: StoredPage['file'] | readonly Place[],
	now: Readonly<Record<string, News>>,
) {
	const placed = Array.isArray(file) ? { ...proveFile(Buffer.from(HTML)), places: file } : file;
	const page = { generation: 'g', address: '/a/', dependencies, file: placed } as StoredPage;
	const asked: string[] = [];
	const all = Promise.withResolvers<void>();
	const told = (pid: string) => now[pid] ?? expect.unreachable(`${pid} is unknown.`);
	const contents: CurrentContents = {
		async isKnown({ pid }) {
			asked.push(pid);
			// All are asked for together.
			if (asked.length === dependencies.length) all.resolve();
			await all.promise;
			return pid in now;
		},
		versionOf: async ({ pid }) => told(pid).version,
		isSameData: async ({ pid, digest }) => told(pid).digest === digest,
		fragmentOf: async ({ pid, version }) => {
			const { digest, ...of } = told(pid);
			if (of.version === version) expect.unreachable('Nothing of it changed.');
			return { fragment: { ...of, facts: [] }, digest };
		},
	};
	return { page, contents };
}

const TWO = [fragment('a'), fragment('b')];
const PLACES = [at(0, A), at(1, B)];
const PARTS = [at(0, A, 'heading'), at(0, B, 'reviews')];
const OWN_TOO = [shown('a'), fragment('b')];
const OTHERS = parts({ heading: 'H', reviews: 'R', more: 'M' });

test.each<[string, Dependency[], Place[], Record<string, News>, string, string]>([
	['both', TWO, PLACES, { a: news('AA'), b: news('') }, '<!--AA--->', 'a b'],
	['one, the other is as it was', TWO, PLACES, { a: SAME, b: news('$&') }, '<!--ä-$&-->', 'b'],
	['one, of the other nothing is known', TWO, PLACES, { a: news('A') }, '<!--A-b-->', 'a'],
	['one, the other looks the same', TWO, PLACES, { a: news('A'), b: LOOKS_THE_SAME }, '<!--A-b-->', 'a'],
	['one that stands twice', [fragment('a')], [at(0, A), at(0, B)], { a: news('漢') }, '<!--漢-漢-->', 'a'],
	['two components of one', [fragment('a'), fragment('a')], PLACES, { a: news('A') }, '<!--A-A-->', 'a'],
	['the parts of a section', [section('a')], PARTS, { a: OTHERS }, '<!--H-R-->', 'a'],
	['one beside own markup', OWN_TOO, [at(1, B)], { a: LOOKS_THE_SAME, b: news('B') }, '<!--ä-B-->', 'b'],
])(
	'new html of %s comes where the old one was, and nothing else changes',
	async (_what, dependencies, places, now, html, pids) => {
		const { page, contents } = createSetup(dependencies, places, now);
		const plan = await planPage(page, () => true, contents);
		expect(plan).toMatchObject({ kind: 'edit', pids: pids.split(' ') });
		if (plan.kind === 'rebuild') return;
		const edited = editPage(plan.page, Buffer.from(HTML), plan.texts);
		expect(edited.contents.toString()).toBe(html);
		expect(edited.page).toMatchObject({ address: '/a/', file: proveFile(edited.contents) });
		// What is known of it is as if it had been rendered now, which Astro's cache does not have.
		expect(edited.page.dependencies).toEqual(
			dependencies.map((one) => {
				const { version = one.version, digest = one.digest } = now[one.pid] ?? {};
				return { ...one, version, digest };
			}),
		);
		expect(edited.page.generation).toMatch(/^[\w-]{12}$/);
		const unkeyed = { ...plan.page, generation: undefined };
		expect(editPage(unkeyed, Buffer.from(HTML), plan.texts).page.generation).toBeUndefined();
	},
);

test.each<[string, Dependency[], Record<string, News>, boolean]>([
	['nothing is known', TWO, {}, true],
	['nothing changed', TWO, { a: SAME, b: SAME }, true],
	['what changed looks the same', TWO, { a: LOOKS_THE_SAME, b: SAME }, false],
	['own markup makes the same of it', [shown('a')], { a: LOOKS_THE_SAME }, false],
])('if %s, the file stays as it is', async (_what, dependencies, now, isKept) => {
	const { page, contents } = createSetup(dependencies, PLACES, now);
	const plan = await planPage(page, () => true, contents);
	expect(plan).toEqual({ kind: 'same', page: plan.kind === 'same' && plan.page, texts: new Map(), pids: [] });
	const current = isKept ? dependencies : [{ ...dependencies[0], version: 'new' }, ...dependencies.slice(1)];
	expect(plan).toMatchObject({ page: { ...page, dependencies: current } });
	expect(plan.kind === 'same' && plan.page === page).toBe(isKept);
});

test('a file of which nobody knows any place stays as it is', () => {
	const { page } = createSetup(TWO, null, {});
	const { contents, page: edited } = editPage(page, Buffer.from(HTML), new Map());
	expect(contents.toString()).toBe(HTML);
	expect(edited.file).toEqual({ ...proveFile(contents), places: [] });
});

test('products that did not change are not asked for', async () => {
	const { page, contents } = createSetup([fragment('a')], PLACES, { a: news('A') });
	const other = { ...page, dependencies: [fragment('never asked for'), ...page.dependencies] };
	const plan = await planPage(other, ({ pid }) => pid === 'a', contents);
	expect(plan).toMatchObject({ kind: 'edit', pids: ['a'], texts: new Map([[1, Buffer.from('A')]]) });
});

const OWN = 'its own markup uses reviews that changed';
const UNPLACED = 'it changes what components write, so their html cannot be found in it';
const SECTION = 'a <ReviewSection> with slots appears or disappears';

test.each<[string, Dependency, StoredPage['file'] | Place[], News, string]>([
	['own markup shows other data', shown('b'), [at(1, B)], news('B'), OWN],
	['the page altered the html', fragment('b'), null, news('B'), UNPLACED],
	['nobody noted where it is', fragment('b'), undefined, news('B'), UNPLACED],
	['it is nowhere', fragment('b'), [], news('B'), UNPLACED],
	['a whole one has parts now', fragment('b'), [at(1, B)], parts({ reviews: 'R' }), UNPLACED],
	['a section appears', section('b'), [], parts({ reviews: 'R' }), SECTION],
	['a section disappears', section('b'), [at(1, B, 'reviews')], news(''), SECTION],
	['a section lacks one of its parts', section('b'), [at(1, B, 'media')], parts({ reviews: 'R' }), SECTION],
	['a section is altered', section('b'), null, parts({ reviews: 'R' }), UNPLACED],
])('if %s, the page is left to a build, which says why', async (_what, changed, file, now, reason) => {
	const placed = Array.isArray(file) ? [at(0, A), ...file] : file;
	const { page, contents } = createSetup([fragment('a'), changed], placed, { a: SAME, b: now });
	const plan = await planPage(page, () => true, contents);
	expect(plan).toEqual({ kind: 'rebuild', reason, pids: ['b'] });
});
