import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { type Browser, openBrowser } from 'product-reviews-test-support/open-browser';
import { type OpenPage, openPage } from 'product-reviews-test-support/open-page';
import { serve } from '../../serve.mjs';
import { type Build, buildPlayground } from './build-playground.ts';

/** The shop, built against a sandbox and served, with a browser to view it. */
export interface ServedShop {
	readonly sandbox: Sandbox;
	readonly build: Build;
	readonly url: string;
	/** Opens a path of the shop at a width in pixels. */
	open(path: string, width: number): Promise<OpenPage>;
	close(): Promise<void>;
}

/** Starts everything; if one part fails, those before it are stopped. */
export async function serveShop(): Promise<ServedShop> {
	const cleanups: (() => unknown)[] = [];
	const close = async () => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	};
	try {
		const browser: Browser = await openBrowser();
		cleanups.push(browser.close);
		const sandbox = await startSandbox({ port: 0 });
		cleanups.push(() => sandbox.close());
		const build = await buildPlayground(sandbox);
		cleanups.push(build.remove);
		const server = await serve(build.directory, { port: 0 });
		cleanups.push(server.close);
		const open = (path: string, width: number) => openPage(browser.context, `${server.url}${path}`, width);
		return { sandbox, build, url: server.url, open, close };
	} catch (error) {
		await close();
		throw error;
	}
}
