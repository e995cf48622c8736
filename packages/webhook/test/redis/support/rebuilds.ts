import { setTimeout as wait } from 'node:timers/promises';
import type { Change } from '../../../src/changes/change.js';
import type { Rebuild, RebuildRequest } from '../../../src/collect/rebuild.js';

/** A rebuild that a test saw. */
interface Seen {
	readonly pids: readonly string[];
	readonly all: boolean;
	readonly startedAt: number;
}

/** A rebuild that takes a while, and remembers what it was asked for. */
export function watchRebuilds(duration = 0, act: (count: number) => void = () => {}) {
	const seen: Seen[] = [];
	let atOnce = 0;
	const most = { atOnce: 0 };
	const rebuild: Rebuild = async ({ pids, all, signal }: RebuildRequest) => {
		seen.push({ pids, all, startedAt: Date.now() });
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

let lastId = 0;

/** A change of products, each with a name of its own. */
export function changeOf(...pids: string[]): Change {
	lastId += 1;
	return { id: `event-${lastId}`, pids, all: false, type: 'review.created', receivedAt: Date.now() };
}

/** How long something may take, in milliseconds. */
const PATIENCE = 60_000;

/** Waits until something is so. @throws Error where it is not after a minute. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
	const end = Date.now() + PATIENCE;
	while (!(await isSo())) {
		if (Date.now() > end) throw new Error(`Waited ${PATIENCE} ms in vain for ${isSo}`);
		await wait(10);
	}
}
