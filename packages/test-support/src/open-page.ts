import type { BrowserContext, Page } from 'playwright-core';

/** An open page, and what went over the wire and through the console meanwhile. */
export interface OpenPage {
	readonly page: Page;
	/** Status of the document's own answer. */
	readonly status: number | undefined;
	/** Every address that the page asked for. */
	readonly requests: readonly string[];
	/** Console messages of level error or warning, and uncaught errors. */
	readonly problems: readonly string[];
}

/** Opens a page in a window of a width in pixels, scrolls through it, and waits for all that it loads. */
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

/** Pictures further down load late; here they load at once. */
async function loadPictures(page: Page): Promise<void> {
	await page.evaluate(async () => {
		for (const image of document.images) image.loading = 'eager';
		await Promise.all([...document.images].map((image) => image.decode()));
	});
}
