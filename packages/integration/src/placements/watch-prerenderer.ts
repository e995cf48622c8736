import type { AstroPrerenderer } from 'astro';
import type { PageRecorder } from './create-page-recorder.js';

/** Astro's own prerenderer, with each page that it renders told to the recorder. */
export function watchPrerenderer(prerenderer: AstroPrerenderer, recorder: PageRecorder): AstroPrerenderer {
	return {
		...prerenderer,
		render: (request, options) =>
			recorder.render(pageOf(request), async () => whole(await prerenderer.render(request, options))),
	};
}

type Rendered = Awaited<ReturnType<AstroPrerenderer['render']>>;

/** Components may render while the body is read: it is read here, so that they belong to the page. */
async function whole(rendered: Rendered): Promise<Rendered> {
	const response = rendered instanceof Response ? rendered : rendered.response;
	if (response.body === null) return rendered;
	const { status, statusText, headers } = response;
	const read = new Response(await response.arrayBuffer(), { status, statusText, headers });
	return rendered instanceof Response ? read : { ...rendered, response: read };
}

function pageOf(request: Request): string {
	const { pathname } = new URL(request.url);
	try {
		return decodeURI(pathname);
	} catch {
		return pathname;
	}
}
