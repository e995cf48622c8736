import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { digestOf } from '../base/digest.js';
import { unlessFailing } from '../base/failures.js';
import { plainLine, withoutSecrets } from '../base/words.js';
import { cacheFolder, makeFolder } from '../cache/open-database.js';
import {
	CACHE_FILE,
	MANIFEST_FILE,
	POINTER_FILE,
	POINTER_FOLDER,
	PROVIDER_FILE,
	VERSION,
} from '../constants.js';
import type { BaseUrl } from '../options/connection.js';
import type { ProviderModule } from '../options/provider.js';
import type { BuildOptions, FetchOptions } from '../options/schema.js';
import type { StorageOptions } from '../options/storage.js';
import type { SiteConnection } from '../providers/load-provider.js';
import type { FragmentSettings } from '../render/fragment.js';
import { readIfThere, replaceWhole } from './files.js';
import type { StorageContext } from './open-shared.js';

/** Settings that a build writes its pages with, besides the integration's options. Paths are relative to the root. */
export interface BuildPlaces {
	readonly root: string;
	/** Astro's `outDir`. One process at a time changes it. */
	readonly outDir: string;
	/** Where pages are: in `outDir`, or below it. */
	readonly folder: string;
	readonly envFolder: string | false;
	readonly mode: string;
	/** The file with the Astro configuration; `undefined` if it was not found. */
	readonly configFile: string | undefined;
	readonly config: string | undefined;
	readonly site: string | undefined;
	readonly base: string;
}

/**
 * Record of the last build of a project, with all that commands need to update its pages without Astro. The record decides
 * where the token goes and which driver runs, so it is believed only where it was written.
 */
export interface Manifest extends BuildPlaces {
	/** Random, and new for each build: a cache with the rows of another build does not belong to it. */
	readonly id: string;
	/** The account of the connection: the reviews of no other one are on its pages. */
	readonly account: string;
	/** In milliseconds since 1970. */
	readonly at: number;
	/** `false` if the build did not finish: its folder then has pages of two builds. */
	readonly isComplete: boolean;
	readonly version: string;
	/** The module of the option `provider`; `null` for an object, which no file can keep. */
	readonly provider: ProviderModule | null | undefined;
	/** Identifies the code that the build ran of that module, which is beside this record. */
	readonly bundle: string | undefined;
	/** Empty for a provider, as is `wsid`. */
	readonly baseUrl: BaseUrl;
	readonly wsid: string;
	readonly hasToken: boolean;
	readonly options: FetchOptions;
	readonly settings: FragmentSettings;
	/** `true` if it wrote the file of the option `feeds.ratings`. */
	readonly hasRatingsFile: boolean;
	/** The shared storage, without options that may be secret, whose names are `omitted`. */
	readonly storage: (StorageOptions & { readonly omitted: readonly string[] }) | undefined;
	readonly hasChanges: boolean;
	/** @default there is no page with reviews */
	readonly copied: CopiedPages | undefined;
}

/** Copies of the pages that a build knows of, and what others are found by. */
export interface CopiedPages {
	/** A page with reviews, relative to the folder of the pages. */
	readonly probe: string;
	/** Start of the build, in milliseconds since 1970. */
	readonly since: number;
	/** Relative to the root, such as `.vercel/output/static`. */
	readonly folders: readonly string[];
}

export function describeBuild(
	build: {
		readonly id: string;
		readonly options: FetchOptions & Pick<BuildOptions, 'feeds'>;
		readonly settings: FragmentSettings;
		readonly storage?: StorageContext | undefined;
		readonly connection: SiteConnection;
		readonly places: () => BuildPlaces;
		readonly changes: unknown;
	},
	isComplete: boolean,
	now: number,
	copied?: CopiedPages,
): Manifest {
	const { id, connection, places, settings, storage, changes } = build;
	const { feeds, ...options } = build.options;
	const { baseUrl, wsid, token } = 'baseUrl' in connection ? connection : NOT_HOSTED;
	const bundle = bundleOf(connection);
	return {
		...places(),
		id,
		account: connection.account,
		at: now,
		isComplete,
		version: VERSION,
		provider: 'provider' in connection ? (connection.module ?? null) : undefined,
		bundle: bundle && digestOf(bundle),
		baseUrl,
		wsid,
		hasToken: token !== undefined,
		options,
		settings,
		hasRatingsFile: feeds.ratings,
		storage: storage && { driver: storage.options.driver, ...withoutSecrets(storage.options.config) },
		hasChanges: changes !== undefined,
		copied,
	};
}

const NOT_HOSTED = { baseUrl: '', wsid: '', token: undefined } as const;

const bundleOf = (connection: SiteConnection) => ('provider' in connection ? connection.bundle : undefined);

export interface WrittenManifest extends Manifest {
	readonly writtenTo: string;
}

/** Writes the manifest beside the cache, whole: a reader finds the old file or the new one. */
export function writeManifest(cacheFile: string, manifest: Manifest): void {
	const written: WrittenManifest = { ...manifest, writtenTo: realPath(dirname(cacheFile)) };
	replaceJson(manifestFile(cacheFile), { ...written, digest: digestOf(JSON.stringify(written)) });
}

/** Writes the code of a build's provider beside its manifest. */
export function writeBundle(cacheFile: string, connection: SiteConnection): void {
	const bundle = bundleOf(connection);
	if (bundle === undefined) return;
	replaceWhole(join(dirname(cacheFile), PROVIDER_FILE), (file) => writeFileSync(file, bundle));
}

/** Reads the code of a build's provider; `undefined` if it is not as the build wrote it. */
export function readBundle({ writtenTo, bundle }: WrittenManifest) {
	const file = join(writtenTo, PROVIDER_FILE);
	const code = readIfThere(file);
	return code !== undefined && digestOf(code) === bundle ? { code, file } : undefined;
}

function manifestFile(cacheFile: string): string {
	return join(dirname(cacheFile), MANIFEST_FILE);
}

/** Reads the manifest, unless somebody else than a build has written it. */
export function readManifest(cacheFile: string): WrittenManifest | undefined {
	const text = readIfThere(manifestFile(cacheFile)) ?? '';
	return unlessFailing(() => {
		const { digest, ...manifest } = JSON.parse(text) as WrittenManifest & { readonly digest: unknown };
		return digest === digestOf(JSON.stringify(manifest)) ? manifest : undefined;
	});
}

/** Resolves the symbolic links of a path, as far as it exists. */
export function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		const folder = dirname(resolve(path));
		return folder === resolve(path) ? folder : join(realPath(folder), basename(path));
	}
}

function replaceJson(file: string, value: unknown): void {
	replaceWhole(file, (descriptor) => writeFileSync(descriptor, JSON.stringify(value, null, '\t')));
}

/** Leads from output folders to manifests. All paths are relative to the project's root. */
type Pointer = Readonly<Record<string, string>>;

const pointerFile = (root: string) => join(root, POINTER_FOLDER, POINTER_FILE);

/** Reads the pointer. A damaged one is as good as none: the next build writes it anew. */
function readPointer(root: string): Pointer {
	const text = readIfThere(pointerFile(root)) ?? '';
	const pointer: unknown = unlessFailing(() => JSON.parse(text));
	const entries = typeof pointer === 'object' ? Object.entries(pointer ?? {}) : [];
	return Object.fromEntries(entries.filter(([, path]) => typeof path === 'string'));
}

const inRoot = (root: string, path: string) => relative(root, realPath(path)).replaceAll(sep, '/') || '.';

/**
 * Writes where the cache of an output folder is to the one place that commands know, whatever folders the configuration
 * has: beside the project's package.json, where Astro's own cache is by default. The folder is made if it is not there.
 */
export function pointToCache({
	root: given,
	outDir,
	cacheFile,
}: Readonly<Record<'root' | 'outDir' | 'cacheFile', string>>): void {
	const root = realPath(given);
	const name = inRoot(root, outDir);
	const others = Object.entries(readPointer(root)).filter(
		([other, path]) => other !== name && existsSync(dirname(resolve(root, path))),
	);
	makeFolder(join(root, POINTER_FOLDER));
	replaceJson(
		pointerFile(root),
		Object.fromEntries([...others, [name, inRoot(root, manifestFile(cacheFile))]]),
	);
}

/** Returns the output folders of all builds of a project that are known. */
export function outputFolders(root: string): readonly string[] {
	return Object.keys(readPointer(root)).map((name) => resolve(root, name));
}

/** Names output folders of other builds with the cache of a build. Only the last one has a manifest, so no update writes them. */
export function otherOutputs(cacheFile: string, { root, outDir }: Pick<BuildPlaces, 'root' | 'outDir'>) {
	const own = inRoot(realPath(root), resolve(root, outDir));
	const manifest = realPath(manifestFile(cacheFile));
	return Object.entries(readPointer(realPath(root)))
		.filter(([name, path]) => name !== own && realPath(resolve(realPath(root), path)) === manifest)
		.map(([name]) => name)
		.filter((name) => existsSync(resolve(root, name)));
}

/**
 * Finds the cache of a project by its pointer: that of the newest build whose output folder is there. Without a pointer, it
 * is looked for where it is by default.
 * @param outDir the only output folder that counts, relative to the root. @default any
 * @param otherwise the file to use without a pointer.
 * @returns its file, and a notice for people that says which one was chosen; `undefined` if there was no choice.
 */
export function findCache(
	given: string,
	outDir?: string,
	otherwise = join(cacheFolder(given, undefined), CACHE_FILE),
): { readonly file: string; readonly notice: string | undefined } {
	const root = realPath(given);
	const wanted = outDir === undefined ? undefined : inRoot(root, resolve(root, outDir));
	const places = Object.entries(readPointer(root))
		.filter(([name]) => wanted === undefined || name === wanted)
		.map(([name, path]) => {
			const file = join(dirname(resolve(root, path)), CACHE_FILE);
			const at = existsSync(resolve(root, name)) ? (readManifest(file)?.at ?? 0) : -1;
			return { name, file, at };
		})
		// The last one that was written, if nothing else decides.
		.toReversed()
		.toSorted((one, other) => other.at - one.at);
	const [newest] = places;
	if (!newest) {
		const unknown = `No build has written to "${POINTER_FOLDER}" where its cache is. The one at ${quote(inRoot(root, otherwise))} is used.`;
		// Whoever opens a file that is not there says so.
		return { file: otherwise, notice: existsSync(otherwise) ? unknown : undefined };
	}
	const names = places.map(({ name }) => quote(name)).toSorted();
	const choice = `This project was built into ${names.join(' and ')}, each with a cache of its own. The newest build counts: ${quote(newest.name)}.`;
	return { file: newest.file, notice: places.every(({ file }) => file === newest.file) ? undefined : choice };
}

/** Quotes the path of a folder for a message. */
export const quote = (name: string) => `"${plainLine(name, MAX_LENGTH)}"`;

/** Where the output of a build is. */
export interface OutputPlace {
	readonly cacheFile: string;
	/** Folder of the project, if it is known: a build of another one is left alone. */
	readonly root?: string | undefined;
	/** The output folder, relative to it. @default that of the last build */
	readonly outDir?: string | undefined;
}

type OpenedOutput =
	| {
			readonly build: WrittenManifest;
			readonly reason?: undefined;
			readonly root: string;
			readonly outDir: string;
	  }
	/** The build may be one that is running. */
	| { readonly build?: undefined; readonly reason: string; readonly root: string; readonly outDir: string }
	| { readonly build?: undefined; readonly reason: string; readonly outDir?: undefined };

/** Opens what the last build wrote, or says why its pages cannot be updated. */
export function openOutput({ cacheFile, root, outDir: wanted }: OutputPlace): OpenedOutput {
	const build = readManifest(cacheFile);
	if (!build) {
		const isThere = existsSync(manifestFile(cacheFile));
		if (isThere)
			return { reason: 'the record of the last build was changed or damaged: run "astro build" once' };
		const folder = root ?? dirname(cacheFile);
		const above = projectAbove(folder);
		const next =
			above === undefined
				? 'run "astro build" once'
				: `run the command in ${nameFolder(above)} above, where there is an Astro project`;
		return { reason: `no build of this project is known in ${nameFolder(folder)}: ${next}` };
	}
	// A file that was copied from elsewhere is not believed.
	const isInPlace = build.writtenTo === realPath(dirname(cacheFile));
	if (!isInPlace || (root !== undefined && realPath(root) !== realPath(build.root))) {
		return elsewhere(`in another folder, ${plainLine(build.root, MAX_LENGTH)}: build once in this one`);
	}
	const outDir = resolve(build.root, build.outDir);
	if (wanted !== undefined && realPath(resolve(build.root, wanted)) !== realPath(outDir)) {
		const where = plainLine(build.outDir, MAX_LENGTH);
		return elsewhere(`into another output folder, ${where}: build once into this one`);
	}
	const reason = whyToBuild(build);
	return { ...(reason === undefined ? { build } : { reason }), root: build.root, outDir };
}

const elsewhere = (where: string) => ({ reason: `the last build was made ${where}` });

/** In UTF-16 code units. */
const MAX_LENGTH = 200;

function whyToBuild(build: WrittenManifest): string | undefined {
	const { root, version } = build;
	if (!build.isComplete) return 'the last build did not finish';
	if (version !== VERSION) {
		return `the last build was made with version ${plainLine(version, MAX_LENGTH)} of astro-product-reviews, this is ${VERSION}`;
	}
	if (build.config !== digestOfConfig(root, build.configFile)) {
		return 'the Astro configuration has changed since the last build';
	}
	if (build.provider === null) {
		return 'the option "provider" is an object, which only builds have: move it to a module, and give the path of that';
	}
	if (build.provider && !readBundle(build))
		return 'the provider of the last build is gone, or is not what it was';
	return existsSync(resolve(root, build.folder)) ? undefined : 'the output folder of the last build is gone';
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

/** Names a folder for a message, without the folders above it. */
export const nameFolder = (folder: string) => `the folder ${quote(basename(resolve(folder)))}`;

/** Finds the Astro project above a folder; `undefined` if there is none, or if the folder has a project itself. */
export function projectAbove(folder: string): string | undefined {
	const above = dirname(resolve(folder));
	if (isProject(folder) || above === resolve(folder)) return undefined;
	return isProject(above) ? above : projectAbove(above);
}

function isProject(folder: string): boolean {
	return CONFIG_FILES.some((name) => existsSync(join(folder, name)));
}

/** Identifies the contents of a project's configuration file; `undefined` if it is not there. */
function digestOfConfig(root: string, configFile: string | undefined): string | undefined {
	return unlessFailing(() => configFile && digestOf(readFileSync(resolve(root, configFile))));
}
