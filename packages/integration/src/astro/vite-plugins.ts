import type { Plugin } from 'vite';
import { toLiveSettings } from '../on-demand/live-settings.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { Project } from './project.js';
import { virtualModules } from './virtual-modules.js';
import { vitePluginExternalRuntime } from './vite-plugin-external-runtime.js';
import { vitePluginPrerenderEntry } from './vite-plugin-prerender-entry.js';
import { vitePluginReaders } from './vite-plugin-readers.js';
import { vitePluginStorageDriver } from './vite-plugin-storage-driver.js';
import { vitePluginStoreFile } from './vite-plugin-store-file.js';
import { vitePluginVirtualModules } from './vite-plugin-virtual-modules.js';

/** What the plugins ask about the build or the dev server. */
export interface PluginContext {
	/** Address for pages that are rendered outside of its process. */
	readonly address: () => Promise<string | undefined>;
	/** Whether Astro's own prerenderer renders the pages. */
	readonly isOwnPrerenderer: () => boolean;
	/** Called if the site has code that may read what components write. */
	readonly onReader: () => void;
}

/** The plugins of the integration. */
export function vitePlugins(
	options: ProductReviewsOptions,
	project: Project,
	{ address, isOwnPrerenderer, onReader }: PluginContext,
): Plugin[] {
	return [
		vitePluginVirtualModules({
			modules: (place, build) =>
				virtualModules(project.runtimeSettings(), {
					webhook: options.webhook,
					live: place === 'server' ? toLiveSettings(options) : undefined,
					build,
				}),
			address,
			onMode: project.setMode,
		}),
		vitePluginPrerenderEntry(isOwnPrerenderer),
		vitePluginExternalRuntime(isOwnPrerenderer),
		...(options.storage ? [vitePluginStorageDriver(options.storage)] : []),
		...(options.publish ? [vitePluginReaders(onReader)] : []),
		vitePluginStoreFile(project.storeFile),
	];
}
