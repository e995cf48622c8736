import type { Validators } from 'product-reviews-client';
import type { SharedStorage } from '../shared-storage/shared-storage.js';
import type { SharedKind, SharedRead, SharedWrite, Stamp } from '../shared-storage/shared-values.js';
import type { Good } from './live-entries.js';

/** The shared storage, for one kind of values, with ages on this instance's clock. */
export interface LiveSharing<Value> {
	/** `undefined` if the storage cannot be read. Reads at the same moment share a round trip. */
	read(pid: string): Promise<SharedRead<Value> | undefined>;
	/** An answer that was read. */
	toGood<Known>(entry: NonNullable<SharedRead<Value>['entry']>): Good<Value, Known>;
	/**
	 * Stores an answer of this instance.
	 * @param stamp as read before the request.
	 * @param isTransient whether anybody may have made up the product.
	 */
	write(
		pid: string,
		good: Good<Value, unknown>,
		stamp: Stamp | undefined,
		isTransient: boolean,
	): Promise<unknown>;
	lock(pid: string): ReturnType<SharedStorage['lock']>;
}

export function createLiveSharing<Value>(
	storage: Pick<SharedStorage, 'read' | 'write' | 'lock' | 'now'>,
	kind: SharedKind,
	monotonicNow: () => number,
): LiveSharing<Value> {
	let batch: Batch | undefined;
	const startBatch = (): Batch => {
		const pids = new Set<string>();
		const found = Promise.resolve().then(() => {
			batch = undefined;
			return storage.read(kind, [...pids]);
		});
		return { pids, found };
	};
	return {
		async read(pid) {
			batch ??= startBatch();
			batch.pids.add(pid);
			return (await batch.found).get(pid) as SharedRead<Value> | undefined;
		},
		toGood<Known>({ value, known, fetchedAt, changedAt }: NonNullable<SharedRead<Value>['entry']>) {
			const age = Math.max(0, storage.now() - fetchedAt);
			return { value, known: known as Known | undefined, fetchedAt: monotonicNow() - age, changedAt };
		},
		write(pid, { value, known, fetchedAt, changedAt }, stamp, isTransient) {
			const age = monotonicNow() - fetchedAt;
			const answer = { value, known: known as Validators | undefined, changedAt };
			const write = { kind, pid, ...answer, fetchedAt: storage.now() - age, stamp, isTransient };
			return storage.write([write as unknown as SharedWrite]);
		},
		lock: (pid) => storage.lock(kind, pid),
	};
}

/** Products to read together. */
interface Batch {
	readonly pids: Set<string>;
	readonly found: Promise<ReadonlyMap<string, SharedRead<unknown>>>;
}
