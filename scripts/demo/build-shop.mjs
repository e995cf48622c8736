import { fileURLToPath } from 'node:url';
import { command } from 'product-reviews-webhook/node';

const PLAYGROUND = fileURLToPath(new URL('../../playground/', import.meta.url));
const ASTRO = fileURLToPath(new URL('../../node_modules/astro/bin/astro.mjs', import.meta.url));

/**
 * Creates a function that builds the playground into a folder, either completely or for the products that changed.
 *
 * @param {{ url: string, wsid: string, token: string }} service
 * @param {string} cache folder kept between builds
 * @returns {(folder: string, request: import('product-reviews-webhook').RebuildRequest) => Promise<void>}
 */
export function buildShop(service, cache) {
	const env = {
		...process.env,
		NO_COLOR: '1',
		ASTRO_TELEMETRY_DISABLED: '1',
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: service.wsid,
		REVIEWS_TOKEN: service.token,
		PLAYGROUND_CACHE_DIR: cache,
	};
	return (folder, request) => {
		const build = command(`"${process.execPath}" "${ASTRO}" build --outDir "${folder}"`, {
			cwd: PLAYGROUND,
			env,
		});
		return build(request);
	};
}
