import type { AstroPrerenderer } from 'astro';
import type { PageRecorder } from './create-page-recorder.js';
import { addressOf, nameOfPath, nameOfRequest } from './name-page.js';
import type { PageKeys } from './page-keys.js';

/**
 * Astro's own prerenderer, with each page that it renders told to the recorder, and with keys for the pages that have one
 * of their own.
 * @param base of the site.
 * @param keys `undefined` where the build is not incremental.
 */
export function watchPrerenderer(
	prerenderer: AstroPrerenderer,
	recorder: PageRecorder,
	base: string,
	keys: PageKeys | undefined,
): AstroPrerenderer {
	return {
		...prerenderer,
		async getStaticPaths() {
			const paths = await prerenderer.getStaticPaths();
			if (!keys) return paths;
			const keyed: typeof paths = [];
			for (const path of paths) {
				const { pathname, route, cacheKey } = path;
				if (cacheKey === undefined) keyed.push(path);
				else keyed.push({ ...path, cacheKey: await keys.keyOf(nameOfPath(route, pathname), cacheKey) });
			}
			return keyed;
		},
		render: (request, options) =>
			recorder.render(
				{
					name: nameOfRequest(options.routeData, request, base),
					address: addressOf(request),
					isPage: options.routeData.type === 'page',
				},
				async () => whole(await prerenderer.render(request, options)),
			),
	};
}

type Rendered = Awaited<ReturnType<AstroPrerenderer['render']>>;

/** Components may render while the body is read: it is read here, so that they belong to the page. */
async function whole(rendered: Rendered): Promise<Rendered> {
	const response = rendered instanceof Response ? rendered : rendered.response;
	// Astro says the length of what it has rendered to its end.
	if (response.body === null || response.headers.has('content-length')) return rendered;
	const { status, statusText, headers } = response;
	const read = new Response(await response.arrayBuffer(), { status, statusText, headers });
	return rendered instanceof Response ? read : { ...rendered, response: read };
}
