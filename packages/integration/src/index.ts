// First, because the other imports may not load in an unsupported environment.
import './astro/check-environment.js';
import { readFileSync } from 'node:fs';
import type { AstroConfig, AstroIntegration, AstroPrerenderer, HookParameters } from 'astro';
import pLimit from 'p-limit';
import { ASTRO_VERSION } from './astro/check-environment.js';
import { createProject, reviewSites } from './astro/project.js';
import type { BuildRun } from './astro/start-build.js';
import type { DevRun } from './astro/start-dev.js';
import { describeLacks } from './astro/supported-versions.js';
import { vitePlugins } from './astro/vite-plugins.js';
import { nameOfPath, readablePath } from './base/paths.js';
import { INTEGRATION_NAME } from './constants.js';
import { ProductReviewsConfigurationError } from './errors.js';
import { parseOptions } from './options/parse-options.js';
import type { ProductReviewsOptions, ProductReviewsUserOptions } from './options/schema.js';
import type { BuildPages, PageKeys } from './pages/build-pages.js';
import { readBuildChanges } from './project/changed-products.js';

export type * from './options/provider.js';
export type { ProductReviewsUserOptions } from './options/schema.js';
export { providers } from './providers/shipped/index.js';

/**
 * Brings the product reviews of a review service into the static pages of an Astro site.
 *
 * @param options all have defaults. By default, the service's address and the website ID come from the environment
 * variables `REVIEWS_BASE_URL` and `REVIEWS_WSID`.
 * @throws ProductReviewsConfigurationError on import with Astro 5 or older, or with Node before 22.13. For invalid options,
 * it names each and what it accepts; the same for an array of `products` that is empty or contains anything else than ids.
 * @example
 * integrations: [productReviews({ products: async () => ['p-1', 'p-2'] })]
 */
export default function productReviews(options?: ProductReviewsUserOptions): AstroIntegration {
	const resolved = parseOptions(options);
	const project = createProject(resolved);
	let command: string | undefined;
	let build: BuildRun | undefined;
	let dev: DevRun | undefined;
	/** The provider with what it imports of the project. */
	const files: string[] = [];
	/** Integrations that may have set a prerenderer, such as that of an adapter. Astro does not say which one it has. */
	let others: readonly string[] = [];
	let setKeys = () => {};
	/** Runs a step of a build. Astro calls no hook after one that fails, so the build is released here. */
	const step = async (run: (build: BuildRun) => Promise<void> | void) => {
		if (!build) return;
		try {
			await run(build);
		} catch (error) {
			await build.release();
			throw error;
		}
	};

	return {
		name: INTEGRATION_NAME,
		hooks: {
			'astro:config:setup': (setup) => {
				const { config, logger } = setup;
				command = setup.command;
				const lacks = command === 'build' || command === 'dev' ? describeLacks(ASTRO_VERSION) : undefined;
				if (lacks) logger.info(lacks);
				project.configure(config);
				if (config.cache?.provider) setup.addMiddleware(MIDDLEWARE);
				const plugins = vitePlugins(resolved, project, {
					address: async () => (build ?? dev)?.address(),
					isOwnPrerenderer: () => build !== undefined && others.length === 0,
					onPrerender: () => setKeys(),
					// Only then, because most commands of Astro need no reviews, and may have no environment.
					async onResolved(vite) {
						if (command !== 'build' && command !== 'dev') return;
						for (const file of await project.openProvider(vite)) {
							files.push(file);
							setup.addWatchFile(file);
						}
					},
				});
				const last = {
					name: `${INTEGRATION_NAME}:last`,
					hooks: {
						'astro:build:done': () => {
							build?.recordCopies();
							return build?.release();
						},
					},
				};
				setup.updateConfig({ vite: { plugins }, integrations: [last] });
				addEndpoint(resolved, setup);
				if (command === 'dev') setup.addDevToolbarApp(TOOLBAR_APP);
			},
			'astro:config:done': ({ config, injectTypes }) => {
				assertOnce(config);
				project.setOutput(config);
				reviewSites().set(config.root.href, { config, options: resolved, project });
				others = config.integrations
					.filter(({ name, hooks }) => name !== INTEGRATION_NAME && hooks['astro:build:start'])
					.map(({ name }) => name);
				injectTypes({ filename: 'types.d.ts', content: readFileSync(TYPES, 'utf8') });
			},
			'astro:server:setup': async (setup) => {
				// Other commands start a Vite server briefly.
				if (command !== 'dev') return;
				// Vite watches the project's folder, and a module may be elsewhere in a workspace.
				setup.server.watcher.add(files);
				const { startDevServer } = await import('./astro/dev-server.js');
				dev = await startDevServer(setup, resolved, project);
			},
			'astro:server:done': () => dev?.stop(),
			'astro:build:start': async ({ logger, setPrerenderer }) => {
				const site = project.site();
				// Loaded only now: most commands of Astro do not build.
				const { startBuild } = await import('./astro/start-build.js');
				const changed = readBuildChanges(logger);
				build = await startBuild({ ...site, ...project.build(), changed, logger });
				project.pointToCache(logger);
				const { pages } = build;
				const { keys } = pages;
				if (!keys) return;
				if (others.length > 0) logger.warn(describeOthers(others));
				// Set only when Astro has made the bundle for its own prerenderer, which it leaves out for others.
				else setKeys = () => setPrerenderer((own) => keyPrerenderer(own, pages, keys));
			},
			// Other integrations may read the times of pages before this one's last hook.
			'astro:build:generated': () => step(({ pages }) => pages.finish()),
			'astro:build:done': ({ dir, pages, assets }) =>
				step((run) => {
					project.setPagesFolder(dir);
					const elsewhere = others.length > 0 ? pages.map(({ pathname }) => pathname) : [];
					return run.finish(elsewhere, [...assets.values()].flat());
				}),
		},
	};
}

/** Adapters whose servers have no files that they could change. */
const WITHOUT_FILES = new Set(['@astrojs/cloudflare', '@astrojs/netlify', '@astrojs/vercel']);

/**
 * Adds the endpoint to a build of a site with an adapter. `astro dev` receives events without it.
 * @throws ProductReviewsConfigurationError if the server cannot update its pages.
 */
function addEndpoint(
	{ webhook, storage }: ProductReviewsOptions,
	{ command, config, injectRoute, logger }: HookParameters<'astro:config:setup'>,
): void {
	if (!webhook || command !== 'build') return;
	if (!config.adapter) {
		logger.info(
			`The site has no adapter, so events at ${webhook.path} are received in "astro dev" only. To rebuild it when reviews change, run "npx product-reviews-webhook" where it is built, or add an adapter.`,
		);
		return;
	}
	if (webhook.update && WITHOUT_FILES.has(config.adapter.name)) {
		throw new ProductReviewsConfigurationError(
			'PR_WEBHOOK_ADAPTER',
			`The option "webhook.update" does not work with ${config.adapter.name}: its functions cannot change the site's files.`,
			'Set "deployHookEnv" or "github" instead, or run "npx product-reviews-webhook" where the site is built.',
		);
	}
	// With a storage, instances of the server tell each other of events.
	const doesSomething =
		storage || webhook.update || webhook.deployHookEnv !== undefined || webhook.github !== undefined;
	if (!config.cache?.provider && !doesSomething) {
		logger.warn(
			`Events at ${webhook.path} will have no effect: Astro's "cache" is not set up, so there is nothing to purge, and the option "webhook" of productReviews() says nothing about a rebuild. Set "deployHookEnv", "github" or "update" in it. [PR_INVALID_OPTIONS]`,
		);
	}
	if (config.trailingSlash === 'always') {
		logger.info(
			`Events are received at ${webhook.path}/ with a slash: with trailingSlash "always", the address without one is redirected, which senders do not follow.`,
		);
	}
	const entrypoint = 'astro-product-reviews/webhook-endpoint';
	injectRoute({ pattern: webhook.path, entrypoint, prerender: false });
}

/** Writes the warning of an incremental build whose pages may be rendered by the prerenderer of another integration. */
function describeOthers(names: readonly string[]): string {
	return `Pages may be rendered by ${names.join(' or ')}, so their cache keys do not include reviews by themselves. Add reviewsCacheKey() to the cacheKey of pages in getStaticPaths(). [PR_KEYS_WITHOUT_REVIEWS]`;
}

const KEYS_IN_FLIGHT = 256;

/**
 * Astro's own prerenderer for an incremental build: it adds the reviews to the keys of pages that have one, and records what
 * each page shows.
 */
function keyPrerenderer(
	prerenderer: AstroPrerenderer,
	pages: Pick<BuildPages, 'render' | 'recorder'>,
	keys: PageKeys,
): AstroPrerenderer {
	return {
		...prerenderer,
		async getStaticPaths() {
			// What is asked for here decides which pages there are, and is asked for by every build.
			const { result: paths } = await pages.recorder.record('', () => prerenderer.getStaticPaths());
			// Reviews that may have changed are asked for together.
			const limit = pLimit(KEYS_IN_FLIGHT);
			return Promise.all(
				paths.map(async (path) => {
					const { pathname, cacheKey } = path;
					if (cacheKey === undefined) return path;
					return { ...path, cacheKey: await limit(() => keys.keyOf(nameOfPath(pathname), cacheKey)) };
				}),
			);
		},
		render(request, options) {
			const address = readablePath(new URL(request.url).pathname);
			return pages.render(address, async () => whole(await prerenderer.render(request, options)));
		},
	};
}

type Rendered = Awaited<ReturnType<AstroPrerenderer['render']>>;

/** Reads the body here, because components may render while it is read, and must be recorded for this page. */
async function whole(rendered: Rendered): Promise<Rendered> {
	const response = rendered instanceof Response ? rendered : rendered.response;
	// Astro sets a length only on complete bodies.
	if (response.body === null || response.headers.has('content-length')) return rendered;
	const { status, statusText, headers } = response;
	const read = new Response(await response.arrayBuffer(), { status, statusText, headers });
	return rendered instanceof Response ? read : { ...rendered, response: read };
}

/** @throws ProductReviewsConfigurationError if a site has it twice: pages would ask one, and be audited by the other. */
function assertOnce({ integrations }: AstroConfig): void {
	if (integrations.filter(({ name }) => name === INTEGRATION_NAME).length < 2) return;
	throw new ProductReviewsConfigurationError(
		'PR_DUPLICATE_INTEGRATION',
		'productReviews() is in the Astro configuration twice.',
		'Keep one of them in `integrations`. A site shows the reviews of one website ID.',
	);
}

/** Types of the virtual modules, injected unchanged. */
const TYPES = new URL('../virtual.d.ts', import.meta.url);

/** Needed for pages in a route cache. */
const MIDDLEWARE = { entrypoint: 'astro-product-reviews/live-middleware', order: 'pre' } as const;

/** App that describes the page that is open in `astro dev`. Builds contain nothing of the app. */
const TOOLBAR_APP = {
	id: INTEGRATION_NAME,
	name: 'Product reviews',
	icon: 'star',
	entrypoint: new URL('./astro/toolbar/app.js', import.meta.url),
} as const;
