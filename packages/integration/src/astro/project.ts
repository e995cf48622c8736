import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import { digestOfConfig, type OutputContext } from '../build/output.js';
import { startPageChanges } from '../build/page-changes.js';
import type { BuildProject } from '../build/run-context.js';
import { REPORT_FILE, STORE_FILE } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { type Connection, resolveConnection } from '../options/connection.js';
import { readEnvironment } from '../options/read-environment.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { storeFolder } from '../options/store-folder.js';
import type { RuntimeSettings } from '../runtime/index.js';
import { VERSION } from '../version.js';

/** The Astro project: the integration's options, combined with the project's folders and environment. */
export interface Project {
	/** Takes over Astro's configuration. */
	configure(config: Pick<AstroConfig, 'root' | 'cacheDir' | 'base' | 'experimental' | 'vite'>): void;
	/** Takes over what other integrations may have changed by now. */
	setOutput(config: Pick<AstroConfig, 'outDir' | 'site'>): void;
	/** Sets the folder of the pages' files. @default `outDir` */
	setPagesFolder(folder: URL): void;
	/** Call if the site has code that may read what components write. */
	noteReader(): void;
	/** Sets Vite's mode, which decides which `.env` files are read. */
	setMode(mode: string): void;
	/** @throws ProductReviewsConfigurationError if the service's address or the website id is not set. */
	connection(): Connection;
	/** The variables of this integration, from the process and from the project's `.env` files. */
	environment(): Readonly<Record<string, string | undefined>>;
	/** Path of the store's file. */
	storeFile(): string;
	/** Base of the site's addresses. */
	base(): string;
	/** What a build needs to know. */
	build(): BuildProject;
	/** The settings for pages: no secrets, no paths, no times. */
	runtimeSettings(): RuntimeSettings;
}

export function createProject(options: ProductReviewsOptions): Project {
	let root = process.cwd();
	let cacheDir = join(root, 'node_modules/.astro');
	let envDir: string | false = root;
	let base = '/';
	let site: string | undefined;
	let outDir = join(root, 'dist');
	let pagesFolder: string | undefined;
	let isIncremental = false;
	let hasReader = false;
	let mode = 'production';

	const environment = () => (envDir === false ? process.env : readEnvironment(mode, envDir));

	const connection = () => resolveConnection(options, environment());

	const folder = () => storeFolder(root, options.cacheDir, cacheDir);

	const output = (): OutputContext => ({
		...placesFrom(folder(), { outDir, folder: pagesFolder ?? outDir, root, envFolder: envDir }),
		mode,
		config: digestOfConfig(root),
		site,
		base,
	});

	return {
		configure(config) {
			root = fileURLToPath(config.root);
			cacheDir = fileURLToPath(config.cacheDir);
			base = config.base;
			isIncremental = config.experimental.incrementalBuild === true;
			const given = config.vite.envDir;
			envDir = given === false ? false : resolve(root, given ?? '.');
		},
		setOutput(config) {
			outDir = fileURLToPath(config.outDir);
			site = config.site;
		},
		setPagesFolder(given) {
			pagesFolder = fileURLToPath(given);
		},
		noteReader() {
			hasReader = true;
		},
		setMode(given) {
			mode = given;
		},
		connection,
		environment,
		storeFile: () => join(folder(), STORE_FILE),
		base: () => base,
		build: () => ({
			reportFile: join(folder(), REPORT_FILE),
			isIncremental,
			output: options.publish ? output : undefined,
			mayRead: () => hasReader,
			changes: startPageChanges(site, Date.now),
		}),
		runtimeSettings: () => runtimeSettingsOf(options, accountOrNone(connection)),
	};
}

function runtimeSettingsOf(options: ProductReviewsOptions, account: string): RuntimeSettings {
	const { display, labels, publishers, author, onError } = options;
	return {
		version: VERSION,
		account,
		display,
		labels,
		publishers,
		author,
		mayOmit: onError === 'omit' || undefined,
	};
}

/** Absolute paths as seen from the store's folder: both may be moved together. */
function placesFrom<Places extends Readonly<Record<string, string | false>>>(
	from: string,
	places: Places,
): Places {
	const seen = Object.entries(places).map(([name, path]) => [
		name,
		path === false ? path : relative(from, path).replaceAll(sep, '/'),
	]);
	return Object.fromEntries(seen);
}

/** `astro sync` and `astro check` load modules without a build, and must work without an environment. */
function accountOrNone(connection: () => Connection): string {
	try {
		return connection().account;
	} catch (error) {
		if (error instanceof ProductReviewsConfigurationError) return '';
		throw error;
	}
}
