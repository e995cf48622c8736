/** A request for a product that is under way. */
export interface Flight {
	/** When it began, on the monotonic clock. */
	readonly startedAt: number;
	/** Settles when its answer is kept. Rejects with what {@link CachedResourceContext.onFailure} throws. */
	readonly done: Promise<void>;
	/** Settles when the service has answered, whether that is believed by then or not. */
	readonly arrived: Promise<void>;
	/** The answer may have changed since it was requested. */
	isOutdated: boolean;
	/** Settles {@link Flight.arrived} ahead of {@link Flight.done}. */
	arrive(): void;
}

/** What differs between builds, dev servers and servers. */
export interface CachedResourceContext {
	/** Whether what is kept of a product can be used without a request. */
	readonly isFresh: (pid: string) => boolean;
	/** Requests a product and keeps the answer. */
	readonly fetch: (pid: string, flight: Flight) => Promise<void>;
	/** Called when `fetch` throws. What it throws itself is thrown to those who wait. */
	readonly onFailure: (pid: string, error: unknown) => void;
	/** When a product last failed, on the monotonic clock, as far as that is remembered. */
	readonly failedAt: (pid: string) => number | undefined;
	/** How long a failed product is not requested again, in milliseconds. */
	readonly failureMemory: number;
	/** Monotonic clock, in milliseconds. */
	readonly monotonicNow: () => number;
	/** Called before a request starts. @returns what to call when it ends; `undefined` if there are too many by now. */
	readonly begin?: (pid: string) => (() => void) | undefined;
}

/** Values of products that are requested when they are not fresh: each once at a time, however many ask. */
export interface CachedResource {
	/** The request for a product, joined or started; `undefined` if none is needed, or none is made after a failure. */
	request(pid: string): Flight | undefined;
	/** As {@link CachedResource.request}, also for a product that is fresh. */
	requestAnew(pid: string): Flight | undefined;
	/** The request that is under way. */
	inFlight(pid: string): Flight | undefined;
	/** Whether a product failed so lately that it is not requested again. */
	hasFailed(pid: string): boolean;
	/** A product has changed: what is under way may be outdated, and is not joined any more. */
	outdate(pid: string): void;
	/** The same for all products. */
	outdateAll(): void;
}

/**
 * The one place that knows when a product is requested: freshness, requests in flight and failures of builds, dev servers
 * and servers. Where values are kept, and how long a page waits, is up to those who use it.
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
		hasFailed,
		outdate,
		outdateAll() {
			for (const pid of [...flights.keys()]) outdate(pid);
		},
	};
}

/** @param fly runs in the next turn, when the flight is known. */
function createFlight(startedAt: number, fly: () => Promise<void>): Flight {
	const arrival = Promise.withResolvers<void>();
	const done = Promise.resolve().then(fly);
	const arrived = Promise.race([done, arrival.promise]);
	// If no page waits for it, the end of the build reports what went wrong.
	for (const promise of [done, arrived]) promise.catch(() => {});
	return { startedAt, done, arrived, isOutdated: false, arrive: arrival.resolve };
}
