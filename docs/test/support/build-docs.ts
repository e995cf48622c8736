import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from 'product-reviews-playground/serve.mjs';
import { astroIn, runAstro } from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';

const DOCS = fileURLToPath(new URL('../..', import.meta.url));
const ASTRO = astroIn(fileURLToPath(new URL('../../..', import.meta.url)));

/** The documentation, built and served. */
export interface ServedDocs {
	/** Without a slash at its end. */
	readonly url: string;
	readonly folder: string;
	/** Paths of all pages, with a slash at both ends. */
	readonly paths: readonly string[];
	/** What the build printed. */
	readonly output: string;
	close(): Promise<void>;
}

/** @throws Error if it does not build, such as because of a link that leads nowhere. */
export async function serveDocs(): Promise<ServedDocs> {
	const { folder, remove } = createLastingFolder('docs');
	const directory = join(folder, 'dist');
	try {
		const environment = { DOCS_CACHE_DIR: join(folder, 'cache') };
		const built = await runAstro(ASTRO, ['build', '--outDir', directory], { root: DOCS, environment });
		if (built.status !== 0) throw new Error(`The documentation does not build:\n${built.output}`);
		const server = await serve(directory);
		const close = async () => {
			await server.close();
			remove();
		};
		const paths = globSync('**/index.html', { cwd: directory }).map((file) =>
			`/${file}`.replace(/index\.html$/, ''),
		);
		return { url: server.url, folder: directory, paths: paths.sort(), output: built.output, close };
	} catch (error) {
		remove();
		throw error;
	}
}
