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
	remove(): void;
}

/** Builds the playground against a review service, with its own output folder and cache. */
export async function buildPlayground(
	service: Readonly<Record<'url' | 'wsid' | 'token', string>>,
): Promise<Build> {
	const { folder, remove } = createLastingFolder('playground');
	const directory = join(folder, 'dist');
	const environment = {
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: service.wsid,
		REVIEWS_TOKEN: service.token,
		PLAYGROUND_CACHE_DIR: join(folder, 'cache'),
	};
	const { status, output } = await inTurn(PLAYGROUND, () =>
		runAstro(ASTRO, ['build', '--outDir', directory], { root: PLAYGROUND, environment }),
	);
	if (status === 0) return { directory, remove };
	remove();
	throw new Error(`${PLAYGROUND} does not build:\n${output}`);
}
