import type { AstroPrerenderer } from 'astro';
import pLimit from 'p-limit';
import { addressOf, nameOfPath } from '../base/paths.js';
import type { BuildPages } from '../pages/build-pages.js';
import type { PageKeys } from '../pages/page-keys.js';

const KEYS_IN_FLIGHT = 256;

/**
 * Astro's own prerenderer for an incremental build: it adds the reviews to the keys of pages that have one, and records what
 * each page shows.
 */
export function keyPrerenderer(
	prerenderer: AstroPrerenderer,
	pages: Pick<BuildPages, 'render' | 'recorder'>,
	keys: PageKeys,
): AstroPrerenderer {
	return {
		...prerenderer,
		async getStaticPaths() {
			// What is asked for here decides which pages there are, and is asked for by every build.
			const { result: paths } = await pages.recorder.record('', () => prerenderer.getStaticPaths());
			// Reviews that may have changed are asked for together.
			const limit = pLimit(KEYS_IN_FLIGHT);
			return Promise.all(
				paths.map(async (path) => {
					const { pathname, cacheKey } = path;
					if (cacheKey === undefined) return path;
					return { ...path, cacheKey: await limit(() => keys.keyOf(nameOfPath(pathname), cacheKey)) };
				}),
			);
		},
		render: (request, options) =>
			pages.render(addressOf(request), async () => whole(await prerenderer.render(request, options))),
	};
}

type Rendered = Awaited<ReturnType<AstroPrerenderer['render']>>;

/** Reads the body here, because components may render while it is read, and must be recorded for this page. */
async function whole(rendered: Rendered): Promise<Rendered> {
	const response = rendered instanceof Response ? rendered : rendered.response;
	// Astro sets a length only on complete bodies.
	if (response.body === null || response.headers.has('content-length')) return rendered;
	const { status, statusText, headers } = response;
	const read = new Response(await response.arrayBuffer(), { status, statusText, headers });
	return rendered instanceof Response ? read : { ...rendered, response: read };
}
