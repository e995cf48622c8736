import type { Operation } from 'product-reviews-client/contract';
import type { FaultKind } from '../faults/fault-rule.js';
import type { Authorization } from './authorize.js';
import { type InFlight, trackInFlight } from './in-flight.js';

/** A request to one of the three operations, as it went. It grows while the request runs. */
export interface RecordedRequest {
	readonly operation: Operation;
	readonly method: string;
	/** Path and query as sent. */
	readonly url: string;
	/** Product ids that the request names. */
	readonly pids: readonly string[];
	/** Request headers without `authorization`. */
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly authorization: Authorization;
	/** Milliseconds since 1970, by the sandbox's clock. */
	readonly startedAt: number;
	/** Milliseconds until the connection was done with it; absent while it runs. */
	readonly duration?: number;
	/** Status sent; absent where none was. */
	readonly status?: number;
	/** Bytes sent, headers included. */
	readonly bytes: number;
	/** Whether the whole answer went out. */
	readonly complete: boolean;
	/** The fault that was put on it. */
	readonly fault?: FaultKind;
}

/** Which requests to count; without a key, all. */
export interface RequestFilter {
	readonly operation?: Operation;
	readonly pid?: string;
	readonly status?: number;
}

/** What the three operations were asked for since the start, or the last `reset()`. */
export interface RequestRecords extends InFlight {
	/** In the order in which they came. */
	readonly all: readonly RecordedRequest[];
	/** How many requests match. */
	count(filter?: RequestFilter): number;
	/** Forgets what was recorded; requests that run now still count as in flight. */
	reset(): void;
}

/** What the server uses besides. */
export interface RequestRecorder extends RequestRecords {
	/** Notes a request; `update` grows its record, `end` says that it is over. */
	begin(request: Omit<RecordedRequest, 'pids' | 'bytes' | 'complete'>): {
		readonly update: (changes: Partial<RecordedRequest>) => void;
		readonly end: () => void;
	};
}

/** Makes the records of one sandbox. */
export function createRequestRecords(): RequestRecorder {
	const inFlight = trackInFlight();
	let all: RecordedRequest[] = [];
	return {
		get all() {
			return [...all];
		},
		get inFlight() {
			return inFlight.inFlight;
		},
		get maxInFlight() {
			return inFlight.maxInFlight;
		},
		get inFlightTimes() {
			return inFlight.inFlightTimes;
		},
		count: (filter = {}) => all.filter((request) => matches(request, filter)).length,
		reset() {
			all = [];
			inFlight.reset();
		},
		begin(request) {
			const record: RecordedRequest = { ...request, pids: [], bytes: 0, complete: false };
			all.push(record);
			inFlight.change(1);
			return { update: (changes) => Object.assign(record, changes), end: () => inFlight.change(-1) };
		},
	};
}

function matches(request: RecordedRequest, { operation, pid, status }: RequestFilter): boolean {
	if (operation !== undefined && request.operation !== operation) return false;
	if (pid !== undefined && !request.pids.includes(pid)) return false;
	return status === undefined || request.status === status;
}
