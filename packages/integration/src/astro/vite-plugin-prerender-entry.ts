import type { Plugin } from 'vite';
import { INTEGRATION_NAME } from '../constants.js';

/**
 * Gives Astro's own prerenderer back the module that it starts from. Astro leaves it out where there are an adapter and a
 * prerenderer that was set, since it takes that for the adapter's own; ours only stands around Astro's.
 * @param isWrapped whether this build's prerenderer is Astro's, with ours around it.
 */
export function vitePluginPrerenderEntry(isWrapped: () => boolean): Plugin {
	return {
		name: `${INTEGRATION_NAME}:prerender-entry`,
		apply: 'build',
		configEnvironment(name, { build }) {
			if (name !== 'prerender' || !isWrapped()) return undefined;
			// Astro 6 comes with a Vite that knows the older name only.
			const key = 'rolldownVersion' in this.meta ? 'rolldownOptions' : 'rollupOptions';
			const input = build?.[key]?.input ?? 'astro/entrypoints/prerender';
			return { build: { [key]: { input } } };
		},
	};
}
