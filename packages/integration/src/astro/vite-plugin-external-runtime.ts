import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { INTEGRATION_NAME } from '../constants.js';

const RUNTIME = 'astro-product-reviews/runtime';

/**
 * Leaves the runtime out of the bundle of prerendered pages. They are rendered in the process of the build, which has
 * loaded it. Bundling it again takes 6 % of the time of a build of 20 pages, and 50 MB.
 * @param isInProcess whether Astro's own prerenderer renders the pages. Those of adapters may run elsewhere.
 */
export function vitePluginExternalRuntime(isInProcess: () => boolean): Plugin {
	return {
		name: `${INTEGRATION_NAME}:external-runtime`,
		apply: 'build',
		// Vite would resolve it first.
		enforce: 'pre',
		resolveId: {
			filter: { id: /^astro-product-reviews\/runtime$/ },
			handler() {
				if (this.environment.name !== 'prerender' || !isInProcess()) return null;
				// Incremental builds compare ids, so none may have a query that a loader of modules adds to it.
				const { href } = pathToFileURL(fileURLToPath(import.meta.resolve(RUNTIME)));
				return { id: href, external: true };
			},
		},
	};
}
