import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees at once what nothing reaches any more. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in V8's heap, and in buffers outside of it. */
export interface MemoryInUse {
	readonly heap: number;
	readonly buffers: number;
}

/** What is still reached. Another thread frees buffers some time after a collection: it is waited for. */
export async function memoryInUse(): Promise<MemoryInUse> {
	for (let last = Number.POSITIVE_INFINITY; ; ) {
		collectGarbage();
		await setTimeout(PAUSE);
		const { heapUsed: heap, arrayBuffers: buffers } = process.memoryUsage();
		if (heap + buffers > 0.99 * last) return { heap, buffers };
		last = heap + buffers;
	}
}

/** In milliseconds. */
const PAUSE = 20;
