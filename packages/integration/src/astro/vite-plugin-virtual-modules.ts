import type { Plugin } from 'vite';
import { BUILD_ADDRESS, INTEGRATION_NAME } from '../constants.js';

/** Ids that Vite must not treat as files start so. */
const RESOLVED = '\0';

/** What pages a module is for. */
type ModulePlace =
	/** Those that the built server renders on demand. */
	| 'server'
	/** Those that a build renders. */
	| 'build'
	/** Those that a dev server renders. */
	| 'dev';

/** What the plugin is made of. */
export interface VirtualModulesContext {
	/** The modules' sources by id. */
	readonly modules: (place: ModulePlace, address: string | undefined) => Record<string, string>;
	/** Address of the build or the dev server, for pages that are rendered outside of its process. */
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
					// What browsers load holds no key.
					const isServer = this.environment.name !== 'client';
					return modules('dev', isServer ? await address() : undefined)[name];
				}
				// Pages that are prerendered are bundled apart.
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
