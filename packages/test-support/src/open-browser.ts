import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';
const ARGUMENTS = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** A browser that nobody used before. */
export interface Browser {
	readonly context: BrowserContext;
	close(): Promise<void>;
}

/** @throws Error where Chromium is not installed. */
export async function openBrowser(): Promise<Browser> {
	if (!existsSync(EXECUTABLE)) {
		throw new Error(
			`The browser tests need Chromium at ${EXECUTABLE}. On Debian: apt-get install chromium (package "chromium").`,
		);
	}
	const profile = await mkdtemp(join(tmpdir(), 'playground-profile-'));
	const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 5 });
	try {
		const context = await chromium.launchPersistentContext(profile, {
			executablePath: EXECUTABLE,
			args: ARGUMENTS,
			locale: 'en-GB',
		});
		return {
			context,
			close: async () => {
				await context.close();
				await removeProfile();
			},
		};
	} catch (error) {
		await removeProfile();
		throw error;
	}
}
