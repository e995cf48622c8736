import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSandbox } from 'product-reviews-sandbox';
import { dressPage, type Scheme } from '../../../../test/support/store-css/dress-page.ts';
import type { Framework } from '../../../../test/support/store-css/frameworks.ts';
import { installStores } from '../../../../test/support/store-css/installed.ts';
import { serveSite } from './served-site.js';

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
	const [service] = await Promise.all([startSandbox(), installStores()]);
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
	await page.route('https://images.example/**', (route) =>
		route.fulfill({ contentType: 'image/svg+xml', body: picture(route.request().url()) }),
	);
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

/** A picture that a customer might have sent: a kettle of some colour, on a table. */
function picture(url: string): string {
	const hue = [...url].reduce((sum, character) => sum + character.charCodeAt(0) * 7, 0) % 360;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300" width="900" height="900"><rect width="300" height="300" fill="hsl(${hue + 40} 30% 86%)"/><rect y="215" width="300" height="85" fill="hsl(${hue + 20} 25% 68%)"/><path d="M90 220q-14-90 60-100q74 10 60 100z" fill="hsl(${hue} 48% 46%)"/><path d="M96 168l-44-34 10-9 42 26z" fill="hsl(${hue} 48% 40%)"/><path d="M108 122q42-70 84 0" fill="none" stroke="hsl(${hue} 20% 25%)" stroke-width="9"/><circle cx="150" cy="113" r="9" fill="hsl(${hue} 20% 25%)"/></svg>`;
}
