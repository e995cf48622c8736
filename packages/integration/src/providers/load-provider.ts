import { createRequire } from 'node:module';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MODULE_LIMIT, within } from '../base/async.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { accountOf, type Connection, throttleOf } from '../options/connection.js';
import { assertProvider, isProviderModule, type ReviewProvider } from '../options/provider.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { ReviewFetcher } from './review-fetcher.js';
import { type FetcherContext, startReviewService } from './start-review-service.js';

/** A provider of the option `provider`, in place of the hosted service. */
export interface ProviderConnection {
	readonly account: string;
	readonly provider: ReviewProvider;
	readonly start: (options: ProductReviewsOptions, context?: FetcherContext) => ReviewFetcher;
}

/** Source of the reviews: the hosted service, or a provider. */
export type SiteConnection = Connection | ProviderConnection;

export function isProvider(connection: SiteConnection): connection is ProviderConnection {
	return 'provider' in connection;
}

/** Returns whether ratings can be requested in lists. */
export function hasRatings(connection: SiteConnection): boolean {
	return isProvider(connection) ? connection.provider.ratings !== undefined : connection.token !== undefined;
}

/** Starts whatever requests products: a thread for the hosted service. A provider is called in this one. */
export function startService(
	connection: SiteConnection,
	...how: Parameters<ProviderConnection['start']>
): ReviewFetcher {
	return isProvider(connection) ? connection.start(...how) : startReviewService(connection, ...how);
}

/**
 * Loads the provider of a project, unless the option has it as an object.
 * @throws ProductReviewsConfigurationError if it cannot be loaded, or is no provider.
 */
export async function openProvider(
	given: NonNullable<ProductReviewsOptions['provider']>,
	root: string,
	environment: () => Readonly<Record<string, string | undefined>>,
): Promise<ProviderConnection> {
	const isModule = isProviderModule(given);
	const provider = isModule ? await importProvider(String(given), root) : given;
	// Only here: commands and builds of the hosted service do without it.
	const [{ createProviderCalls }, { createReviewFetcher }] = await Promise.all([
		import('./provider-call.js'),
		import('./review-fetcher.js'),
	]);
	// Only when it is called, because Vite's mode, which decides which files are read, is known later.
	let variables: ReturnType<typeof environment> | undefined;
	const env = (name: string) => {
		variables ??= environment();
		return variables[name];
	};
	const module = isModule ? nameInProject(String(given), root) : undefined;
	return {
		account: provider.name
			? accountOf('provider', provider.name)
			: accountOf('provider module', module ?? ''),
		provider,
		start(options, { maxPause, onRequest, revisionOf } = {}) {
			if (options.revalidate === 'ratings' && !provider.ratings) {
				throw new ProductReviewsConfigurationError(
					'PR_INVALID_OPTIONS',
					'The option "revalidate" is "ratings", but the provider has no function "ratings".',
					'Add the function, or leave "revalidate" out.',
				);
			}
			const throttle = { ...throttleOf(options), maxPause, onRequest, env, module };
			return createReviewFetcher(createProviderCalls(provider, throttle), revisionOf);
		},
	};
}

function locate(entrypoint: string, root: string): string {
	return /^\.{1,2}\//.test(entrypoint) ? join(root, entrypoint) : entrypoint;
}

/** Returns the path of a module relative to the project, the same on every machine; the name of a package as it is. */
function nameInProject(entrypoint: string, root: string): string {
	const path = entrypoint.startsWith('file:') ? fileURLToPath(entrypoint) : locate(entrypoint, root);
	return isAbsolute(path) ? relative(root, path).replaceAll(sep, '/') : path;
}

async function importProvider(entrypoint: string, root: string): Promise<ReviewProvider> {
	const unusable: Unusable = (problem, { advice = WHICH_MODULE, cause } = {}) =>
		new ProductReviewsConfigurationError(
			'PR_PROVIDER_UNUSABLE',
			`The module "${entrypoint}" of the option "provider" ${problem}`,
			advice,
			{ cause },
		);
	const provider = await importDefault(locate(entrypoint, root), root, unusable);
	assertProvider(provider);
	return provider;
}

const WHICH_MODULE =
	'Give a path relative to the project, the URL of a file, or the name of an installed package.';

/**
 * Makes an error of the end of a sentence about a module.
 * @param advice what to do, as sentences. @default to name another module
 */
export type Unusable = (
	problem: string,
	more?: { readonly advice?: string | undefined; readonly cause?: unknown },
) => Error;

/**
 * Imports what a module exports by default: from this package, or else from the project. It may take 30 seconds.
 * @throws what `unusable` makes.
 */
export async function importDefault(entrypoint: string, root: string, unusable: Unusable): Promise<unknown> {
	// Node would run what is in a `data:` address.
	if (/^(?!file:)[a-z][a-z\d+.-]+:/i.test(entrypoint)) throw unusable('is an address.');
	const found = isAbsolute(entrypoint) ? pathToFileURL(entrypoint).href : entrypoint;
	let module: { readonly default?: unknown } | undefined;
	try {
		const loading = import(found).catch((error) => importFromProject(found, root, error));
		module = await within(loading, MODULE_LIMIT, () => undefined);
	} catch (cause) {
		const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n', 1);
		throw unusable(`cannot be loaded: ${reason}`, { cause });
	}
	if (module) return module.default;
	throw unusable(`has not finished loading after ${MODULE_LIMIT / 1_000} seconds.`, { advice: AWAITS });
}

const AWAITS =
	'Look for an "await" outside of functions, in it and in what it imports: something that it waits for does not answer. Open connections when a function is first called.';

async function importFromProject(entrypoint: string, root: string, error: unknown): Promise<never> {
	if (!/^[@\w]/.test(entrypoint) || entrypoint.startsWith('file:')) throw error;
	let path: string;
	try {
		path = createRequire(join(root, 'package.json')).resolve(entrypoint);
	} catch {
		throw error;
	}
	return import(pathToFileURL(path).href) as Promise<never>;
}
