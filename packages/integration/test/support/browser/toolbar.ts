import type { Locator, Page } from 'playwright-core';

/** Options of Astro that switch the dev toolbar on, with a folder of its own for what Vite bundles. */
export const WITH_TOOLBAR = { devToolbar: { enabled: true }, vite: { cacheDir: '.vite' } };

/** The window of the toolbar app on an open page. */
export function toolbarOn(page: Page): Locator {
	return page.locator('astro-dev-toolbar-app-canvas[data-app-id="astro-product-reviews"]');
}

/** Opens the app with the keyboard, as its button in Astro's toolbar. @returns its window. */
export async function openToolbar(page: Page): Promise<Locator> {
	const app = toolbarOn(page);
	await app.locator('astro-dev-toolbar-window').waitFor({ state: 'attached' });
	await page.locator('astro-dev-toolbar #dev-bar').focus();
	const button = page.locator('astro-dev-toolbar button[data-app-id="astro-product-reviews"]');
	await button.press('Enter');
	await app.getByRole('heading', { name: /^Products on this page/ }).waitFor();
	return app;
}
