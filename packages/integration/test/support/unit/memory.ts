import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

export const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in V8's heap, and in buffers outside of it, that are still reached. Another thread frees buffers some time after a collection: it is waited for. */
export async function memoryInUse(): Promise<{ heap: number; buffers: number }> {
	for (let last = Number.POSITIVE_INFINITY; ; ) {
		collectGarbage();
		await setTimeout(20);
		const { heapUsed: heap, arrayBuffers: buffers } = process.memoryUsage();
		if (heap + buffers > 0.99 * last) return { heap, buffers };
		last = heap + buffers;
	}
}
