import type { RebuildRequest } from '../collect/rebuild.js';

/** What a trigger tells the build: `{ pids }`, as the integration reads it, or `{ all: true }` where these are too many. */
export type TriggerPayload = { readonly pids: readonly string[] } | { readonly all: true };

/** @param mostBytes that the ids may take as JSON. */
export function toPayload(
	{ pids, all }: Pick<RebuildRequest, 'pids' | 'all'>,
	mostBytes: number,
): TriggerPayload {
	if (all) return { all: true };
	const payload = { pids };
	return new TextEncoder().encode(JSON.stringify(payload)).length > mostBytes ? { all: true } : payload;
}
