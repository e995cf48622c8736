import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MODULE_LIMIT, within } from '../base/async.js';
import { digestOf } from '../base/digest.js';
import { sharedMap } from '../base/shared-map.js';
import { PROVIDER_FILE } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { accountOf, type Connection, throttleOf } from '../options/connection.js';
import {
	createProvider,
	isProviderModule,
	type ProviderModule,
	type ReviewProvider,
} from '../options/provider.js';
import type { RequestOptions } from '../options/schema.js';
import type { ReviewFetcher } from './review-fetcher.js';
import { type FetcherContext, startReviewService } from './start-review-service.js';

export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that the module in a file reads. No bundle contains a value: it may be secret. */
const providerVariables = sharedMap<Variables>('provider-variables');

/** A provider of the option `provider`, in place of the hosted service. */
export interface ProviderConnection {
	readonly account: string;
	readonly provider: ReviewProvider;
	/** `undefined` for an object. */
	readonly module: ProviderModule | undefined;
	/** The code of its module with all that it imports of the project; `undefined` for an object. */
	readonly bundle: string | undefined;
	readonly start: (options: RequestOptions, context?: FetcherContext) => ReviewFetcher;
}

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
 * @param variables of the environment, which the provider reads.
 * @param bundle of the module, which is imported in its place.
 * @throws ProductReviewsConfigurationError if it cannot be loaded, or is no provider.
 */
export async function openProvider(
	given: ProviderModule | ReviewProvider,
	root: string,
	variables: Variables,
	bundle?: LoadedBundle,
): Promise<ProviderConnection> {
	const found = isProviderModule(given) ? given : undefined;
	const exported = bundle && found ? await importBundle(found.entrypoint, root, variables, bundle) : given;
	const provider = createProvider(exported, found?.config);
	// Only here: commands and builds of the hosted service do without it.
	const [{ createOnePass }, { createProviderCalls }, { createReviewFetcher }] = await Promise.all([
		import('./one-pass.js'),
		import('./provider-call.js'),
		import('./review-fetcher.js'),
	]);
	const name = found && nameInProject(found.entrypoint, root);
	return {
		account: provider.name ? accountOf('provider', provider.name) : accountOf('provider module', name ?? ''),
		provider,
		module: found,
		bundle: bundle?.code,
		start(options, { maxPause, onRequest, revisionOf, warn } = {}) {
			if (options.revalidate === 'ratings' && !provider.ratings) {
				throw new ProductReviewsConfigurationError(
					'PR_INVALID_OPTIONS',
					'The option "revalidate" is "ratings", but the provider has no function "ratings".',
					'Add the function, or leave "revalidate" out.',
				);
			}
			const env = (variable: string) => variables[variable];
			const context = { maxPause, onRequest, env, module: name, warn, onePass: createOnePass };
			const calls = createProviderCalls(provider, { ...throttleOf(options), ...context });
			return createReviewFetcher(calls, revisionOf);
		},
	};
}

/** A provider's module with all that it imports of the project. */
interface LoadedBundle {
	readonly code: string;
	/** Path of the code. @default it is written into a temporary file for as long as it loads */
	readonly file?: string | undefined;
}

/** Returns the path of a module of the project; the name of a package as it is. */
export function locate(entrypoint: string, root: string): string {
	if (entrypoint.startsWith('file:')) return fileURLToPath(entrypoint);
	return /^\.{1,2}\//.test(entrypoint) ? join(root, entrypoint) : entrypoint;
}

/** Returns the path of a module relative to the project, the same on every machine; the name of a package as it is. */
function nameInProject(entrypoint: string, root: string): string {
	const path = locate(entrypoint, root);
	return isAbsolute(path) ? relative(root, path).replaceAll(sep, '/') : path;
}

async function importBundle(
	entrypoint: string,
	root: string,
	variables: Variables,
	{ code, file }: LoadedBundle,
): Promise<unknown> {
	const folder =
		file === undefined ? mkdtempSync(join(realpathSync(tmpdir()), 'product-reviews-')) : undefined;
	const hadSourceMaps = process.sourceMapsEnabled;
	try {
		const path = file ?? join(folder ?? '', PROVIDER_FILE);
		if (folder !== undefined) writeFileSync(path, code);
		providerVariables().set(path, variables);
		const { href } = pathToFileURL(path);
		process.setSourceMapsEnabled(true);
		return await importDefault(`${href}?${digestOf(code)}`, root, unusableProvider(entrypoint));
	} catch (error) {
		// Written now, with the names and lines of the merchant's own files.
		if (error instanceof Error && error.cause instanceof Error) error.cause.stack;
		throw error;
	} finally {
		process.setSourceMapsEnabled(hadSourceMaps);
		if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
	}
}

export function unusableProvider(entrypoint: string, otherwise = CORRECT): Unusable {
	return (problem, { advice = otherwise, cause } = {}) =>
		new ProductReviewsConfigurationError(
			'PR_PROVIDER_UNUSABLE',
			`The module "${entrypoint}" of the option "provider" ${problem}`,
			advice,
			{ cause },
		);
}

const CORRECT = 'Correct the file: a provider is written like any other module of the project.';

export const WHICH_MODULE =
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
	assertNoAddress(entrypoint, unusable);
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

/** @throws what `unusable` makes of an address: Node and Vite would run what is in a `data:` address. */
export function assertNoAddress(entrypoint: string, unusable: Unusable): void {
	if (/^(?!file:)[a-z][a-z\d+.-]+:/i.test(entrypoint)) throw unusable('is an address.');
}

const AWAITS =
	'Look for an "await" outside of functions, in it and in what it imports: something that it waits for does not respond. Open connections when a function is first called.';

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
