import { createColumn } from '../collections/create-column.js';
import { createTextSet } from '../collections/create-text-set.js';

const STATUSES = [undefined, 'fetched', 'unchanged', 'missing', 'stale', 'failed', 'unreadable'] as const;

/**
 * How it went for a product: the service sent its reviews; what is stored is current; the service has none; the service
 * failed, and what is stored is used; it failed, and nothing is stored; its answer cannot be read, and nothing is stored.
 */
export type Status = NonNullable<(typeof STATUSES)[number]>;

/** What one product came to. */
export interface Outcome {
	/** `undefined` while it is asked for. */
	readonly status: Status | undefined;
	/** Why the service failed. */
	readonly reason?: string | undefined;
	/** What the service took for it, all tries together, in milliseconds. */
	readonly ms: number;
	/** What the service sent, after decompression. */
	readonly bytes: number;
}

/** What the products of one build came to, by their id. */
export interface Outcomes {
	/** Those of which something is known, in the order in which it became known. */
	keys(): IterableIterator<string>;
	/** How many these are. */
	readonly size: number;
	/** `undefined` where nothing is known. */
	get(pid: string): Outcome | undefined;
	/** The same without the rest. */
	statusOf(pid: string): Status | undefined;
	/** Whether it is known that the store has what a build shows of a product. */
	isSettled(pid: string): boolean;
	/** Adds what one request took and brought. */
	addRequest(pid: string, ms: number, bytes: number): void;
	/** Notes what a product came to. What is current in the store does not hide what was done for it before. */
	settle(pid: string, status: Status, reason?: string): void;
}

/** In columns: a hundred thousand objects and their numbers would take several times the memory. */
export function createOutcomes(): Outcomes {
	const products = createTextSet();
	const reasons = new Map<string, string>();
	const statuses = createColumn(Uint8Array);
	const ms = createColumn(Float32Array);
	const bytes = createColumn(Float64Array);

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
		addRequest(pid, taken, sent) {
			const row = products.add(pid);
			ms.set(row, ms.get(row) + taken);
			bytes.set(row, bytes.get(row) + sent);
		},
		settle(pid, next, reason) {
			const row = products.add(pid);
			if (next === 'unchanged' && statuses.get(row) > 0) return;
			statuses.set(row, STATUSES.indexOf(next));
			if (reason !== undefined) reasons.set(pid, reason);
		},
	};
}
