import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Connection } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { StorageOptions } from '../options/storage.js';
import { pack } from '../store/pack.js';
import { findLast } from '../store/queries.js';
import type { ReviewStore } from '../store/review-store.js';
import { unpackRow } from '../store/rows.js';
import { withoutSecrets } from '../text/secret-config.js';
import { VERSION } from '../version.js';
import { reviewsCollections } from './reviews-collections.js';

/** The options without secrets, which no store keeps, and what JSON cannot hold. */
type OutputOptions = Omit<ProductReviewsOptions, 'token' | 'products' | 'webhook' | 'storage'>;

/** The option `storage`, without secrets. */
interface OutputStorage extends StorageOptions {
	/** Names of the driver's options that are left out. */
	readonly omitted: readonly string[];
}

/** What a build writes its pages with, besides the integration's options. */
export interface OutputContext {
	/** Astro's `outDir`, relative to the store's folder. One process at a time changes it. */
	readonly outDir: string;
	/** Folder of the pages' files, relative to the store's folder. */
	readonly folder: string;
	/** The project's root, relative to the store's folder. */
	readonly root: string;
	/** Folder of the `.env` files, relative to the store's folder; `false` if there are none. */
	readonly envFolder: string | false;
	/** Vite's mode, which decides which `.env` files are read. */
	readonly mode: string;
	/** Identifies the contents of the configuration file; `undefined` if it was not found. */
	readonly config: string | undefined;
	/** Address of the site; `undefined` if unknown. */
	readonly site: string | undefined;
	readonly base: string;
}

/** What the last build wrote, and with what: everything that is needed to change its pages without Astro. */
export interface Output extends OutputContext {
	/** `false` if the build did not finish: its folder then has pages of two builds. */
	readonly isComplete: boolean;
	/** Of the integration. */
	readonly version: string;
	readonly baseUrl: string;
	readonly wsid: string;
	readonly hasToken: boolean;
	/** Whether a content collection has the review data: any page may show any of it. */
	readonly hasCollection: boolean;
	readonly options: OutputOptions;
	/** `undefined` without the option `storage`. */
	readonly storage: OutputStorage | undefined;
	/** Whether the sitemap says when the reviews on pages last changed. */
	readonly hasChanges: boolean;
}

/** What an output is described from. */
export interface OutputSources {
	readonly options: ProductReviewsOptions;
	readonly connection: Connection;
	/** `undefined` if no sitemap says when the reviews on pages last changed. */
	readonly changes: unknown;
}

/** What a build writes. */
export function describeOutput<Context extends OutputContext>(
	{ options, connection, changes }: OutputSources,
	output: Context,
	isComplete: boolean,
): Output & Context {
	const { token: _token, products: _products, webhook: _webhook, storage, ...kept } = options;
	const { baseUrl, wsid, token, account } = connection;
	return {
		...output,
		isComplete,
		version: VERSION,
		baseUrl,
		wsid,
		hasToken: token !== undefined,
		hasCollection: reviewsCollections().has(account),
		options: kept,
		storage: storage && { driver: storage.driver, ...withoutSecrets(storage.config) },
		hasChanges: changes !== undefined,
	};
}

/** Key of the last build's output. It is put when a build begins, and when it ends. */
export const LAST = 'last';

/** Keeps what the last build wrote, from now on. */
export function keepOutput(store: ReviewStore, output: Output, now: number): void {
	store.table<Output>('output').put(LAST, pack(output), now);
	store.flush();
}

/** Forgets what the last build wrote: the next one does not say where its fragments are. */
export function forgetOutput(store: ReviewStore, now: number): void {
	const table = store.table<Output | null>('output');
	if (!table.entry(LAST)) return;
	table.put(LAST, pack(null), now);
	store.flush();
}

/** What the last build wrote, of whatever account; `undefined` if it is unknown. */
export function readOutput(database: DatabaseSync): Output | undefined {
	const row = findLast(database, 'output', LAST);
	try {
		return (row && unpackRow<Output | null>(row)) ?? undefined;
	} catch {
		// It is damaged, so it is unknown.
		return undefined;
	}
}

const CONFIG_FILES = ['mjs', 'js', 'ts', 'mts', 'cjs', 'cts'].map((type) => `astro.config.${type}`);

/** Identifies the contents of a project's configuration file; `undefined` if there is none of the usual name. */
export function digestOfConfig(root: string): string | undefined {
	for (const name of CONFIG_FILES) {
		try {
			return createHash('sha256')
				.update(readFileSync(join(root, name)))
				.digest('hex')
				.slice(0, 32);
		} catch {
			// Another name is tried.
		}
	}
	return undefined;
}
