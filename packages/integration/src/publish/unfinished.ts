import { randomUUID } from 'node:crypto';
import { lockOutput } from '../build/lock-output.js';
import type { Output } from '../build/output.js';
import { resolveConnection } from '../options/connection.js';
import { openStore } from '../store/open-store.js';
import { pack } from '../store/pack.js';
import type { ReviewStore } from '../store/review-store.js';

/** Key of the products that a run which was killed, a dry run, or one that could tell nobody, leaves to the next one. */
const UNFINISHED = 'unfinished';

interface UnfinishedRun {
	readonly run: string;
	readonly pids: readonly string[];
}

/** What earlier runs have left. */
export interface Unfinished {
	readonly pids: readonly string[];
	/**
	 * When the first of them began, in milliseconds since 1970. Pages that it wrote are not written again, but nobody may know
	 * of them, and their sitemap may still be as it was.
	 */
	readonly since: number;
	/** Begins a run of these products. @returns what identifies it */
	begin(pids: readonly string[]): string;
	/** Ends a run, unless another one has begun since: that one has the same products. */
	end(run: string): void;
}

/** @param now milliseconds since 1970. */
export function openUnfinished(store: ReviewStore, now: number): Unfinished {
	const table = store.table<UnfinishedRun>('output');
	const { value, fetchedAt = now } = table.get(UNFINISHED) ?? {};
	const pids = value?.pids ?? [];
	const since = pids.length > 0 ? fetchedAt : now;
	return {
		pids,
		since,
		begin(given) {
			const run = randomUUID();
			table.put(UNFINISHED, pack({ run, pids: given }), since);
			store.flush();
			return run;
		},
		end(run) {
			if (table.get(UNFINISHED)?.value.run === run)
				table.put(UNFINISHED, pack({ run: '', pids: [] }), Date.now());
		},
	};
}

/** Ends a run after somebody was told of its files. If another one has begun, that one ends both. */
export async function endRun(run: string, storeFile: string, output: Output): Promise<void> {
	const { outDir, baseUrl, wsid } = output;
	const unlock = await lockOutput({ storeFile, outDir, patience: 0, onWait: () => {} });
	if (!unlock) return;
	const store = openStore(storeFile, resolveConnection({ baseUrl, wsid }, {}).account, () => {});
	try {
		openUnfinished(store, Date.now()).end(run);
	} finally {
		store.close();
		unlock();
	}
}
