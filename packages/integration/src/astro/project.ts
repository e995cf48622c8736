import { randomUUID } from 'node:crypto';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import { describeFailure } from '../base/failures.js';
import { markdownPattern } from '../base/paths.js';
import { sharedMap } from '../base/shared-map.js';
import { cacheFolder } from '../cache/open-database.js';
import { CACHE_FILE, ENVIRONMENT, POINTER_FOLDER, REPORT_FILE, VERSION } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { findMissing, resolveConnection } from '../options/connection.js';
import { isProviderModule } from '../options/provider.js';
import type { FetchOptions, ProductReviewsOptions } from '../options/schema.js';
import { startPageChanges } from '../pages/build-pages.js';
import type { RuntimeSettings } from '../pages/index.js';
import { placeOfVariables, readEnvironment } from '../project/environment.js';
import type { Logger } from '../project/log-lines.js';
import { type BuildPlaces, findConfig, pointToCache } from '../project/manifest.js';
import type { SiteContext } from '../project/open-reviews.js';
import { openProvider, type ProviderConnection, type SiteConnection } from '../providers/load-provider.js';
import type { AddressSettings } from '../render/fragment.js';
import type { ViteSettings } from './bundle-provider.js';

/** The Astro project: the integration's options, combined with the project's folders and environment. */
export type Project = ReturnType<typeof createProject>;

export type BuildProject = Readonly<ReturnType<Project['build']>>;

export function createProject(options: ProductReviewsOptions) {
	const folderOfProcess = process.cwd();
	/** Facts about the project that are known so far. Paths are absolute. */
	const known = {
		root: folderOfProcess,
		cacheDir: join(folderOfProcess, 'node_modules/.astro'),
		envDir: folderOfProcess as string | false,
		base: '/',
		addresses: {} as AddressSettings,
		site: undefined as string | undefined,
		outDir: join(folderOfProcess, 'dist'),
		/** @default `outDir` */
		pagesFolder: undefined as string | undefined,
		env: { schema: {} } as AstroConfig['env'],
		isIncremental: false,
		mode: 'production',
		provider: undefined as ProviderConnection | undefined,
	};

	const fetchOptions = fetchOptionsOf(options);
	const { audit, buildTimeout, feeds, products, pruneAfter } = options;
	const buildOptions = { ...fetchOptions, audit, buildTimeout, feeds, products, pruneAfter };

	const environment = () => readEnvironment(known.mode, known.envDir);

	const placeOf = () => placeOfVariables(known.root, known.envDir);

	/** @throws ProductReviewsConfigurationError if the service's address or the website ID is not set. */
	const connection = (): SiteConnection => {
		if (!options.provider) return resolveConnection(options, environment(), placeOf());
		if (known.provider) return known.provider;
		throw new ProductReviewsConfigurationError(
			'PR_PROVIDER_UNUSABLE',
			'The option "provider" is only loaded by builds, "astro dev" and commands that need it.',
			'Run one of these.',
		);
	};

	/** Returns an empty text if it is not set: `astro sync` and `astro check` must work without an environment. */
	const accountOrNone = (): string => {
		try {
			return connection().account;
		} catch (error) {
			if (error instanceof ProductReviewsConfigurationError) return '';
			throw error;
		}
	};

	const folder = () => cacheFolder(known.root, options.cacheDir, known.cacheDir);

	const cacheFile = () => join(folder(), CACHE_FILE);

	const runtimeSettings = (): RuntimeSettings => {
		const { display, labels, ownPublishers, authorNames, writeReviewUrl, onError, feeds } = options;
		return {
			version: VERSION,
			account: accountOrNone(),
			display,
			labels,
			ownPublishers,
			authorNames,
			writeReviewUrl,
			markdown: markdownPattern(feeds),
			mayOmit: onError === 'omit' || undefined,
			base: known.base,
			...known.addresses,
		};
	};

	const places = (): BuildPlaces => {
		const { outDir, pagesFolder = outDir, root, envDir, mode, site, base } = known;
		const inRoot = (path: string) => relative(root, path).replaceAll(sep, '/');
		return {
			root,
			outDir: inRoot(outDir),
			folder: inRoot(pagesFolder),
			envFolder: envDir === false ? false : inRoot(envDir),
			mode,
			...findConfig(root, process.argv),
			site,
			base,
		};
	};

	return {
		configure(
			config: Pick<AstroConfig, 'root' | 'cacheDir' | 'base' | 'build' | 'experimental' | 'i18n' | 'vite'>,
		) {
			known.root = resolve(fileURLToPath(config.root));
			known.cacheDir = fileURLToPath(config.cacheDir);
			known.base = config.base;
			const domains = Object.values(config.i18n?.domains ?? {});
			known.addresses = {
				hasPageFiles: config.build.format === 'directory' ? undefined : true,
				domains: domains.length > 0 ? domains : undefined,
			};
			known.isIncremental = config.experimental.incrementalBuild === true;
			const { envDir = '.' } = config.vite;
			known.envDir = envDir === false ? false : resolve(known.root, envDir);
		},
		/**
		 * Loads the option `provider`, if it is set and not loaded yet. It has to be called when the mode is known.
		 * @param vite decides what the imports of its module mean.
		 * @returns the files of the project that were loaded, as absolute paths.
		 */
		async openProvider(vite: ViteSettings): Promise<readonly string[]> {
			const { provider } = options;
			if (!provider || known.provider) return [];
			// Loaded only here: most sites have no provider.
			const bundle = isProviderModule(provider)
				? await (await import('./bundle-provider.js')).bundleProvider(provider.entrypoint, { ...known, vite })
				: undefined;
			known.provider = await openProvider(provider, known.root, environment(), bundle);
			return bundle?.files ?? [];
		},
		/** Takes over the folders and the address that other integrations may have changed by now. */
		setOutput({ outDir, site, env }: Pick<AstroConfig, 'outDir' | 'site' | 'env'>) {
			known.outDir = fileURLToPath(outDir);
			known.site = site;
			known.env = env;
		},
		setPagesFolder(given: URL) {
			known.pagesFolder = fileURLToPath(given);
		},
		/** Sets Vite's mode, which decides which `.env` files are read. */
		setMode(given: string) {
			known.mode = given;
		},
		connection,
		missing: () =>
			findMissing(options, environment(), placeOf()).filter(
				({ option }) => !options.provider || option === 'products',
			),
		environment,
		cacheFile,
		root: () => known.root,
		/** Relative to the root. */
		outDir: () => places().outDir,
		base: () => known.base,
		site(): SiteContext {
			const { storage } = options;
			const { [ENVIRONMENT.storageConfig]: config } = environment();
			return {
				options: fetchOptions,
				connection: connection(),
				cacheFile: cacheFile(),
				settings: runtimeSettings(),
				storage: storage && { options: storage, environment: config, root: known.root },
			};
		},
		/** Says in the project's folder where the cache is, so that commands find it. */
		pointToCache(logger: Pick<Logger, 'warn'>): void {
			try {
				pointToCache({ root: known.root, outDir: known.outDir, cacheFile: cacheFile() });
			} catch (error) {
				logger.warn(
					`Commands such as "astro-product-reviews update" will not find the cache, because "${POINTER_FOLDER}" cannot be written: ${describeFailure(error)}. Make it writable, or give them "--cache-file ${cacheFile()}". [PR_FILE_NOT_WRITTEN]`,
				);
			}
		},
		build: () => ({
			options: buildOptions,
			/** Random, and new for each build. */
			id: randomUUID(),
			reportFile: join(folder(), REPORT_FILE),
			/** `true` if Astro reuses pages with a key from its cache: `experimental.incrementalBuild`. */
			isIncremental: known.isIncremental,
			/** Returns where the build writes, and what it is made with. Known when the configuration is complete. */
			places,
			changes: startPageChanges(known.site, Date.now),
		}),
		runtimeSettings,
	};
}

function fetchOptionsOf(options: ProductReviewsOptions): FetchOptions {
	const { allowHttp, baseUrl, concurrency, logRequests, maxAge, maxResponseBytes, onError } = options;
	const { requestsPerSecond, retries, revalidate, sendTokenForReviews, staleIfError, timeout } = options;
	return {
		...{ allowHttp, baseUrl, concurrency, logRequests, maxAge, maxResponseBytes, onError },
		...{ requestsPerSecond, retries, revalidate, sendTokenForReviews, staleIfError, timeout },
	};
}

/** A site whose Astro configuration is complete. */
export interface ReviewSite {
	/** With the changes of all integrations. */
	readonly config: AstroConfig;
	readonly options: ProductReviewsOptions;
	readonly project: Project;
}

/**
 * The sites of this process by the URL of their root folder. Astro gives neither content loaders nor commands access to
 * integrations.
 */
export const reviewSites = sharedMap<ReviewSite>('sites');

/** The accounts whose review data a content collection of this process has. Any page may show any of it. */
export const reviewsCollections = sharedMap<true>('collections');
