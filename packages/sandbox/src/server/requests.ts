import type { Operation } from 'product-reviews-client/contract';
import type { FaultKind } from '../faults/fault-rule.js';
import type { Authorization } from './authorization.js';
import { type InFlight, trackInFlight } from './in-flight.js';

/** Record of a request to one of the three operations. Fields are added while the request runs. */
export interface RecordedRequest {
	readonly operation: Operation;
	readonly method: string;
	/** Raw path and query. */
	readonly url: string;
	/** Product ids in the request. */
	readonly pids: readonly string[];
	/** Request headers without `authorization`. */
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly authorization: Authorization;
	/** Milliseconds since 1970, according to the sandbox's clock. */
	readonly startedAt: number;
	/** Milliseconds until the connection was done with it; absent while the request runs. */
	readonly duration?: number;
	/** Status sent; absent if there was no response. */
	readonly status?: number;
	/** Bytes sent, including headers. */
	readonly bytes: number;
	/** Whether the whole response was sent. */
	readonly complete: boolean;
	/** Fault that was applied. */
	readonly fault?: FaultKind;
}

/** Which requests to count; an empty filter counts all. */
export interface RequestFilter {
	readonly operation?: Operation;
	readonly pid?: string;
	readonly status?: number;
}

/** Requests to the three operations since the start or the last `reset()`. */
export interface RequestRecords extends InFlight {
	/** In order of arrival. */
	readonly all: readonly RecordedRequest[];
	/** How many requests match. */
	count(filter?: RequestFilter): number;
	/** Clears the records; running requests still count as in flight. */
	reset(): void;
}

/** The part of the records that only the server uses. */
export interface RequestRecorder extends RequestRecords {
	/** Adds a request; `update` extends its record, and `end` marks it as finished. */
	begin(request: Omit<RecordedRequest, 'pids' | 'bytes' | 'complete'>): {
		readonly update: (changes: Partial<RecordedRequest>) => void;
		readonly end: () => void;
	};
}

/** Creates the records of one sandbox. */
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
