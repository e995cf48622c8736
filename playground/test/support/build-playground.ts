import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { astroIn, runAstro } from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { inTurn } from './in-turn.ts';

/** Folder of the playground; builds take turns by it. */
export const PLAYGROUND = fileURLToPath(new URL('../../', import.meta.url));
const ASTRO = astroIn(fileURLToPath(new URL('../../../', import.meta.url)));

/** A built site in its own folder. */
export interface Build {
	readonly directory: string;
	/** Output of the build. */
	readonly output: string;
	remove(): void;
}

/**
 * Builds the playground against a review service, with its own output folder and cache.
 * @param root folder of another project to build instead.
 */
export async function buildPlayground(
	service: { readonly url: string; readonly wsid: string; readonly token: string },
	root = PLAYGROUND,
): Promise<Build> {
	const { folder, remove } = createLastingFolder('playground');
	const directory = join(folder, 'dist');
	const environment = {
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: service.wsid,
		REVIEWS_TOKEN: service.token,
		PLAYGROUND_CACHE_DIR: join(folder, 'cache'),
	};
	const { status, output } = await inTurn(root, () =>
		runAstro(ASTRO, ['build', '--outDir', directory], { root, environment }),
	);
	if (status === 0) return { directory, output, remove };
	remove();
	throw new Error(`${root} does not build:\n${output}`);
}
