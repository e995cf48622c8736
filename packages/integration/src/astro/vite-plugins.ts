import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { INTEGRATION_NAME } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { throttleOf } from '../options/connection.js';
import { isProviderModule } from '../options/provider.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { StorageOptions } from '../options/storage.js';
import type { RuntimeSettings } from '../pages/page-source.js';
import { driverConfig, storageDriver } from '../project/open-shared.js';
import { locate } from '../providers/load-provider.js';
import type { LiveSettings } from '../server/live-source.js';
import type { ViteSettings } from './bundle-provider.js';
import type { Project } from './project.js';

/** The exports of `virtual:product-reviews`. */
export const PUBLIC_FUNCTIONS = [
	'getProductReviews',
	'getStarRating',
	'getReviewData',
	'reviewsMarkdown',
	'reviewPages',
	'ratingFields',
	'reviewsCacheKey',
	'forgetReviews',
] as const;

/** Functions for components only. Add a new one to `pages/internal.ts`, and one of pages to `virtual.d.ts`. */
const COMPONENT_FUNCTIONS = ['fragmentHtml', 'ownListHtml', 'reviewSectionParts', 'reviewEntry'] as const;

/** Imported by the shipped components; not for users. Without the integration, they get the module of that name, which says so. */
const INTERNAL_MODULE_ID = 'astro-product-reviews/internal';

/** Imported by the endpoint of the option `webhook`; not for users. */
const WEBHOOK_MODULE_ID = 'virtual:product-reviews/webhook';

/** The driver of the option `storage`; not for users. */
const STORAGE_DRIVER_ID = 'virtual:product-reviews/storage-driver';

/** The module of the option `provider`; not for users. */
const PROVIDER_ID = 'virtual:product-reviews/provider';

/**
 * Placeholder, in the module of prerendered pages, for the address of the build that renders them. It is replaced after the
 * module graph is complete: the address differs from build to build, and would cause every page to be rendered again.
 */
const BUILD_ADDRESS = '__PRODUCT_REVIEWS_BUILD_ADDRESS__';

/**
 * Placeholder, in the code of a server, for the address of the project's folder relative to that code. It is replaced when
 * the name of the file with the code is known.
 */
const PROJECT_ADDRESS = '__PRODUCT_REVIEWS_PROJECT_ADDRESS__';

export interface PluginContext {
	/** Address for pages that are rendered outside of its process. */
	readonly address: () => Promise<string | undefined>;
	/** `true` if Astro's own prerenderer renders the pages, in its process. Those of adapters may run elsewhere. */
	readonly isOwnPrerenderer: () => boolean;
	/** Called before the pages are rendered, when Astro has prepared its own prerenderer. */
	readonly onPrerender: () => void;
	/** Called when Vite's mode is known, and what the imports of a module of the project mean. */
	readonly onResolved: (vite: ViteSettings) => Promise<void>;
}

export function vitePlugins(
	options: ProductReviewsOptions,
	project: Project,
	context: PluginContext,
): Plugin[] {
	return [
		vitePluginVirtualModules(options, project, context.address),
		vitePluginPageImports(),
		vitePluginRuntime(context),
		...(options.storage ? [vitePluginStorageDriver(options.storage)] : []),
		...(options.provider ? [vitePluginProvider(options.provider, project.root, context)] : []),
		vitePluginProjectAddress(project.root),
	];
}

/**
 * Says in the code of a server where the project is, relative to the file with that code. There, an update finds the cache of
 * the server's own build, as commands do.
 */
function vitePluginProjectAddress(root: () => string): Plugin {
	return {
		name: `${INTEGRATION_NAME}:project-address`,
		apply: 'build',
		renderChunk(code, { fileName }, { dir }) {
			if (dir === undefined || !code.includes(PROJECT_ADDRESS)) return null;
			const path = relative(dirname(join(dir, fileName)), root());
			// For an address within quotes of any kind.
			const address = path.split(sep).map((part) => encodeURIComponent(part).replaceAll("'", '%27'));
			return { code: code.replaceAll(PROJECT_ADDRESS, `${address.join('/')}/`), map: null };
		},
	};
}

/**
 * Leaves the runtime out of the bundle of prerendered pages. They are rendered in the process of the build, which has
 * loaded it. Bundling it again takes 6 % of the time of a build of 20 pages, and 50 MB.
 */
function vitePluginRuntime({ isOwnPrerenderer, onPrerender }: PluginContext): Plugin {
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
				if (this.environment.name !== 'prerender' || !isOwnPrerenderer()) return null;
				// Incremental builds compare ids, so none may have a query that a loader of modules adds to it.
				const { href } = pathToFileURL(fileURLToPath(import.meta.resolve('astro-product-reviews/runtime')));
				return { id: href, external: true };
			},
		},
	};
}

/** Bundles the driver of the option `storage` into the server, as Astro does with that of sessions. */
export function vitePluginStorageDriver(storage: StorageOptions): Plugin {
	return {
		name: `${INTEGRATION_NAME}:storage-driver`,
		resolveId: {
			filter: { id: new RegExp(`^${STORAGE_DRIVER_ID}$`) },
			async handler() {
				const { entrypoint } = await storageDriver(storage);
				// From here, since `unstorage` may not be a dependency of the project; otherwise from the project.
				const here = fileURLToPath(import.meta.url);
				const found = (await this.resolve(entrypoint, here)) ?? (await this.resolve(entrypoint));
				if (found) return found;
				throw new ProductReviewsConfigurationError(
					'PR_STORAGE_DRIVER',
					`The driver "${entrypoint}" of the option "storage" cannot be found.`,
					'Use the name of a driver of unstorage, such as "redis", or install the package that contains the driver.',
				);
			},
		},
	};
}

/** Loads the option `provider`, and bundles its module into the server. */
function vitePluginProvider(
	provider: NonNullable<ProductReviewsOptions['provider']>,
	root: () => string,
	{ onResolved }: PluginContext,
): Plugin {
	return {
		name: `${INTEGRATION_NAME}:provider`,
		configResolved: onResolved,
		resolveId: {
			filter: { id: new RegExp(`^${PROVIDER_ID}$`) },
			async handler() {
				const isModule = isProviderModule(provider);
				const given = isModule ? provider.entrypoint : '';
				// As if the project's root imported it.
				const found = isModule
					? await this.resolve(locate(given, root()), join(root(), 'index.js'))
					: undefined;
				if (found) return found;
				throw new ProductReviewsConfigurationError(
					'PR_PROVIDER_UNUSABLE',
					isModule
						? `The module "${given}" of the option "provider" cannot be found.`
						: 'The option "provider" is an object, which only builds have, but pages that are rendered on demand show reviews.',
					'Move the object to a module that exports it by default, and give its path, such as "./src/reviews.mjs".',
				);
			},
		},
	};
}

/** Creates the virtual modules, which contain only settings, as JSON, and imports. @param address see {@link PluginContext}. */
export function vitePluginVirtualModules(
	options: ProductReviewsOptions,
	{ runtimeSettings, outDir, setMode }: Pick<Project, 'runtimeSettings' | 'outDir' | 'setMode'>,
	address: PluginContext['address'],
): Plugin {
	let isBuild = false;
	return {
		name: `${INTEGRATION_NAME}:virtual-modules`,
		// Vite would resolve the file of the internal module first.
		enforce: 'pre',
		config(_config, { mode, command }) {
			setMode(mode);
			isBuild = command === 'build';
		},
		resolveId: {
			filter: { id: /^(?:virtual:product-reviews(?:\/webhook)?|astro-product-reviews\/internal)$/ },
			// The prefix of ids that Vite must not treat as files.
			handler: (id) => `\0${id}`,
		},
		load: {
			filter: { id: /^\0(?:virtual:product-reviews(?:\/webhook)?|astro-product-reviews\/internal)$/ },
			async handler(id) {
				if (id.endsWith(WEBHOOK_MODULE_ID)) return webhookModule(options, outDir());
				if (!id.endsWith(INTERNAL_MODULE_ID))
					return `export { ${PUBLIC_FUNCTIONS.join(', ')} } from '${INTERNAL_MODULE_ID}';\n`;
				const { name } = this.environment;
				// Prerendered pages are bundled separately.
				const built = name === 'ssr' ? { isServer: true } : { build: BUILD_ADDRESS };
				// Code for browsers must not contain the address, which includes a key.
				const place = isBuild ? built : { build: name === 'client' ? undefined : await address() };
				// Only builds write files.
				const { markdown: _markdown, ...settings } = runtimeSettings();
				const isPrerendered = isBuild && name !== 'ssr';
				return internalModule(options, isPrerendered ? runtimeSettings() : settings, place);
			},
		},
		async renderChunk(code) {
			if (this.environment.name !== 'prerender' || !code.includes(BUILD_ADDRESS)) return null;
			const at = await address();
			return at === undefined ? null : { code: code.replaceAll(BUILD_ADDRESS, at), map: null };
		},
	};
}

/** Ends with advice where a page imports a component, or anything else, from the integration, which has none. */
function vitePluginPageImports(): Plugin {
	return {
		name: `${INTEGRATION_NAME}:page-imports`,
		enforce: 'pre',
		resolveId: {
			filter: { id: /^astro-product-reviews$/ },
			handler(_id, importer) {
				const [file = ''] = importer?.split('?') ?? [];
				if (!/\.(?:astro|mdx?)$/.test(file)) return null;
				return this.error({
					id: file,
					message: `"${basename(file)}" imports from "astro-product-reviews", which is the integration. Import components from "astro-product-reviews/components", functions from "virtual:product-reviews", and types with \`import type\`.`,
				});
			},
		},
	};
}

function webhookModule({ webhook }: ProductReviewsOptions, outDir: string): string {
	const place = `{ root: new URL('${PROJECT_ADDRESS}', import.meta.url), outDir: ${JSON.stringify(outDir)} }`;
	return `export const settings = ${JSON.stringify(webhook)};
export const locateBuild = ${webhook?.update ? `() => (${place})` : undefined};
`;
}

/** Returns what a server needs of the options. */
export function toLiveSettings(options: ProductReviewsOptions, account?: string): LiveSettings {
	return {
		baseUrl: options.baseUrl,
		wsid: options.wsid?.trim() || undefined,
		account: options.provider && account,
		throttle: throttleOf(options),
		staleIfError: options.staleIfError,
		onDemand: options.onDemand,
		storage: options.storage && { config: driverConfig(options.storage) },
	};
}

/** @param build address of the build or dev server that renders the pages, unless the built server does. */
function internalModule(
	options: ProductReviewsOptions,
	settings: RuntimeSettings,
	{ isServer = false, build }: { isServer?: boolean; build?: string | undefined },
): string {
	const live = isServer ? toLiveSettings(options, settings.account) : undefined;
	const storage = live?.storage ? ', storage: { SharedStorage, createDriver }' : '';
	const given = live && options.provider;
	const config = given && isProviderModule(given) ? given.config : undefined;
	const provider = given ? `, provider: { exported, config: ${JSON.stringify(config)} }` : '';
	const environment = `{ getSecret${storage}${provider} }`;
	const place = live
		? `{ createLiveSource: () => createLiveSource(${JSON.stringify(live)}, ${environment}) }`
		: JSON.stringify({ build });
	return `import { createRuntime } from 'astro-product-reviews/runtime';
${live ? LIVE_IMPORTS : ''}${live?.storage ? STORAGE_IMPORTS : ''}${provider && PROVIDER_IMPORT}export const { ${[...PUBLIC_FUNCTIONS, ...COMPONENT_FUNCTIONS].join(', ')} } = createRuntime(${JSON.stringify(settings)}, ${place});
`;
}

const LIVE_IMPORTS = `import { createLiveSource } from 'astro-product-reviews/live';
import { getSecret } from 'astro:env/server';
`;

const PROVIDER_IMPORT = `import exported from '${PROVIDER_ID}';
`;

const STORAGE_IMPORTS = `import { SharedStorage } from 'astro-product-reviews/shared-storage';
import createDriver from '${STORAGE_DRIVER_ID}';

`;
