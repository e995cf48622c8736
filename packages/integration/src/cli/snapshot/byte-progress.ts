import { size } from '../../text/words.js';

/** Pause between two lines, in milliseconds. */
const PAUSE = { terminal: 1_000, other: 10_000 };

/** How to log the progress of a transfer. */
export interface ProgressContext {
	readonly isTerminal: boolean;
	readonly log: (line: string) => void;
}

/**
 * Passes bytes on, and logs how many if it takes long.
 * @param verb a past participle: "Uploaded".
 * @param total bytes, if known.
 * @param onChunk called with the length of each chunk.
 */
export async function* counted(
	chunks: AsyncIterable<Uint8Array>,
	verb: string,
	total: number | undefined,
	{ isTerminal, log }: ProgressContext,
	onChunk: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
	let bytes = 0;
	let lastAt = performance.now();
	for await (const chunk of chunks) {
		bytes += chunk.length;
		onChunk(chunk.length);
		yield chunk;
		const now = performance.now();
		if (now - lastAt < PAUSE[isTerminal ? 'terminal' : 'other']) continue;
		lastAt = now;
		log(`${verb} ${size(bytes)}${total === undefined ? '' : ` of ${size(total)}`}`);
	}
}
