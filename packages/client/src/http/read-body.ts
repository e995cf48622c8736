import { createShapeCounter, shapeLimits } from './create-shape-counter.js';
import { nextTurn } from './in-pieces.js';
import { networkProblem } from './network-problem.js';
import { responseProblem, TryProblem } from './try-failure.js';

/**
 * Reads the body of an answer as text. The limit applies to decompressed bytes as they stream, so a decompression bomb
 * costs no more than the limit, and nothing beyond it is read. The parts of the text are counted in the same way, so no
 * text takes longer to parse than its length justifies.
 *
 * @param progress updated with the number of bytes read so far.
 * @throws TryProblem for a body that is too long, too complex, compressed more than once, not UTF-8 or cut short.
 */
export async function readBody(
	response: Response,
	options: { maxBytes: number; signal: AbortSignal; progress: { bytes: number } },
): Promise<string> {
	const { maxBytes, signal, progress } = options;
	const encoding = response.headers.get('content-encoding') ?? '';
	// Runtimes decode chains of encodings, and each link multiplies the work (CVE-2026-22036).
	if (encoding.includes(',')) {
		await cancel(response.body);
		throw responseProblem(
			'content-encoding',
			(show) => `the body is compressed more than once (${show(encoding, 60)})`,
		);
	}
	if (!response.body) return '';
	const reader = response.body.getReader();
	const onAbort = () => void reader.cancel(signal.reason).catch(ignore);
	signal.addEventListener('abort', onAbort, { once: true });
	try {
		const decoder = new TextDecoder('utf-8', { fatal: true });
		const parts: string[] = [];
		const count = createShapeCounter(shapeLimits(maxBytes));
		let turnAt = TURN_AFTER;
		for (;;) {
			const { done, value } = await reader.read().catch(networkProblem);
			if (done) break;
			progress.bytes += value.byteLength;
			if (progress.bytes > maxBytes) {
				throw responseProblem('too-large', `the body is larger than ${maxBytes} bytes`);
			}
			const excess = count(value);
			if (excess) throw responseProblem('too-complex', `the body holds ${excess}`);
			parts.push(decode(decoder, value));
			if (progress.bytes < turnAt) continue;
			// Yield explicitly, because data that has already arrived is read without doing so.
			turnAt = progress.bytes + TURN_AFTER;
			await nextTurn();
		}
		signal.throwIfAborted();
		parts.push(decode(decoder));
		return parts.join('');
	} catch (error) {
		if (error instanceof TryProblem) void reader.cancel().catch(ignore);
		throw error;
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** Yield to the event loop after this many bytes. */
const TURN_AFTER = 1_048_576;

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
	try {
		return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
	} catch {
		throw responseProblem('not-utf8', 'the body is not valid UTF-8');
	}
}

async function cancel(body: ReadableStream | null): Promise<void> {
	await body?.cancel().catch(ignore);
}

/** Errors of a discarded body do not matter. */
function ignore(): void {}
