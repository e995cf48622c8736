import { randomUUID } from 'node:crypto';
import type { ReviewStore } from '../store/open-store.js';
import { pack } from '../store/values.js';

/** Key of the products that a run which was killed, a dry run, or one that could tell nobody, leaves to the next one. */
const UNFINISHED = 'unfinished';

interface UnfinishedRun {
	readonly run: string;
	readonly pids: readonly string[];
	/** Whether somebody is still to be told of files. A run that tells nobody leaves that to one that does. */
	readonly isUntold: boolean;
}

/** @param builtAt when the last build ended, which brings all files to whoever is told. */
export function openUnfinished(store: ReviewStore, builtAt: number, now: number) {
	const table = store.table<UnfinishedRun>('output');
	const { value, fetchedAt = now } = table.get(UNFINISHED) ?? {};
	const pids = value?.pids ?? [];
	const since = pids.length > 0 ? fetchedAt : now;
	const wasUntold = value?.isUntold === true && since >= builtAt;
	return {
		pids,
		/**
		 * When the first of them began, in milliseconds since 1970. Pages that it wrote are not written again, but nobody
		 * may know of them, and their sitemap may still be as it was.
		 */
		since,
		begin(given: readonly string[], tells: boolean): string {
			const run = randomUUID();
			table.put(UNFINISHED, pack({ run, pids: given, isUntold: tells || wasUntold }), since);
			store.flush();
			return run;
		},
		/** Ends a run, unless another one has begun since: that one has the same products. */
		end(run: string, isTold: boolean): void {
			const { value: begun } = table.get(UNFINISHED) ?? {};
			if (begun?.run !== run || (begun.isUntold && !isTold)) return;
			table.put(UNFINISHED, pack({ run: '', pids: [], isUntold: false }), Date.now());
		},
	};
}
