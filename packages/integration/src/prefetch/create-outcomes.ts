const STATUSES = [undefined, 'fetched', 'unchanged', 'missing', 'stale', 'failed'] as const;

/**
 * How it went for a product: the service sent its reviews; what is stored is current; the service has none; the service
 * failed, and what is stored is used; it failed, and nothing is stored.
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

/** Products that there is room for at first. */
const ROOM = 1_024;

/** In columns: a hundred thousand objects and their numbers would take twice the memory. */
export function createOutcomes(): Outcomes {
	const rows = new Map<string, number>();
	const reasons = new Map<string, string>();
	let status = new Uint8Array(ROOM);
	let ms = new Float32Array(ROOM);
	let bytes = new Float64Array(ROOM);

	const makeRoom = () => {
		const length = 2 * status.length;
		const wider = [new Uint8Array(length), new Float32Array(length), new Float64Array(length)] as const;
		wider[0].set(status);
		wider[1].set(ms);
		wider[2].set(bytes);
		[status, ms, bytes] = wider;
	};
	const rowOf = (pid: string): number => {
		let row = rows.get(pid);
		if (row === undefined) {
			row = rows.size;
			if (row === status.length) makeRoom();
			rows.set(pid, row);
		}
		return row;
	};
	const statusAt = (row: number) => STATUSES[status[row] as number];
	const statusOf = (pid: string) => {
		const row = rows.get(pid);
		return row === undefined ? undefined : statusAt(row);
	};

	return {
		keys: () => rows.keys(),
		statusOf,
		isSettled(pid) {
			const known = statusOf(pid);
			return known === 'fetched' || known === 'unchanged' || known === 'missing';
		},
		get(pid) {
			const row = rows.get(pid);
			if (row === undefined) return undefined;
			return {
				status: statusAt(row),
				reason: reasons.get(pid),
				ms: ms[row] as number,
				bytes: bytes[row] as number,
			};
		},
		addRequest(pid, taken, sent) {
			const row = rowOf(pid);
			ms[row] = (ms[row] as number) + taken;
			bytes[row] = (bytes[row] as number) + sent;
		},
		settle(pid, next, reason) {
			const row = rowOf(pid);
			if (next === 'unchanged' && status[row]) return;
			status[row] = STATUSES.indexOf(next);
			if (reason !== undefined) reasons.set(pid, reason);
		},
	};
}
