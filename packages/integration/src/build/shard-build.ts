import type { DatabaseSync } from 'node:sqlite';
import type { Shard } from '../shards/read-shard.js';
import { pack } from '../store/pack.js';
import { findLast } from '../store/queries.js';
import type { ReviewStore } from '../store/review-store.js';
import { unpackRow } from '../store/rows.js';
import { describeOutput, type Output, type OutputContext, type OutputSources } from './output.js';

/** What a build of one shard writes its pages with, besides the integration's options. */
export interface ShardContext extends OutputContext {
	readonly shard: Shard;
	/** Version of Astro. */
	readonly astro: string;
	/** Astro's `cacheDir`, relative to the store's folder. */
	readonly astroCache: string;
}

/** What the last build of a shard wrote, and with what: everything that is needed to join it with the other shards. */
export type ShardBuild = Output & ShardContext;

/** What a build of a shard starts from. */
export interface ShardSources extends OutputSources {
	/** `undefined` if the site is built as a whole. */
	readonly shard: (() => ShardContext) | undefined;
}

/** Key of the last build, if it was one of a shard. It is put when a build begins, and when it ends. */
const KEY = 'shard';

/** Keeps what a build of a shard writes, or that the last build was none. @param now milliseconds since 1970 */
export function keepShard(store: ReviewStore, sources: ShardSources, isComplete: boolean, now: number): void {
	const table = store.table<ShardBuild | null>('output');
	const context = sources.shard?.();
	if (!context && !table.entry(KEY)) return;
	table.put(KEY, pack(context ? describeOutput(sources, context, isComplete) : null), now);
	store.flush();
}

/** What the last build wrote, of whatever account; `undefined` if it was not one of a shard. */
export function readShardBuild(database: DatabaseSync): ShardBuild | undefined {
	const row = findLast(database, 'output', KEY);
	try {
		return (row && unpackRow<ShardBuild | null>(row)) ?? undefined;
	} catch {
		// It is damaged, so it is unknown.
		return undefined;
	}
}
