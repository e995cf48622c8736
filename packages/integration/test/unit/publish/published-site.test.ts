import fc from 'fast-check';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { times } from '../../support/unit/fuzz.js';
import { createModelSite } from '../../support/unit/published-site.js';
import type { SitePiece } from '../../support/unit/site-model.js';
import { createStoreFile } from '../../support/unit/store.js';

const PIDS = ['p-1', 'p-2', 'größe', '漢'];
const PATHS = ['', 'a', 'bb', 'ä ö', 'a/b', 'a/bb'];

const pid = fc.constantFrom(...PIDS);
const pids = fc.uniqueArray(pid, { minLength: 1 });
const text = fc.oneof(
	fc.constant(''),
	fc.string({ unit: 'grapheme', maxLength: 6 }),
	fc.constantFrom('a', 'aa', '<!-- -->', '\r\n', '😀', '$&'),
);
const fragment = fc.record({ kind: fc.constant('fragment' as const), pid, variant: fc.nat(2) });
const piece: fc.Arbitrary<SitePiece> = fc.oneof(
	{ arbitrary: fc.record({ kind: fc.constant('text' as const), text }), weight: 6 },
	{ arbitrary: fragment, weight: 8 },
	{ arbitrary: fc.record({ kind: fc.constantFrom('section', 'own', 'changed'), pid }), weight: 1 },
);
const site = fc.record({
	pages: fc.array(fc.array(piece, { maxLength: 6 }), { minLength: PATHS.length, maxLength: PATHS.length }),
	products: fc.tuple(text, text, text, text),
});
const step = fc.oneof(
	{ arbitrary: fc.record({ kind: fc.constant('edit' as const), pid, text }), weight: 4 },
	{
		arbitrary: fc.record({ kind: fc.constant('publish' as const), pids, failing: fc.subarray(PIDS) }),
		weight: 3,
	},
	{ arbitrary: fc.record({ kind: fc.constant('build' as const), isIncremental: fc.boolean() }), weight: 1 },
);

test('whatever is edited, published and built, in whatever order: pages are as if built anew, or said to need it', async () => {
	const storeFile = createStoreFile();
	let sites = 0;
	await fc.assert(
		fc.asyncProperty(site, fc.array(step, { minLength: 4, maxLength: 14 }), async (given, steps) => {
			const store = storeFile.open(`account-${sites++}`);
			const pages = new Map(PATHS.map((path, index) => [path, given.pages[index] ?? []]));
			const products = new Map(PIDS.map((id, index) => [id, given.products[index] ?? '']));
			const model = createModelSite({ pages, products }, createFolder(), store);
			/** Products whose new text the site was not told yet, or could not get. */
			const untold = new Set<string>();
			/** Pages that were said to need a build. */
			const toBuild = new Set<string>();
			const shows = (path: string, of: ReadonlySet<string>) =>
				pages.get(path)?.some((one) => 'pid' in one && of.has(one.pid)) ?? false;
			await model.build(true);
			for (const one of steps) {
				if (one.kind === 'edit') {
					products.set(one.pid, one.text);
					untold.add(one.pid);
				} else if (one.kind === 'build') {
					await model.build(one.isIncremental);
					untold.clear();
					toBuild.clear();
					for (const path of PATHS) expect(model.read(path)).toBe(model.anew(path));
				} else {
					const before = new Map(PATHS.map((path) => [path, model.read(path)]));
					const failing = new Set(one.failing);
					const results = await model.publish(one.pids, failing);
					for (const id of one.pids) if (!failing.has(id)) untold.delete(id);
					for (const path of PATHS) {
						const result = results.find(({ page }) => page === `/shop/${path}`);
						const now = model.read(path);
						if (result?.file === undefined) expect(now).toBe(before.get(path));
						else expect(now).not.toBe(before.get(path));
						if (result?.reason !== undefined) {
							expect(now).not.toBe(model.anew(path));
							toBuild.add(path);
						} else if (!toBuild.has(path) && !shows(path, untold) && !shows(path, failing)) {
							expect(now).toBe(model.anew(path));
						}
					}
				}
			}
			await model.publish(PIDS);
			for (const path of PATHS.filter((path) =>
				pages.get(path)?.every(({ kind }) => kind === 'text' || kind === 'fragment'),
			))
				expect(model.read(path)).toBe(model.anew(path));
			await model.build(true);
			for (const path of PATHS) expect(model.read(path)).toBe(model.anew(path));
			store.close();
		}),
		times(40),
	);
});
