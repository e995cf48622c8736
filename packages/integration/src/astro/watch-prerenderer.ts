import type { AstroPrerenderer } from 'astro';
import pLimit from 'p-limit';
import { addressOf, nameOfAddress, nameOfPath } from '../pages/page.js';
import type { PageKeys } from '../pages/page-keys.js';
import { NO_SOURCE_MARK } from '../runtime/page-source.js';
import type { BuildPages, RenderedPage } from '../session/pages.js';

/** Context of a watched prerenderer. */
export interface PrerendererWatch {
	readonly pages: Pick<BuildPages, 'render' | 'miss'>;
	/** `undefined` where the build is not incremental. */
	readonly keys: PageKeys | undefined;
	/** Base of the site. */
	readonly base: string;
}

/** Wraps a prerenderer: reports each rendered page to the recorder, and adds the reviews to the keys of pages that have one. */
export function watchPrerenderer(
	prerenderer: AstroPrerenderer,
	{ pages, keys, base }: PrerendererWatch,
): AstroPrerenderer {
	// Its pages are rendered in this process, so none can lack the source of reviews.
	const isOwn = prerenderer.name === ASTROS_OWN;
	return {
		...withItsMethods(prerenderer),
		async getStaticPaths() {
			const paths = await prerenderer.getStaticPaths();
			if (!keys) return paths;
			// Reviews that may have changed are asked for together.
			const limit = pLimit(KEYS_IN_FLIGHT);
			return Promise.all(
				paths.map(async (path) => {
					const { pathname, route, cacheKey } = path;
					if (cacheKey === undefined) return path;
					return { ...path, cacheKey: await limit(() => keys.keyOf(nameOfPath(route, pathname), cacheKey)) };
				}),
			);
		},
		render: (request, options) => {
			const address = addressOf(request);
			const page = {
				name: nameOfAddress(options.routeData, address, base),
				address,
				isPage: options.routeData.type === 'page',
			};
			return pages.render(page, async () => {
				const rendered = await whole(await prerenderer.render(request, options), isOwn);
				if (rendered.body?.includes(NO_SOURCE_MARK)) pages.miss();
				return readable(rendered);
			});
		},
	};
}

/** All other methods, even if the prerenderer is an instance of a class. */
function withItsMethods(prerenderer: AstroPrerenderer): AstroPrerenderer {
	const { setup, collectStaticImages, teardown } = prerenderer;
	return {
		...prerenderer,
		name: prerenderer.name,
		...(setup && { setup: () => setup.call(prerenderer) }),
		...(collectStaticImages && { collectStaticImages: () => collectStaticImages.call(prerenderer) }),
		...(teardown && { teardown: () => teardown.call(prerenderer) }),
	};
}

type Rendered = Awaited<ReturnType<AstroPrerenderer['render']>>;

/**
 * Reads the body here, because components may render while it is read, and must be recorded for this page.
 * @param isOwn whether Astro's own prerenderer rendered it, which sets a length only on complete bodies.
 */
async function whole(rendered: Rendered, isOwn: boolean): Promise<WholePage> {
	const response = responseOf(rendered);
	if (response.body === null || (isOwn && response.headers.has('content-length')))
		return { result: rendered };
	const body = Buffer.from(await response.arrayBuffer());
	return { result: withBody(rendered, body), body };
}

/** A rendered page, and its text if it was read. */
interface WholePage {
	readonly result: Rendered;
	readonly body?: Buffer;
}

function readable({ result, body }: WholePage): RenderedPage<Rendered> {
	return {
		result,
		read: async () => body ?? Buffer.from(await responseOf(result).arrayBuffer()),
		with: (text) => withBody(result, text),
	};
}

function responseOf(rendered: Rendered): Response {
	return rendered instanceof Response ? rendered : rendered.response;
}

function withBody(rendered: Rendered, body: Buffer<ArrayBuffer>): Rendered {
	const { status, statusText, headers } = responseOf(rendered);
	const kept = new Headers(headers);
	kept.delete('content-length');
	const response = new Response(body, { status, statusText, headers: kept });
	return rendered instanceof Response ? response : { ...rendered, response };
}

/** Pages whose keys are made at once. */
const KEYS_IN_FLIGHT = 256;

/** Name of the prerenderer that Astro brings. */
const ASTROS_OWN = 'astro:default';
