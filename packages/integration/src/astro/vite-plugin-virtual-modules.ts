import type { Plugin } from 'vite';
import { BUILD_ADDRESS, INTEGRATION_NAME } from '../constants.js';

/** Prefix of ids that Vite must not treat as files. */
const RESOLVED = '\0';

/** Which pages a module is for. */
type ModulePlace =
	/** Rendered on demand by the built server. */
	| 'server'
	/** Rendered by a build. */
	| 'build'
	/** Rendered by a dev server. */
	| 'dev';

/** Input of the plugin. */
export interface VirtualModulesContext {
	/** The modules' sources by id. */
	readonly modules: (place: ModulePlace, address: string | undefined) => Record<string, string>;
	/** Address of the build or dev server, for pages rendered outside its process. */
	readonly address: () => Promise<string | undefined>;
	/** Called with Vite's mode before anything is loaded. */
	readonly onMode: (mode: string) => void;
}

/** Serves the virtual modules. */
export function vitePluginVirtualModules({ modules, address, onMode }: VirtualModulesContext): Plugin {
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
			async handler(id) {
				const name = id.slice(RESOLVED.length);
				if (!isBuild) {
					// Code for browsers must not contain the address, which includes a key.
					const isServer = this.environment.name !== 'client';
					return modules('dev', isServer ? await address() : undefined)[name];
				}
				// Prerendered pages are bundled separately.
				return this.environment.name === 'ssr'
					? modules('server', undefined)[name]
					: modules('build', BUILD_ADDRESS)[name];
			},
		},
		async renderChunk(code) {
			if (this.environment.name !== 'prerender' || !code.includes(BUILD_ADDRESS)) return null;
			const at = await address();
			return at === undefined ? null : { code: code.replaceAll(BUILD_ADDRESS, at), map: null };
		},
	};
}
