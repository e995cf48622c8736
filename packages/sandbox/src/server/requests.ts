import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from 'product-reviews-client/contract';
import type { FaultKind } from '../faults/faults.js';
import type { Service } from '../service.js';
import { type Authorization, authorizationOf, plainText } from './http.js';

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

/** Concurrency of requests to the three operations. */
export interface InFlight {
	/** Number of running requests. */
	readonly inFlight: number;
	/** Highest number of requests that ran at once. */
	readonly maxInFlight: number;
	/** Milliseconds spent at each level of concurrency: `{ 0: 12.5, 1: 3.1, 8: 410.2 }`. */
	readonly inFlightTimes: Readonly<Record<number, number>>;
}

/** An `InFlight` with methods to update it. */
interface InFlightTracker extends InFlight {
	/** Updates the number of running requests. */
	change(by: 1 | -1): void;
	/** Resets the maximum and the times. */
	reset(): void;
}

/** Tracks requests in flight over time. Uses the monotonic clock, because a test clock may stand still. */
function trackInFlight(): InFlightTracker {
	let current = 0;
	let maximum = 0;
	let since = performance.now();
	let times = new Map<number, number>();

	const settle = () => {
		const now = performance.now();
		times.set(current, (times.get(current) ?? 0) + now - since);
		since = now;
	};

	return {
		get inFlight() {
			return current;
		},
		get maxInFlight() {
			return maximum;
		},
		get inFlightTimes() {
			settle();
			return Object.fromEntries(times);
		},
		change(by) {
			settle();
			current += by;
			maximum = Math.max(maximum, current);
		},
		reset() {
			times = new Map();
			since = performance.now();
			maximum = current;
		},
	};
}

/** A request that is being observed. */
export interface Observation {
	/** Adds facts that are only known once the body has been read. */
	update(facts: { readonly pids?: readonly string[]; readonly fault?: FaultKind }): void;
}

/** Records requests to the three operations, and logs every request once its connection is done with it. */
export function observeRequest(
	request: IncomingMessage,
	response: ServerResponse,
	path: string,
	service: Service,
	operation?: Operation,
): Observation {
	const { method = 'GET', url = '/', socket } = request;
	const { authorization, ...headers } = request.headers;
	const begin = performance.now();
	const bytesBefore = socket.bytesWritten;
	let facts: { readonly pids?: readonly string[]; readonly fault?: FaultKind } = {};
	const record =
		operation &&
		service.requests.begin({
			operation,
			method,
			url,
			headers,
			authorization: authorizationOf(authorization, service),
			startedAt: service.now(),
		});

	response.once('close', () => {
		const outcome = {
			bytes: socket.bytesWritten - bytesBefore,
			duration: performance.now() - begin,
			...(response.headersSent ? { status: response.statusCode } : {}),
		};
		record?.update({ ...outcome, complete: response.writableFinished });
		record?.end();
		const line = { method, path, pids: [], ...facts, ...outcome };
		service.log(requestLogLine(line, [...service.tokens, ...bearerTokens(authorization)]));
	});

	return {
		update(more) {
			facts = { ...facts, ...more };
			record?.update(more);
		},
	};
}

/** The token of the request, accepted or not. */
function bearerTokens(header: string | undefined): string[] {
	const token = header?.split(/\s+/).at(-1);
	return token ? [token] : [];
}

/** Content of a log line. */
interface LoggedRequest {
	readonly method: string;
	/** Raw path without the query. */
	readonly path: string;
	readonly pids: readonly string[];
	/** Absent if no response was sent. */
	readonly status?: number;
	/** Bytes sent, including headers. */
	readonly bytes: number;
	/** Milliseconds. */
	readonly duration: number;
	/** Fault that was applied. */
	readonly fault?: string;
}

/**
 * Formats one line of the request log: `GET /api/llmRvwHTML pid=p-1 200 13.2 KB 4 ms`.
 *
 * @param secrets Texts to mask, in case a caller puts one into a URL.
 */
function requestLogLine(request: LoggedRequest, secrets: readonly string[]): string {
	const { method, path, pids, status, bytes, duration, fault } = request;
	const parts = [
		method,
		path,
		pids.length === 1 ? `pid=${pids[0]}` : pids.length > 1 ? `pids=${pids.length}` : '',
		status === undefined ? 'no answer' : String(status),
		sizeText(bytes),
		`${Math.round(duration)} ms`,
		fault ? `fault=${fault}` : '',
	];
	return parts
		.map((part) => plainText(withoutSecrets(part, secrets)))
		.filter((part) => part !== '')
		.join(' ');
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
	return secrets.reduce(
		(result, secret) => (secret === '' ? result : result.replaceAll(secret, '***')),
		text,
	);
}

function sizeText(bytes: number): string {
	if (bytes < 1_000) return `${bytes} B`;
	return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
