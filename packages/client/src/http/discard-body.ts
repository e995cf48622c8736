import { withTimeLimit } from './with-time-limit.js';

/**
 * Discards a body. A short one is read to its end, so that the connection can be reused: a store may have thousands of
 * products without reviews, each with a 404. A long or slow one is cancelled, which closes the connection.
 */
export async function discardBody(response: Response, signal: AbortSignal): Promise<void> {
	if (!response.body) return;
	const reader = response.body.getReader();
	try {
		await withTimeLimit({ signal, milliseconds: PATIENCE_IN_MS, reason: () => GIVEN_UP }, async () => {
			for (let bytes = 0; bytes <= MAX_BYTES; ) {
				const { done, value } = await reader.read();
				if (done) return;
				bytes += value.byteLength;
			}
			throw GIVEN_UP;
		});
	} catch {
		// The body is not needed, and the status has been read.
		await reader.cancel().catch(() => {});
	}
}

const MAX_BYTES = 16 * 1024;
const PATIENCE_IN_MS = 250;
const GIVEN_UP = new Error('The body of an error answer is too long or too slow to be read.');
