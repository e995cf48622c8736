import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSandbox } from 'product-reviews-sandbox';
import { serveSite } from './served-site.js';
import { dressPage, type Framework, type Scheme } from './store-css.ts';

/** The pages of the fixture `looks`, and a browser page to show them in. */
export interface LooksSite {
	readonly page: Page;
	/** Html of a built page. */
	html(name: string): string;
	/** Our stylesheet, as it is built. */
	readonly css: string;
	/** Shows a page as it is in a store. */
	show(framework: Framework, scheme: Scheme, name?: string): Promise<void>;
	/** Shows html. */
	showHtml(html: string): Promise<void>;
	close(): Promise<void>;
}

/** Builds the fixture once; every store's page is made of what was built. */
export async function openLooks(): Promise<LooksSite> {
	const service = await startSandbox();
	const site = await serveSite('looks', {
		service: service.url,
		pages: ['p-1'],
		environment: { REVIEWS_TOKEN: service.token },
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
		showHtml,
		show: async (framework, scheme, name = 'store') => {
			await page.emulateMedia({ colorScheme: scheme === 'dark by media' ? 'dark' : 'light' });
			await showHtml(await dressPage(html(name), css, framework, scheme));
		},
		close: async () => {
			await site.close();
			await service.close();
		},
	};
}
