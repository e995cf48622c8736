import { readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ShardFolder } from './target.js';

/** Where Astro keeps what an incremental build reuses, below its `cacheDir`. */
export const MANIFEST = 'incremental-build.json';
export const PAGES = 'dist';

/** The only version of the manifest that is known here. */
const VERSION = 1;

/** What Astro keeps about a page that it may reuse. */
interface CachedPath {
	readonly outputFile: string;
}

interface CachedRoute {
	readonly dependencyHash: string;
	readonly paths: Readonly<Record<string, CachedPath>>;
}

interface CacheManifest {
	readonly version: number;
	readonly configHash: string;
	readonly lockfileHash: string;
	readonly keyDigest: string;
	readonly routes: Readonly<Record<string, CachedRoute>>;
}

/** Astro's cache of pages for the next incremental build of the whole site. */
export interface JoinedCache {
	/** Text of the manifest. */
	readonly manifest: string;
	/** Absolute paths of the cached files, by name below the folder of cached pages. */
	readonly files: ReadonlyMap<string, string>;
}

/**
 * Joins what Astro keeps for incremental builds. Whatever is missing or does not fit is left out: the next build renders
 * those pages.
 * @returns `undefined` if the shards have nothing to join.
 */
export function joinCaches(shards: readonly Pick<ShardFolder, 'astroCache'>[]): JoinedCache | undefined {
	const caches = shards.flatMap(({ astroCache }) => {
		const manifest = astroCache && readManifest(join(astroCache, MANIFEST));
		return manifest ? [{ folder: join(astroCache, PAGES), manifest }] : [];
	});
	const [first] = caches;
	if (!first) return undefined;
	const fitting = caches.filter(({ manifest }) => isOfOneSite(manifest, first.manifest));
	const routes: Record<string, { dependencyHash: string; paths: Record<string, CachedPath> }> = {};
	const files = new Map<string, string>();
	for (const { folder, manifest } of fitting) {
		const root = realPathOf(folder);
		for (const [component, { dependencyHash, paths }] of Object.entries(manifest.routes)) {
			routes[component] ??= { dependencyHash, paths: {} };
			if (routes[component].dependencyHash !== dependencyHash) continue;
			for (const [pathname, path] of Object.entries(paths)) {
				const file = join(folder, path.outputFile);
				if (!file.startsWith(folder + sep)) continue;
				if (routes[component].paths[pathname] || files.has(path.outputFile)) continue;
				// A link may lead out of the folder.
				if (root === undefined || realPathOf(file) !== join(root, path.outputFile)) continue;
				routes[component].paths[pathname] = path;
				files.set(path.outputFile, file);
			}
		}
	}
	// Astro makes a key for each build, unless it is given one. A page that needs the key of its own build is not reused.
	const hasOneKey = fitting.every(({ manifest }) => manifest.keyDigest === first.manifest.keyDigest);
	const { version, configHash, lockfileHash, keyDigest } = first.manifest;
	const manifest = { version, configHash, lockfileHash, keyDigest: hasOneKey ? keyDigest : '', routes };
	return { manifest: JSON.stringify(manifest, undefined, '\t'), files };
}

function realPathOf(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		return undefined;
	}
}

function readManifest(file: string): CacheManifest | undefined {
	try {
		const manifest = JSON.parse(readFileSync(file, 'utf8')) as CacheManifest;
		return manifest.version === VERSION && typeof manifest.routes === 'object' ? manifest : undefined;
	} catch {
		// There is none, or nothing can be made of it.
		return undefined;
	}
}

function isOfOneSite(one: CacheManifest, other: CacheManifest): boolean {
	return one.configHash === other.configHash && one.lockfileHash === other.lockfileHash;
}
