import { join } from 'node:path';
import { serve } from 'product-reviews-playground/serve.mjs';
import { openBrowser } from 'product-reviews-test-support/browser';
import { type AstroRun, createProject } from '../build/project.js';

/** Builds and serves a fixture, and opens a browser to look at it; when one part fails, those before it are ended. */
export async function serveSite(fixture: string, run: AstroRun) {
	const project = createProject(fixture, run);
	const cleanups: (() => unknown)[] = [project.remove];
	const close = async () => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	};
	try {
		await project.build();
		const folder = join(project.root, 'dist');
		const server = await serve(folder);
		cleanups.push(server.close);
		const browser = await openBrowser();
		cleanups.push(browser.close);
		return { url: server.url, folder, context: browser.context, close };
	} catch (error) {
		await close();
		throw error;
	}
}
