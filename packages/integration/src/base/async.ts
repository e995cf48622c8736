/**
 * Awaits foreign code, such as a module, a function or a list of the project, for a limited time. Keeps the process alive
 * meanwhile: if nothing else did, Node would end without a word as soon as that code waits for something that never comes.
 *
 * @param limit in milliseconds. It passes in two halves: while this thread is busy, what has come cannot be read, and is
 * not late.
 * @param onLate called when the time is up. Returns the result in place of the value, or throws.
 * @param keepsAlive `false` where somebody else does, for as long as the result is needed. @default true
 */
export async function within<Value, Late>(
	value: Value | PromiseLike<Value>,
	limit: number,
	onLate: () => Late | PromiseLike<Late>,
	keepsAlive = true,
): Promise<Value | Late> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const wait = (then: () => void) => {
		timer = setTimeout(then, limit / 2);
		// Timers of other runtimes are numbers.
		if (!keepsAlive) timer.unref?.();
	};
	const passed = new Promise<void>((resolve) => wait(() => wait(resolve)));
	try {
		return await Promise.race([value, passed.then(onLate)]);
	} finally {
		clearTimeout(timer);
	}
}

/** Time that a module of the project may take to load, in milliseconds: a provider, or the driver of a storage. */
export const MODULE_LIMIT = 30_000;

/** Time that a function of the project may take to answer, in milliseconds, unless an option limits it. */
export const FUNCTION_LIMIT = 30_000;

/**
 * Runs an operation for many products at once. Products given in the same turn of the event loop share a batch, and its
 * result.
 */
export function inBatches<Result>(
	run: (pids: readonly string[]) => Result | Promise<Result>,
	max: number,
	nextTurn: () => Promise<unknown>,
): (pid: string) => Promise<Result> {
	let open: { readonly pids: string[]; readonly done: Promise<Result> } | undefined;
	return (pid) => {
		if (!open || open.pids.length >= max) {
			const pids: string[] = [];
			const done = nextTurn().then(() => {
				if (open === batch) open = undefined;
				return run(pids);
			});
			const batch = { pids, done };
			open = batch;
		}
		open.pids.push(pid);
		return open.done;
	};
}

/**
 * Runs an operation for every item, some at the same time. After one that fails, no other is started, and those under way
 * are waited for: whoever holds a lock for them may then release it.
 * @param most how many run at the same time.
 * @throws what the first one threw.
 */
export async function inParallel<Item>(
	items: readonly Item[],
	most: number,
	run: (item: Item, index: number) => Promise<void>,
): Promise<void> {
	const waiting = items.entries();
	const failures: unknown[] = [];
	const work = async () => {
		for (const [index, item] of waiting) {
			if (failures.length > 0) return;
			await run(item, index).catch((error) => failures.push(error));
		}
	};
	await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
	if (failures.length > 0) throw failures[0];
}

/** Says something now and then: a service that is down would fill the log. */
export function createThrottle(interval: number, warn: (message: string) => void) {
	let warnedAt = Number.NEGATIVE_INFINITY;
	return (describe: () => string): void => {
		if (performance.now() - warnedAt < interval) return;
		warnedAt = performance.now();
		warn(describe());
	};
}

/** Timers take a signed 32-bit number. */
const LONGEST_TIMER = 2_147_483_647;

let waiting = 0;

let timer: NodeJS.Timeout | undefined;

/**
 * Keeps the process alive until a promise that a page or a build waits for is settled. Nothing else in a build does, so
 * the process of an abandoned build can exit even if requests are still pending.
 */
export async function keepAlive<Value>(promise: Value | Promise<Value>): Promise<Value> {
	waiting += 1;
	// One timer for all: pages wait thousands of times.
	timer ??= setInterval(() => {}, LONGEST_TIMER);
	timer.ref();
	try {
		return await promise;
	} finally {
		waiting -= 1;
		if (waiting === 0) timer.unref();
	}
}
