import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test, vi } from 'vitest';
import { createModelSite } from '../../support/unit/published-site.js';
import type { SitePiece } from '../../support/unit/site-model.js';
import { createStoreFile } from '../../support/unit/store.js';

const BESIDE: SitePiece = { kind: 'fragment', pid: 'p-2', variant: 0 };

async function createSite(pieces: readonly SitePiece[], path = 'a') {
	const store = createStoreFile().open();
	const products = new Map([
		['p-1', 'old'],
		['p-2', 'beside'],
	]);
	const site = createModelSite({ pages: new Map([[path, pieces]]), products }, createFolder(), store);
	await site.build(false);
	const file = site.file(path);
	return {
		site,
		products,
		file,
		/** Publishes until a file is about to be written. */
		async abort() {
			const flush = vi.spyOn(store, 'flush').mockImplementationOnce(() => {
				throw new Error('killed');
			});
			await expect(site.publish(['p-1'])).rejects.toThrow('killed');
			flush.mockRestore();
		},
	};
}

describe('a publish that was killed', () => {
	const PAGE: readonly SitePiece[] = [{ kind: 'fragment', pid: 'p-1', variant: 0 }, BESIDE];

	test.each([
		['before it wrote files', false],
		['after it wrote files', true],
	])('%s is completed by the next one, which names the file', async (_, isWritten) => {
		for (const text of ['new', 'newer', 'old']) {
			const { site, products, file, abort } = await createSite(PAGE);
			writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
			products.set('p-1', 'new');
			await abort();
			if (isWritten) {
				writeFileSync(file, site.anew('a'));
				writeFileSync(`${file}.gz`, gzipSync(site.anew('a')));
			}
			products.set('p-1', text);
			expect(await site.publish(['p-2'])).toMatchObject([{ file: 'a/index.html' }]);
			expect(site.read('a')).toBe(site.anew('a'));
			expect(gunzipSync(readFileSync(`${file}.gz`)).toString()).toBe(site.anew('a'));
			expect((await site.publish(['p-1', 'p-2'])).filter(({ file }) => file)).toEqual([]);
		}
	});

	test('between a compressed copy and its file leaves no copy of what is no longer so', async () => {
		const { site, products, file, abort } = await createSite(PAGE);
		products.set('p-1', 'new');
		await abort();
		writeFileSync(`${file}.gz`, gzipSync(site.anew('a')));
		writeFileSync(`${file}.br.product-reviews-tmp`, 'half');
		products.set('p-1', 'old');
		await site.publish(['p-1']);
		expect(site.read('a')).toBe('oldbeside');
		expect(gunzipSync(readFileSync(`${file}.gz`)).toString()).toBe('oldbeside');
		expect([`${file}.br`, `${file}.br.product-reviews-tmp`].filter((path) => existsSync(path))).toEqual([]);
	});

	test.each([
		['whose address ends with the name of its file', 'pages.html'],
		['whose name is nearly too long for a file', 'a'.repeat(235)],
	])('of a page %s is completed as well', async (_, path) => {
		const { site, products, abort } = await createSite(PAGE, path);
		products.set('p-1', 'new');
		await abort();
		expect(await site.publish(['p-1'])).toMatchObject([{ file: expect.stringContaining(path) }]);
		expect(site.read(path)).toBe(site.anew(path));
	});
});

describe('a section with slots that shows nothing', () => {
	const PAGE: readonly SitePiece[] = [{ kind: 'section', pid: 'p-1' }, BESIDE];

	test('does not keep the rest of its page from being published, and needs a build to appear', async () => {
		const { site, products } = await createSite(PAGE);
		products.set('p-1', '');
		expect(await site.publish(['p-1'])).toMatchObject([
			{ reason: expect.stringContaining('with slots appears') },
		]);
		await site.build(false);
		products.set('p-2', 'new');
		expect(await site.publish(['p-2'])).toMatchObject([{ file: 'a/index.html' }]);
		expect(site.read('a')).toBe('new');
		products.set('p-1', 'first');
		expect(await site.publish(['p-1'])).toMatchObject([
			{ reason: expect.stringContaining('with slots appears') },
		]);
		expect(site.read('a')).toBe('new');
	});
});

test('a page that has nothing but such a section says why it needs a build', async () => {
	const { site, products } = await createSite([{ kind: 'section', pid: 'p-1' }]);
	for (const text of ['', 'first']) {
		products.set('p-1', text);
		expect(await site.publish(['p-1'])).toMatchObject([
			{ reason: expect.stringContaining('with slots appears') },
		]);
		await site.build(false);
	}
});

test('compressed copies are renewed where there are some, and modes are kept', async () => {
	const { site, products, file } = await createSite([BESIDE]);
	writeFileSync(`${file}.br`, 'whatever', { mode: 0o600 });
	products.set('p-2', 'größer'.repeat(100));
	await site.publish(['p-2']);
	expect(brotliDecompressSync(readFileSync(`${file}.br`)).toString()).toBe(site.read('a'));
	expect([`${file}.gz`, `${file}.zst`].filter((path) => existsSync(path))).toEqual([]);
});
