import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LAST_BUILD_FILE, VERSION } from '../constants.js';
import type { BaseUrl } from '../options/connection.js';
import { isProviderModule } from '../options/provider.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { StorageOptions } from '../options/storage.js';
import { withoutSecrets } from '../text/words.js';
import { isProvider, type SiteConnection } from './provider.js';

type BuildOptions = Omit<ProductReviewsOptions, 'token' | 'products' | 'webhook' | 'storage' | 'provider'>;

interface BuildStorage extends StorageOptions {
	readonly omitted: readonly string[];
}

/** What a build writes its pages with, besides the integration's options. Paths are relative to the root. */
export interface BuildPlaces {
	readonly root: string;
	/** Astro's `outDir`. One process at a time changes it. */
	readonly outDir: string;
	readonly folder: string;
	readonly astroCache: string;
	readonly envFolder: string | false;
	readonly mode: string;
	/** The file with the Astro configuration; `undefined` if it was not found. */
	readonly configFile: string | undefined;
	readonly config: string | undefined;
	readonly site: string | undefined;
	readonly base: string;
	readonly astro: string;
}

/**
 * What the last build of a project wrote, and with what: all that commands need to update its pages without Astro. It
 * decides where the token goes and which driver runs. So it stands in a file of its own, and is believed only where it
 * was written.
 */
export interface LastBuild extends BuildPlaces {
	readonly at: number;
	/** `false` if the build did not finish: its folder then has pages of two builds. */
	readonly isComplete: boolean;
	readonly version: string;
	/** The module of the option `provider`; an empty text for an object, which no file can keep. */
	readonly provider: string | undefined;
	/** Empty for a provider, as is `wsid`. */
	readonly baseUrl: BaseUrl;
	readonly wsid: string;
	readonly hasToken: boolean;
	/** Whether a content collection has the review data: any page may show any of it. */
	readonly hasCollection: boolean;
	readonly options: BuildOptions;
	readonly storage: BuildStorage | undefined;
	readonly hasChanges: boolean;
}

export function describeBuild(
	build: {
		readonly options: ProductReviewsOptions;
		readonly connection: SiteConnection;
		readonly places: () => BuildPlaces;
		readonly changes: unknown;
		readonly hasCollection?: boolean;
	},
	isComplete: boolean,
	now: number,
): LastBuild {
	const { options, connection, places, changes, hasCollection = false } = build;
	const { token: _token, products: _products, webhook: _webhook, storage, provider, ...kept } = options;
	const { baseUrl, wsid, token } = isProvider(connection) ? NOT_HOSTED : connection;
	return {
		...places(),
		at: now,
		isComplete,
		version: VERSION,
		provider: provider && (isProviderModule(provider) ? String(provider) : ''),
		baseUrl,
		wsid,
		hasToken: token !== undefined,
		hasCollection,
		options: kept,
		storage: storage && { driver: storage.driver, ...withoutSecrets(storage.config) },
		hasChanges: changes !== undefined,
	};
}

const NOT_HOSTED = { baseUrl: '', wsid: '', token: undefined } as const;

export interface WrittenBuild extends LastBuild {
	readonly writtenTo: string;
}

/** Writes what the last build was, beside the cache. A reader finds the old file or the new one. */
export function writeLastBuild(cacheFile: string, build: LastBuild, to = lastBuildFile(cacheFile)): void {
	const written: WrittenBuild = { ...build, writtenTo: realPath(dirname(cacheFile)) };
	writeFileSync(`${to}.tmp`, JSON.stringify(written, null, '\t'));
	renameSync(`${to}.tmp`, to);
}

function lastBuildFile(cacheFile: string): string {
	return join(dirname(cacheFile), LAST_BUILD_FILE);
}

export function readLastBuild(cacheFile: string): WrittenBuild | undefined {
	let text: string;
	try {
		text = readFileSync(lastBuildFile(cacheFile), 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
	try {
		const build: WrittenBuild = JSON.parse(text);
		const isWhole = Object.entries(FIELDS).every(([types, names]) =>
			names.every((name) => types.split(' or ').includes(typeof build[name])),
		);
		return isWhole && build.options !== null && build.baseUrl !== null ? build : undefined;
	} catch {
		return undefined;
	}
}

/** Fields by what `typeof` says of them. */
const FIELDS: Readonly<Record<string, readonly (keyof WrittenBuild)[]>> = {
	string: ['writtenTo', 'root', 'outDir', 'folder', 'astroCache', 'mode', 'base', 'astro', 'version', 'wsid'],
	boolean: ['isComplete', 'hasToken', 'hasCollection', 'hasChanges'],
	number: ['at'],
	object: ['options'],
	'string or boolean': ['envFolder'],
	'string or object': ['baseUrl'],
	'string or undefined': ['site', 'config', 'configFile', 'provider'],
	'object or undefined': ['storage'],
};

/** Whether a build was made here, and its file was not copied from elsewhere. */
export function isBuiltHere(build: WrittenBuild, cacheFile: string, root: string | undefined): boolean {
	const isInPlace = build.writtenTo === realPath(dirname(cacheFile));
	return isInPlace && (root === undefined || realPath(root) === realPath(build.root));
}

function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return resolve(path);
	}
}

const CONFIG_FILES = ['mjs', 'js', 'ts', 'mts', 'cjs', 'cts'].map((type) => `astro.config.${type}`);

/** Finds the file with the configuration of a project: that of Astro's option `--config`, or one of the usual names. */
export function findConfig(
	root: string,
	args: readonly string[],
): Pick<BuildPlaces, 'configFile' | 'config'> {
	const named = args.flatMap((arg, index) => {
		if (arg === '--config') return args[index + 1] ?? [];
		return arg.startsWith('--config=') ? arg.slice('--config='.length) : [];
	});
	const configFile = [...named, ...CONFIG_FILES].find((name) => digestOfConfig(root, name));
	return { configFile, config: digestOfConfig(root, configFile) };
}

/** Identifies the contents of a project's configuration file; `undefined` if it is not there. */
export function digestOfConfig(root: string, configFile: string | undefined): string | undefined {
	if (configFile === undefined) return undefined;
	try {
		const contents = readFileSync(resolve(root, configFile));
		return createHash('sha256').update(contents).digest('hex').slice(0, 32);
	} catch {
		return undefined;
	}
}
