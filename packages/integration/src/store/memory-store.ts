import { digestOf } from './digest-of.js';
import type { Resource, ReviewStore, Stored, Table } from './review-store.js';

/** Keeps values for as long as the process runs: what a build does where no file can be made. */
export function createMemoryStore(): ReviewStore {
	const entries = new Map<string, Stored<unknown>>();
	return {
		table<Value>(resource: Resource): Table<Value> {
			const key = (pid: string) => `${resource} ${pid}`;
			return {
				get: (pid) => entries.get(key(pid)) as Stored<Value> | undefined,
				fetchedAt: (pid) => entries.get(key(pid))?.fetchedAt,
				put(pid, value, fetchedAt) {
					const stored = { pid, value, digest: digestOf(JSON.stringify(value)), fetchedAt };
					entries.set(key(pid), stored);
					return stored;
				},
			};
		},
		flush: () => {},
		close: () => entries.clear(),
	};
}
