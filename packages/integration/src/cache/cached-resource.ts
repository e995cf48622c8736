/** A request for a product in flight. */
export interface Flight {
	/** When it began, on the monotonic clock. */
	readonly startedAt: number;
	/** Settles when its answer is stored. Rejects with what {@link CachedResourceContext.onFailure} throws. */
	readonly done: Promise<void>;
	/** Settles when the service has answered, even if the answer is not believed yet. */
	readonly arrived: Promise<void>;
	/** Whether the answer may have changed since it was requested. */
	isOutdated: boolean;
	/** Settles {@link Flight.arrived} ahead of {@link Flight.done}. */
	arrive(): void;
}

/** What differs between builds, dev servers and servers. */
export interface CachedResourceContext {
	/** Whether the stored value of a product can be used without a request. */
	readonly isFresh: (pid: string) => boolean;
	/** Requests a product and stores the answer. */
	readonly fetch: (pid: string, flight: Flight) => Promise<void>;
	/** Called when `fetch` throws. If it throws as well, waiting callers get its error. */
	readonly onFailure: (pid: string, error: unknown) => void;
	/** When a product last failed, on the monotonic clock, if remembered. */
	readonly failedAt: (pid: string) => number | undefined;
	/** How long a failed product is not requested again, in milliseconds. */
	readonly failureMemory: number;
	/** Monotonic clock, in milliseconds. */
	readonly monotonicNow: () => number;
	/** Called before a request starts. @returns what to call when it ends; `undefined` if too many are in flight. */
	readonly begin?: (pid: string) => (() => void) | undefined;
}

/** Requests values of products that are not fresh. Concurrent callers share one request per product. */
export interface CachedResource {
	/** The request for a product, joined or started; `undefined` if none is needed, or none is made after a failure. */
	request(pid: string): Flight | undefined;
	/** Like {@link CachedResource.request}, even if the product is fresh. */
	requestAnew(pid: string): Flight | undefined;
	/** The request in flight. */
	inFlight(pid: string): Flight | undefined;
	/** Whether a product is being requested, or has failed as in {@link CachedResource.hasFailed}. */
	isBusy(pid: string): boolean;
	/** Whether a product failed so recently that it is not requested again yet. */
	hasFailed(pid: string): boolean;
	/** Call when a product has changed. Its request in flight may be outdated, and is no longer joined. */
	outdate(pid: string): void;
	/** The same for all products. */
	outdateAll(): void;
}

/**
 * The one place that decides when a product is requested: freshness, requests in flight and failures, for builds, dev
 * servers and servers. Where values are stored and how long a page waits is up to the caller.
 */
export function createCachedResource(context: CachedResourceContext): CachedResource {
	const {
		isFresh,
		fetch,
		onFailure,
		failedAt,
		failureMemory,
		monotonicNow,
		begin = () => () => {},
	} = context;
	const flights = new Map<string, Flight>();

	const hasFailed = (pid: string) => {
		const since = monotonicNow() - (failedAt(pid) ?? Number.NEGATIVE_INFINITY);
		return since >= 0 && since < failureMemory;
	};

	async function fly(pid: string, flight: Flight): Promise<void> {
		try {
			await fetch(pid, flight);
		} catch (error) {
			onFailure(pid, error);
		}
	}

	function start(pid: string): Flight | undefined {
		const end = begin(pid);
		if (!end) return undefined;
		const flight = createFlight(monotonicNow(), async () => {
			try {
				await fly(pid, flight);
			} finally {
				end();
				if (flights.get(pid) === flight) flights.delete(pid);
			}
		});
		flights.set(pid, flight);
		return flight;
	}

	const outdate = (pid: string) => {
		const flight = flights.get(pid);
		if (flight) flight.isOutdated = true;
		flights.delete(pid);
	};
	const requestAnew = (pid: string) => flights.get(pid) ?? (hasFailed(pid) ? undefined : start(pid));

	return {
		request: (pid) => (isFresh(pid) ? undefined : requestAnew(pid)),
		requestAnew,
		inFlight: (pid) => flights.get(pid),
		isBusy: (pid) => flights.has(pid) || hasFailed(pid),
		hasFailed,
		outdate,
		outdateAll() {
			for (const pid of [...flights.keys()]) outdate(pid);
		},
	};
}

/** @param fly runs in a microtask, when the flight exists. */
function createFlight(startedAt: number, fly: () => Promise<void>): Flight {
	const arrival = Promise.withResolvers<void>();
	const done = Promise.resolve().then(fly);
	const arrived = Promise.race([done, arrival.promise]);
	// If no page waits for it, the end of the build reports what went wrong.
	for (const promise of [done, arrived]) promise.catch(() => {});
	return { startedAt, done, arrived, isOutdated: false, arrive: arrival.resolve };
}
