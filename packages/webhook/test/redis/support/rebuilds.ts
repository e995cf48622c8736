import { setTimeout as wait } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Change, Rebuild, RebuildRequest } from '../../../src/index.js';

/** A rebuild that a test saw. */
interface Seen {
	readonly pids: readonly string[];
	readonly all: boolean;
}

/** A rebuild that takes a while, and remembers what it was asked for. */
export function watchRebuilds(duration = 0, act: (count: number) => void = () => {}) {
	const seen: Seen[] = [];
	let atOnce = 0;
	const most = { atOnce: 0 };
	const rebuild: Rebuild = async ({ pids, all, signal }: RebuildRequest) => {
		seen.push({ pids: pids.toSorted(), all });
		atOnce += 1;
		most.atOnce = Math.max(most.atOnce, atOnce);
		try {
			act(seen.length);
			await wait(duration, undefined, { signal });
		} finally {
			atOnce -= 1;
		}
	};
	return { rebuild, seen, most };
}

export function changeOf(...pids: string[]): Change {
	return { id: undefined, pids, all: false, receivedAt: Date.now() };
}

/** Waits until something is so: for a minute at the most. Asking may fail meanwhile. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
	const ask = async () => isSo();
	await vi.waitUntil(() => ask().catch(() => false), { timeout: 60_000, interval: 10 });
}
