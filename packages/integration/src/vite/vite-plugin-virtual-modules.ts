import type { Plugin } from 'vite';
import { INTEGRATION_NAME } from '../constants.js';

/** Ids that Vite must not treat as files start so. */
const RESOLVED = '\0';

/**
 * Serves the virtual modules.
 * @param modules gives their sources by id, when the first is loaded. It is told whether they are for a server that
 * renders pages on demand.
 * @param onMode hears Vite's mode before anything is loaded.
 */
export function vitePluginVirtualModules(
	modules: (isOnDemand: boolean) => Record<string, string>,
	onMode: (mode: string) => void,
): Plugin {
	let isBuild = false;
	return {
		name: `${INTEGRATION_NAME}:virtual-modules`,
		config(_config, { mode, command }) {
			onMode(mode);
			isBuild = command === 'build';
		},
		resolveId: {
			filter: { id: /^virtual:product-reviews(?:\/(?:internal|webhook))?$/ },
			handler: (id) => RESOLVED + id,
		},
		load: {
			filter: { id: /^\0virtual:product-reviews(?:\/(?:internal|webhook))?$/ },
			handler(id) {
				// Prerendered pages are bundled apart, and a dev server has the reviews of its own.
				const isOnDemand = isBuild && this.environment?.name === 'ssr';
				return modules(isOnDemand)[id.slice(RESOLVED.length)];
			},
		},
	};
}
