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
