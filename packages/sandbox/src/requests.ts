import type { Operation } from 'product-reviews-client/contract';
import type { FaultKind } from './faults.js';
import { plainText } from './http.js';

/** Facts about any request. Fields are added while the request runs. */
export interface ObservedRequest {
	method: string;
	url: string;
	/** Request headers without `authorization`. */
	headers: Readonly<Record<string, string | string[] | undefined>>;
	pids: readonly string[];
	/** Milliseconds until the connection was done with it; absent while the request runs. */
	duration?: number;
	/** Status sent; absent if there was no response. */
	status?: number;
	/** Bytes sent, including headers. */
	bytes: number;
	/** True once the whole response was sent. */
	complete: boolean;
	fault?: FaultKind;
}

/** Record of a request to one of the three operations. */
export interface RecordedRequest extends Readonly<ObservedRequest> {
	readonly operation: Operation;
	/** Milliseconds since 1970, according to the sandbox's clock. */
	readonly startedAt: number;
}

export interface RequestFilter {
	readonly operation?: Operation;
	readonly pid?: string;
	readonly status?: number;
}

export interface RequestRecords extends ReturnType<typeof createRequestRecords> {}

/** Keeps the requests to the three operations since the start or the last `reset()`. */
export function createRequestRecords() {
	let all: RecordedRequest[] = [];
	let [inFlight, maxInFlight] = [0, 0];
	let times = new Map<number, number>();
	// From the monotonic clock, because a test clock may stand still.
	let since = performance.now();
	const change = (by: -1 | 0 | 1) => {
		const now = performance.now();
		times.set(inFlight, (times.get(inFlight) ?? 0) + now - since);
		since = now;
		inFlight += by;
		maxInFlight = Math.max(maxInFlight, inFlight);
	};
	const records = {
		/** In order of arrival. */
		get all(): readonly RecordedRequest[] {
			return [...all];
		},
		get inFlight() {
			return inFlight;
		},
		/** Highest number of requests that ran at once. */
		get maxInFlight() {
			return maxInFlight;
		},
		/** Milliseconds spent at each level of concurrency: `{ 0: 12.5, 1: 3.1, 8: 410.2 }`. */
		get inFlightTimes(): Readonly<Record<number, number>> {
			change(0);
			return Object.fromEntries(times);
		},
		count({ operation, pid, status }: RequestFilter = {}): number {
			const fits = (wanted: unknown, own: readonly unknown[]) => wanted === undefined || own.includes(wanted);
			return all.filter(
				(one) => fits(operation, [one.operation]) && fits(pid, one.pids) && fits(status, [one.status]),
			).length;
		},
		/** Clears the records; running requests still count as in flight. */
		reset(): void {
			all = [];
			times = new Map();
			since = performance.now();
			maxInFlight = inFlight;
		},
		counts: () => ({
			total: all.length,
			byOperation: tally(all.map(({ operation }) => operation)),
			byStatus: tally(all.map(({ status }) => String(status ?? 'none'))),
			byPid: tally(all.flatMap(({ pids }) => pids)),
			...{ inFlight, maxInFlight, inFlightTimes: records.inFlightTimes },
		}),
		/** Records a request that begins now. */
		begin(observed: ObservedRequest, operation: Operation, startedAt: number): void {
			all.push(Object.assign(observed, { operation, startedAt }));
			change(1);
		},
		end: () => change(-1),
	};
	return records;
}

function tally(names: readonly string[]): Record<string, number> {
	const groups = Map.groupBy(names, (name) => name);
	return Object.fromEntries([...groups].map(([name, same]) => [name, same.length]));
}

/** Writes `GET /api/llmRvwHTML pid=p-1 200 13.2 KB 4 ms`, with `secrets` masked, in case a caller puts one into a URL. */
export function requestLogLine(request: ObservedRequest, secrets: readonly string[]): string {
	const { method, url, pids, status, bytes, duration = 0, fault } = request;
	const about = pids.length === 1 ? `pid=${pids[0]}` : pids.length > 1 ? `pids=${pids.length}` : '';
	const end = [String(status ?? 'no answer'), sizeText(bytes), `${Math.round(duration)} ms`];
	const parts = [method, url.replace(/\?.*/s, ''), about, ...end, fault ? `fault=${fault}` : ''];
	const masked = (text: string) =>
		secrets.filter(Boolean).reduce((result, secret) => result.replaceAll(secret, '***'), text);
	const shown = parts.map((part) => plainText(masked(part)));
	return shown.filter((part) => part !== '').join(' ');
}

function sizeText(bytes: number): string {
	if (bytes < 1_000) return `${bytes} B`;
	return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
