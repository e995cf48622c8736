import type { BrowserContext } from 'playwright-core';

export type WatchedPage = Awaited<ReturnType<typeof watchPage>>;

/**
 * Opens a page, and records everything that a page of static html and CSS never does.
 * @param origin the only place where it may get anything from.
 */
export async function watchPage(context: BrowserContext, origin: string) {
	const page = await context.newPage();
	const incidents: string[] = [];
	page.on('request', (request) => {
		if (!request.url().startsWith(`${origin}/`)) incidents.push(`request: ${request.url()}`);
	});
	page.on('requestfailed', (request) => incidents.push(`failed: ${request.url()}`));
	page.on('console', (message) => incidents.push(`console: ${message.text()}`));
	page.on('pageerror', (error) => incidents.push(`error: ${error.message}`));
	page.on('popup', (popup) => incidents.push(`popup: ${popup.url()}`));
	page.on('dialog', (dialog) => {
		incidents.push(`dialog: ${dialog.message()}`);
		return dialog.dismiss();
	});
	// The browser reports every script that it compiles, also that of an attribute and of an address.
	const debug = await context.newCDPSession(page);
	debug.on('Debugger.scriptParsed', ({ url }) => {
		if (url.startsWith(origin) || url.startsWith('javascript:')) incidents.push(`script: ${url}`);
	});
	await debug.send('Debugger.enable');
	await page.addInitScript(listenForViolations);
	return {
		page,
		visit: async (path: string) => {
			// Requests that the page before has not ended fail now.
			await page.goto('about:blank');
			incidents.length = 0;
			await page.goto(origin + path, { waitUntil: 'load' });
		},
		/** What happened since: scripts, dialogs, violations of the page's policy, requests to elsewhere, messages. */
		incidents: async () => [...incidents, ...(await page.evaluate(() => globalThis.violations))],
	};
}

declare global {
	/** What the page's Content Security Policy stopped. */
	var violations: string[];
}

function listenForViolations(): void {
	globalThis.violations = [];
	document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
		globalThis.violations.push(`violation: ${violatedDirective} ${blockedURI}`);
	});
}
