import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ASTRO_VERSION } from '../../../src/astro/check-environment.js';
import { openCache, type ReviewCache } from '../../../src/cache/open-cache.js';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProductReviewsUserOptions } from '../../../src/options/schema.js';
import { writeReport } from '../../../src/report/report.js';
import {
	describeBuild,
	digestOfConfig,
	type LastBuild,
	writeLastBuild,
} from '../../../src/session/last-build.js';
import { packRecord } from '../unit/filled-cache.js';
import { reportOf } from '../unit/report.js';

/** The integration's option in these projects. */
export const CACHE_DIR = 'store';
const CONFIG_FILE = 'astro.config.mjs';

const SITE = 'https://shop.example';
const OPTIONS = { baseUrl: 'https://reviews.example', wsid: 'W-1001', cacheDir: CACHE_DIR };

/** Where a shard, and the site of all of them, have their store and report. */
export const CACHE_FILE = `${CACHE_DIR}/reviews-v7.db`;
export const REPORT_FILE = `${CACHE_DIR}/product-reviews-report.json`;

export const { account: ACCOUNT } = resolveConnection({ ...OPTIONS, token: undefined }, {});

/** Writes the configuration of a project, as it was when a shard was built. @param root its folder, which is there */
export function createProject(root: string, { options, config }: Partial<ShardParts> = {}): void {
	const integration = new URL('../../../dist/index.js', import.meta.url);
	const others = JSON.stringify({ site: SITE, cacheDir: './cache', ...config });
	const given = JSON.stringify({ ...OPTIONS, ...options });
	const text = `import reviews from '${integration}';\nexport default { ...${others}, integrations: [reviews(${given})] };`;
	writeFileSync(join(root, CONFIG_FILE), text);
}

export interface ShardParts {
	readonly index: number;
	readonly count: number;
	/** Texts of the files in its output folder, by name. */
	readonly files?: Readonly<Record<string, string>>;
	readonly pids?: readonly string[];
	readonly options?: ProductReviewsUserOptions;
	readonly config?: Readonly<Record<string, unknown>>;
	/** What else its build says of itself. */
	readonly build?: Partial<LastBuild>;
	readonly fill?: (cache: ReviewCache) => void;
}

/** Writes what the build of a shard leaves. @param root its folder, which is made @param project where it was built */
export function createShard(root: string, project: string, parts: ShardParts): void {
	const { index, count, files = {}, pids = [], fill } = parts;
	for (const [name, text] of Object.entries(files)) {
		const path = join(root, 'dist', name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
	const warn = (message: string) => {
		throw new Error(message);
	};
	const cache = openCache(join(root, CACHE_FILE), ACCOUNT, warn, () => 1_000 + index);
	for (const pid of pids) cache.table('reviews').put(pid, packRecord({ pid }), 1_000);
	fill?.(cache);
	cache.close();
	const options = parseOptions({ ...OPTIONS, ...parts.options });
	const connection = resolveConnection(options, {});
	const places = () => ({
		...{ root: '/builder', outDir: 'dist', folder: 'dist', astroCache: 'cache', envFolder: '' },
		...{ mode: 'production', configFile: CONFIG_FILE, config: digestOfConfig(project, CONFIG_FILE) },
		...{ site: SITE, base: '/', astro: ASTRO_VERSION, shard: { index, count } },
	});
	const build = describeBuild({ options, connection, changes: undefined, places }, true, 1_000);
	writeLastBuild(join(root, CACHE_FILE), { ...build, ...parts.build });
	const report = reportOf(({ reviews }) => {
		for (const pid of pids) reviews.settle(pid, 'fetched');
	});
	writeReport(join(root, REPORT_FILE), report);
}
