import { type BrowserContext, chromium } from 'playwright-core';
import { findChromium } from './chromium.ts';
import { createLastingFolder } from './folder.ts';

/** A browser that nobody used before. */
export interface Browser {
	readonly context: BrowserContext;
	close(): Promise<void>;
}

export async function openBrowser(): Promise<Browser> {
	const found = await findChromium();
	const { folder: profile, remove } = createLastingFolder('profile');
	try {
		const context = await chromium.launchPersistentContext(profile, { ...found, locale: 'en-GB' });
		return {
			context,
			close: async () => {
				await context.close();
				remove();
			},
		};
	} catch (error) {
		remove();
		throw error;
	}
}
