import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import {
	BUILD_ADDRESS,
	INTEGRATION_NAME,
	INTERNAL_MODULE_ID,
	PUBLIC_MODULE_ID,
	STORAGE_DRIVER_ID,
	STORE_ADDRESS,
	WEBHOOK_MODULE_ID,
} from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { type LiveSettings, toLiveSettings } from '../on-demand/settings.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { StorageOptions } from '../options/storage.js';
import type { WebhookSettings } from '../options/webhook.js';
import type { RuntimeSettings } from '../runtime/page-source.js';
import { COMPONENT_FUNCTIONS, PUBLIC_FUNCTIONS } from '../runtime/runtime.js';
import type { Project } from './project.js';

export interface PluginContext {
	/** Address for pages that are rendered outside of its process. */
	readonly address: () => Promise<string | undefined>;
	readonly isOwnPrerenderer: () => boolean;
	/** Called before the pages are rendered, when Astro has prepared its own prerenderer. */
	readonly onPrerender: () => void;
}

export function vitePlugins(
	options: ProductReviewsOptions,
	project: Project,
	{ address, isOwnPrerenderer, onPrerender }: PluginContext,
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
		vitePluginRuntime(isOwnPrerenderer, onPrerender),
		...(options.storage ? [vitePluginStorageDriver(options.storage)] : []),
		vitePluginStoreFile(project.storeFile),
	];
}

/**
 * Says in the code of a server where the store is, relative to the file with that code: the project may be moved as a
 * whole.
 */
function vitePluginStoreFile(storeFile: () => string): Plugin {
	return {
		name: `${INTEGRATION_NAME}:store-file`,
		apply: 'build',
		renderChunk(code, { fileName }, { dir }) {
			if (dir === undefined || !code.includes(STORE_ADDRESS)) return null;
			const path = relative(dirname(join(dir, fileName)), storeFile());
			const address = path.split(sep).map(encode).join('/');
			return { code: code.replaceAll(STORE_ADDRESS, address), map: null };
		},
	};
}

/** Encodes a part of a path, for an address within quotes of any kind. */
function encode(part: string): string {
	return encodeURIComponent(part).replaceAll("'", '%27');
}

const RUNTIME = 'astro-product-reviews/runtime';

/**
 * Leaves the runtime out of the bundle of prerendered pages. They are rendered in the process of the build, which has
 * loaded it. Bundling it again takes 6 % of the time of a build of 20 pages, and 50 MB.
 * @param isInProcess whether Astro's own prerenderer renders the pages. Those of adapters may run elsewhere.
 * @param onPrerender called when the bundle is begun.
 */
function vitePluginRuntime(isInProcess: () => boolean, onPrerender: () => void): Plugin {
	return {
		name: `${INTEGRATION_NAME}:runtime`,
		apply: 'build',
		// Vite would resolve it first.
		enforce: 'pre',
		buildStart() {
			if (this.environment.name === 'prerender') onPrerender();
		},
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

const RESOLVED = `\0${STORAGE_DRIVER_ID}`;

/** Bundles the driver of the option `storage` into the server, as Astro does with that of sessions. */
export function vitePluginStorageDriver(storage: StorageOptions): Plugin {
	return {
		name: `${INTEGRATION_NAME}:storage-driver`,
		resolveId: {
			filter: { id: new RegExp(`^${STORAGE_DRIVER_ID}$`) },
			handler: () => RESOLVED,
		},
		load: {
			filter: { id: new RegExp(`^${RESOLVED}$`) },
			async handler() {
				// Loaded only now: most sites have no storage.
				const { storageDriver } = await import('../options/storage-driver.js');
				const { entrypoint } = storageDriver(storage);
				// From here, since `unstorage` may not be a dependency of the project; otherwise from the project.
				const here = fileURLToPath(import.meta.url);
				const found = (await this.resolve(entrypoint, here)) ?? (await this.resolve(entrypoint));
				if (!found) throw unknownDriver(entrypoint);
				return `export { default } from ${JSON.stringify(found.id)};`;
			},
		},
	};
}

function unknownDriver(entrypoint: string): ProductReviewsConfigurationError {
	return new ProductReviewsConfigurationError(
		'PR_STORAGE_DRIVER',
		`The driver "${entrypoint}" of the option "storage" cannot be found.`,
		'Use the name of a driver of unstorage, such as "redis", or install the package that contains the driver.',
	);
}

interface ModuleSettings {
	readonly webhook?: WebhookSettings | undefined;
	readonly live?: LiveSettings | undefined;
	/** Address of the build or dev server that renders the pages; `undefined` if there is none. */
	readonly build?: string | undefined;
}

/** The sources of the virtual modules by id. They contain only settings, as JSON, and imports. */
function virtualModules(
	settings: RuntimeSettings,
	{ webhook, live, build }: ModuleSettings = {},
): Record<string, string> {
	const environment = live?.storage
		? '{ getSecret, storage: { SharedStorage, createDriver } }'
		: '{ getSecret }';
	const place = live
		? `{ createLiveSource: () => createLiveSource(${JSON.stringify(live)}, ${environment}) }`
		: JSON.stringify({ build });
	return {
		[INTERNAL_MODULE_ID]: `import { createRuntime } from 'astro-product-reviews/runtime';
${live ? LIVE_IMPORTS : ''}${live?.storage ? STORAGE_IMPORTS : ''}export const { ${[...PUBLIC_FUNCTIONS, ...COMPONENT_FUNCTIONS].join(', ')} } = createRuntime(${JSON.stringify(settings)}, ${place});
`,
		[PUBLIC_MODULE_ID]: `export { ${PUBLIC_FUNCTIONS.join(', ')} } from '${INTERNAL_MODULE_ID}';
`,
		[WEBHOOK_MODULE_ID]: `export const settings = ${JSON.stringify(webhook)};
export const locateStore = ${webhook?.update ? `() => new URL('${STORE_ADDRESS}', import.meta.url)` : undefined};
`,
	};
}

const LIVE_IMPORTS = `import { createLiveSource } from 'astro-product-reviews/live';
import { getSecret } from 'astro:env/server';
`;

const STORAGE_IMPORTS = `import { SharedStorage } from 'astro-product-reviews/shared-storage';
import createDriver from '${STORAGE_DRIVER_ID}';

`;

/** Prefix of ids that Vite must not treat as files. */
const RESOLVED_PREFIX = '\0';

/** Which pages a module is for. */
type ModulePlace =
	/** Rendered on demand by the built server. */
	| 'server'
	/** Rendered by a build. */
	| 'build'
	/** Rendered by a dev server. */
	| 'dev';

interface VirtualModulesContext {
	readonly modules: (place: ModulePlace, address: string | undefined) => Record<string, string>;
	/** Address of the build or dev server, for pages rendered outside its process. */
	readonly address: () => Promise<string | undefined>;
	readonly onMode: (mode: string) => void;
}

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
			handler: (id) => RESOLVED_PREFIX + id,
		},
		load: {
			filter: { id: /^\0virtual:product-reviews(?:\/(?:internal|webhook))?$/ },
			async handler(id) {
				const name = id.slice(RESOLVED_PREFIX.length);
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
