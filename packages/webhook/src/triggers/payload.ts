import type { RebuildRequest } from '../collect/rebuild.js';

/** What a trigger passes to the build: `{ pids }`, as read by the integration, or `{ all: true }` if there are too many. */
export type TriggerPayload = { readonly pids: readonly string[] } | { readonly all: true };

/** @param mostBytes limit for the ids as JSON. */
export function toPayload(
	{ pids, all }: Pick<RebuildRequest, 'pids' | 'all'>,
	mostBytes: number,
): TriggerPayload {
	if (all) return { all: true };
	const payload = { pids };
	return new TextEncoder().encode(JSON.stringify(payload)).length > mostBytes ? { all: true } : payload;
}
