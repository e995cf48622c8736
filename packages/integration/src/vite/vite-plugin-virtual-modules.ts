import type { Plugin } from 'vite';
import { INTEGRATION_NAME } from '../constants.js';

/** Ids that Vite must not treat as files start so. */
const RESOLVED = '\0';

/**
 * Serves the virtual modules.
 * @param modules gives their sources by id, when the first is loaded.
 * @param onMode hears Vite's mode before anything is loaded.
 */
export function vitePluginVirtualModules(
	modules: () => Record<string, string>,
	onMode: (mode: string) => void,
): Plugin {
	return {
		name: `${INTEGRATION_NAME}:virtual-modules`,
		config(_config, { mode }) {
			onMode(mode);
		},
		resolveId: {
			filter: { id: /^virtual:product-reviews(?:\/(?:internal|webhook))?$/ },
			handler: (id) => RESOLVED + id,
		},
		load: {
			filter: { id: /^\0virtual:product-reviews(?:\/(?:internal|webhook))?$/ },
			handler: (id) => modules()[id.slice(RESOLVED.length)],
		},
	};
}
