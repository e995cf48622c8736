import { rmSync, symlinkSync } from 'node:fs';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../../cli/test/support/command.js';
import { onceEach } from '../support/build/once-each.js';
import { ASTRO_MAJOR, type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';

const PIDS = productIds(12);
const I18N = {
	i18n: { locales: ['en', 'de'], defaultLocale: 'en', routing: { prefixDefaultLocale: true } },
};
/** Says nothing of addresses, so that these are as they are by default. */
const INLINE_STYLES = { build: { inlineStylesheets: 'always' } };
const projects: BuildProject[] = [];
let service: Sandbox;

beforeAll(async () => {
	service = await startService(PIDS);
});

afterAll(async () => {
	for (const project of projects) project.remove();
	await service.close();
});

const build = onceEach(async (fixture: string, config: Record<string, unknown>, suffix?: string) => {
	const project = createProject(fixture, suffix);
	projects.push(project);
	const { status, output } = await project.build({
		service: service.url,
		options: { products: PIDS },
		config,
		pages: PIDS,
	});
	expect(output).toContain('12 products');
	expect(status).toBe(0);
	return project;
});

describe('every shape of site holds each product’s own reviews', () => {
	test.each([
		['base', { base: '/shop' }, (n: number) => `products/n${n}/index.html`],
		['trailingSlash: never', { trailingSlash: 'never' }, (n: number) => `products/n${n}/index.html`],
		['build.format: file', { build: { format: 'file' } }, (n: number) => `products/n${n}.html`],
		[
			'build.concurrency: 8 and compressHTML: false',
			{ build: { concurrency: 8 }, compressHTML: false },
			(n: number) => `products/n${n}/index.html`,
		],
	])('%s', async (_name, config, path) => {
		const project = await build('store', config);
		for (const [index] of PIDS.entries()) {
			const page = project.read(path(index + 1));
			expect(new Set(page.match(/Mark \d+ of this product\./g))).toEqual(new Set([markOf(index)]));
		}
	});

	test('a project folder with spaces and letters outside ASCII', async () => {
		// The Vite of Astro 6 cannot do with a "#".
		const project = await build('store', {}, ` mein Käse Laden ☕${ASTRO_MAJOR > 6 ? ' #1' : ''}`);
		expect(project.read('products/n1/index.html')).toContain(markOf(0));
	});

	test('a project folder behind a symbolic link', async () => {
		const project = createProject('store');
		const link = `${project.root}-link`;
		projects.push(project, { ...project, remove: () => rmSync(link, { force: true }) });
		symlinkSync(project.root, link);
		const run = project.start(['build', '--root', link], {
			service: service.url,
			options: { products: PIDS },
			config: { cacheDir: '.cache' },
			pages: PIDS,
		});
		expect(await run.ended, run.output()).toBe(0);
		expect(project.read('products/n1/index.html')).toContain(markOf(0));
		const place = ['--root', link, '--cache-dir', '.cache/product-reviews'];
		expect((await runCli(['store', 'ls', ...place])).output).toContain('12 products, ');
	});

	test('i18n routes: words of dates and numbers follow the page’s language', async () => {
		const project = await build('localized-store', I18N);
		expect(project.read('en/n1/index.html')).toContain('March 5, 2026');
		expect(project.read('de/n1/index.html')).toContain('5. März 2026');
		expect(project.read('de/n1/index.html')).toContain('>4,5</span>');
		expect(project.read('de/n1/index.html')).toContain(markOf(0));
	});
});

describe('<ReviewSchema> names its page by the address under which it is served', () => {
	test.each([
		[
			'store',
			'format directory',
			INLINE_STYLES,
			'products/n1/index.html',
			'https://shop.example/products/n1/',
		],
		[
			'store',
			'format file',
			{ build: { format: 'file' } },
			'products/n1.html',
			'https://shop.example/products/n1.html',
		],
		[
			'store',
			'trailingSlash never',
			{ trailingSlash: 'never' },
			'products/n1/index.html',
			'https://shop.example/products/n1',
		],
		[
			'store',
			'a base',
			{ base: '/shop' },
			'products/n1/index.html',
			'https://shop.example/shop/products/n1/',
		],
		['localized-store', 'locales', I18N, 'de/n1/index.html', 'https://shop.example/de/n1/'],
		['store', 'no site', { site: null }, 'products/n1/index.html', 'https://shop.example/products/p-1/'],
	])('%s: %s', async (fixture, _what, config, path, address) => {
		const project = await build(fixture, config);
		const [, text = ''] =
			/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(project.read(path)) ?? [];
		expect(JSON.parse(text)).toMatchObject({ '@id': address, url: address });
	});
});

test('a page loads the styles of the components that it shows, and no others', async () => {
	const project = await build('store', INLINE_STYLES);
	const page = project.read('products/n1/index.html');
	const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style]) => style).join('');
	expect(styles).toContain('.product-reviews-stars');
	// Of `<ReviewSection>` and its parts, which this page does not show.
	expect(styles).not.toContain('.review-section');
	expect(styles).not.toContain('.product-question');
});
