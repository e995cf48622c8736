import { createColumn } from '../collections/create-column.js';
import { createTextSet } from '../collections/create-text-set.js';
import type { DroppedParts } from '../parse/dropped-parts.js';

const STATUSES = [undefined, 'fetched', 'unchanged', 'missing', 'stale', 'failed', 'unreadable'] as const;

/**
 * What happened for a product: `fetched`, the service sent its reviews; `unchanged`, stored reviews are current; `missing`,
 * the service has none; `stale`, the service failed and stored reviews are used; `failed`, it failed and nothing is stored;
 * `unreadable`, its answer cannot be read and nothing is stored.
 */
export type Status = NonNullable<(typeof STATUSES)[number]>;

/** Outcome of one product. */
export interface Outcome {
	/** `undefined` while it is being fetched. */
	readonly status: Status | undefined;
	/** Why the service failed. */
	readonly reason?: string | undefined;
	/** Time the service took for all attempts, in milliseconds. */
	readonly ms: number;
	/** What the service sent, after decompression. */
	readonly bytes: number;
}

/** Why a product has no fresh reviews. */
export interface Failure {
	readonly pid: string;
	/** What went wrong, without the product's name. */
	readonly reason: string;
	/** Whether stored reviews could be used instead of fresh ones. */
	readonly stale: boolean;
	readonly error: unknown;
}

/** What of one answer could not be read. */
export interface Dropped {
	readonly pid: string;
	readonly parts: DroppedParts;
}

/** What became of the products of one resource, in one build or dev server. */
export interface Outcomes {
	/** Products about which something is known, in the order in which it became known. */
	keys(): IterableIterator<string>;
	/** Number of these products. */
	readonly size: number;
	/** `undefined` if nothing is known. */
	get(pid: string): Outcome | undefined;
	/** Only the status. */
	statusOf(pid: string): Status | undefined;
	/** Whether the store is known to have what a build shows of a product. */
	isSettled(pid: string): boolean;
	/** How many answers of the service could be used. */
	readonly answers: number;
	readonly failures: readonly Failure[];
	readonly dropped: readonly Dropped[];
	/** Adds the time and size of one request. */
	addRequest(pid: string, ms: number, bytes: number): void;
	/** Adds an answer that could be used. @param dropped what of it could not */
	addAnswer(pid: string, dropped: DroppedParts): void;
	addFailure(failure: Failure): void;
	/** Records the outcome of a product. `unchanged` does not replace an earlier outcome. */
	settle(pid: string, status: Status, reason?: string): void;
}

/** Kept in columns: a hundred thousand objects would take several times the memory. */
export function createOutcomes(): Outcomes {
	const products = createTextSet();
	const reasons = new Map<string, string>();
	const statuses = createColumn(Uint8Array);
	const ms = createColumn(Float32Array);
	const bytes = createColumn(Float64Array);
	const failures: Failure[] = [];
	const dropped: Dropped[] = [];
	let answers = 0;

	const statusAt = (row: number) => STATUSES[statuses.get(row)];
	const statusOf = (pid: string) => statusAt(products.indexOf(pid));

	return {
		keys: products.values,
		get size() {
			return products.size;
		},
		statusOf,
		isSettled(pid) {
			const known = statusOf(pid);
			return known === 'fetched' || known === 'unchanged' || known === 'missing';
		},
		get(pid) {
			const row = products.indexOf(pid);
			if (row < 0) return undefined;
			return { status: statusAt(row), reason: reasons.get(pid), ms: ms.get(row), bytes: bytes.get(row) };
		},
		get answers() {
			return answers;
		},
		failures,
		dropped,
		addRequest(pid, taken, sent) {
			const row = products.add(pid);
			ms.set(row, ms.get(row) + taken);
			bytes.set(row, bytes.get(row) + sent);
		},
		addAnswer(pid, parts) {
			answers += 1;
			if (Object.keys(parts).length > 0) dropped.push({ pid, parts });
		},
		addFailure: (failure) => void failures.push(failure),
		settle(pid, next, reason) {
			const row = products.add(pid);
			if (next === 'unchanged' && statuses.get(row) > 0) return;
			statuses.set(row, STATUSES.indexOf(next));
			if (reason !== undefined) reasons.set(pid, reason);
		},
	};
}
