import { join } from 'node:path';
import { serve } from 'product-reviews-playground/serve.mjs';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { openBrowser } from 'product-reviews-test-support/browser';
import { type AstroRun, createProject } from '../build/project.js';

/**
 * Builds and serves a fixture, and opens a browser to look at it; when one part fails, those before it are ended. Without an
 * address of a service it gets one with the seed, and its token.
 * @param prepare edits the data of the service before the build.
 */
export async function serveSite(fixture: string, run: AstroRun, prepare?: (service: Sandbox) => void) {
	const cleanups: (() => unknown)[] = [];
	const close = async () => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	};
	try {
		const service = await startSandbox(run.service ? { seed: false } : {});
		cleanups.push(service.close);
		prepare?.(service);
		const environment = { ...(!run.service && { REVIEWS_TOKEN: service.token }), ...run.environment };
		const project = createProject(fixture, { service: service.url, ...run, environment });
		cleanups.push(project.remove);
		await project.build();
		const folder = join(project.root, 'dist');
		const server = await serve(folder);
		cleanups.push(server.close);
		const browser = await openBrowser();
		cleanups.push(browser.close);
		return { url: server.url, folder, context: browser.context, service, close };
	} catch (error) {
		await close();
		throw error;
	}
}
