import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keepShard, type ShardContext } from '../../../integration/src/build/shard-build.js';
import { resolveConnection } from '../../../integration/src/options/connection.js';
import { parseOptions } from '../../../integration/src/options/parse-options.js';
import type { ProductReviewsUserOptions } from '../../../integration/src/options/schema.js';
import { writeReport } from '../../../integration/src/report/write-report.js';
import { openStore } from '../../../integration/src/store/open-store.js';
import { pack } from '../../../integration/src/store/pack.js';
import type { ReviewStore } from '../../../integration/src/store/review-store.js';
import { record } from '../../../integration/test/support/unit/record.js';
import { reportOf } from '../../../integration/test/support/unit/report.js';

/** The integration's option in these projects. */
export const CACHE_DIR = 'store';

const CONNECTION = { baseUrl: 'https://reviews.example', wsid: 'W-1001', token: undefined };

/** Where a shard, and the site of all of them, have their store and report. */
export const STORE_FILE = `${CACHE_DIR}/reviews-v7.db`;
export const REPORT_FILE = `${CACHE_DIR}/product-reviews-report.json`;

/** The account of these shards. */
export const { account: ACCOUNT } = resolveConnection(CONNECTION, {});

/** What a shard wrote. */
export interface ShardParts {
	readonly index: number;
	readonly count: number;
	/** Texts of the files in its output folder, by name. */
	readonly files?: Readonly<Record<string, string>>;
	/** Products that it has fetched. */
	readonly pids?: readonly string[];
	/** When it fetched them, in milliseconds since 1970. */
	readonly fetchedAt?: number;
	readonly isComplete?: boolean;
	readonly context?: Partial<ShardContext>;
	readonly options?: ProductReviewsUserOptions;
	/** Puts more into its store. */
	readonly fill?: (store: ReviewStore) => void;
}

/** Writes what the build of a shard leaves. @param root its folder, which is made */
export function createShard(root: string, parts: ShardParts): void {
	const { index, count, files = {}, pids = [], fetchedAt = 1_000, isComplete = true, fill } = parts;
	for (const [name, text] of Object.entries(files)) {
		const path = join(root, 'dist', name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
	const warn = (message: string) => {
		throw new Error(message);
	};
	const store = openStore(join(root, STORE_FILE), ACCOUNT, warn, () => 1_000 + index);
	for (const pid of pids) store.table('reviews').put(pid, pack(record({ pid })), fetchedAt);
	fill?.(store);
	const options = parseOptions({ ...CONNECTION, publish: true, ...parts.options });
	const connection = resolveConnection(options, {});
	const context = { ...contextOf(index, count), ...parts.context };
	keepShard(store, { options, connection, changes: undefined, shard: () => context }, isComplete, fetchedAt);
	store.close();
	const report = reportOf(({ reviews }) => {
		for (const pid of pids) reviews.settle(pid, 'fetched');
	});
	writeReport(join(root, REPORT_FILE), report);
}

function contextOf(index: number, count: number): ShardContext {
	return {
		...{ outDir: '../dist', folder: '../dist', root: '..', envFolder: '..', astroCache: '../cache' },
		...{ mode: 'production', config: 'digest', site: 'https://shop.example', base: '/', astro: '7.3.5' },
		shard: { index, count },
	};
}
