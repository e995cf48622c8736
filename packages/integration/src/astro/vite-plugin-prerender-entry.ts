import type { Plugin } from 'vite';
import { INTEGRATION_NAME } from '../constants.js';

/**
 * Restores the entry module of Astro's own prerenderer. Astro leaves it out if there is an adapter and a custom prerenderer,
 * which it takes for the adapter's. Ours only wraps Astro's.
 * @param isWrapped whether this build's prerenderer is Astro's, wrapped by ours.
 */
export function vitePluginPrerenderEntry(isWrapped: () => boolean): Plugin {
	return {
		name: `${INTEGRATION_NAME}:prerender-entry`,
		apply: 'build',
		configEnvironment(name, { build }) {
			if (name !== 'prerender' || !isWrapped()) return undefined;
			// The Vite of Astro 6 knows only the older name.
			const key = 'rolldownVersion' in this.meta ? 'rolldownOptions' : 'rollupOptions';
			const input = build?.[key]?.input ?? 'astro/entrypoints/prerender';
			return { build: { [key]: { input } } };
		},
	};
}
