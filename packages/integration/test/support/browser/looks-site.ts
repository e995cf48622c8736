import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveSite } from './served-site.js';
import { dressPage, type Framework, type Scheme } from './store-css.ts';

const COMPONENTS = fileURLToPath(new URL('../../../components', import.meta.url));

/** Builds the fixture `looks` once, whose pages every store's page is made of, and opens a browser page to show them in. */
export async function openLooks() {
	const site = await serveSite('looks', {
		pages: ['p-1'],
		options: { writeReviewUrl: '/write-a-review?product={pid}' },
		config: { build: { inlineStylesheets: 'never' } },
	});
	const css = readdirSync(site.folder, { recursive: true })
		.map(String)
		.filter((path) => path.endsWith('.css'))
		.map((path) => readFileSync(join(site.folder, path), 'utf8'))
		.join('');
	const page = await site.context.newPage();
	const html = (name: string) => readFileSync(join(site.folder, name, 'index.html'), 'utf8');
	const showHtml = (text: string) => page.setContent(text, { waitUntil: 'load' });
	return {
		page,
		html,
		css,
		/** Our stylesheets, each for itself. */
		sheets: readdirSync(COMPONENTS)
			.filter((name) => name.endsWith('.css'))
			.map((name) => readFileSync(join(COMPONENTS, name), 'utf8')),
		showHtml,
		/** Shows a page as it is in a store. */
		async show(framework: Framework, scheme: Scheme, name = 'store') {
			await page.emulateMedia({ colorScheme: scheme === 'dark by media' ? 'dark' : 'light' });
			await showHtml(await dressPage(html(name), css, framework, scheme));
		},
		close: site.close,
	};
}
