import type { BrowserContext, Page } from 'playwright-core';

/** An open page, with its requests and console messages. */
export interface OpenPage {
	readonly page: Page;
	/** Status of the document's response. */
	readonly status: number | undefined;
	/** Every URL that the page requested. */
	readonly requests: readonly string[];
	/** Console messages of level error or warning, and uncaught errors. */
	readonly problems: readonly string[];
}

/** Opens a page in a window of the given width in pixels, scrolls through it, and waits until everything has loaded. */
export async function openPage(context: BrowserContext, url: string, width: number): Promise<OpenPage> {
	const page = await context.newPage();
	const requests: string[] = [];
	const problems: string[] = [];
	page.on('request', (request) => requests.push(request.url()));
	page.on('requestfailed', (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`));
	page.on('pageerror', (error) => problems.push(error.message));
	page.on('console', (message) => {
		if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
	});
	await page.setViewportSize({ width, height: 900 });
	const response = await page.goto(url, { waitUntil: 'load' });
	await loadPictures(page);
	return { page, status: response?.status(), requests, problems };
}

/** Loads lazy pictures at once. */
async function loadPictures(page: Page): Promise<void> {
	await page.evaluate(async () => {
		for (const image of document.images) image.loading = 'eager';
		await Promise.all([...document.images].map((image) => image.decode()));
	});
}
