/** Timers take a signed number of 32 bits. */
const LONGEST_TIMER = 2_147_483_647;

let waiting = 0;
let timer: NodeJS.Timeout | undefined;

/**
 * Keeps the process alive until a promise is settled: one that a page or a build waits for. Nothing else of a build does,
 * so that a process can end whose build was given up while the service still owed reviews.
 */
export async function keepAlive<Value>(promise: Promise<Value>): Promise<Value> {
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
