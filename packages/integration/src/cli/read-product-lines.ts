import { text } from 'node:stream/consumers';

/**
 * Product ids from a stream, one a line; empty lines do not count.
 * @throws Error where there is none.
 */
export async function readProductLines(stream: NodeJS.ReadableStream): Promise<string[]> {
	const lines = (await text(stream)).split(/\r?\n/).filter((line) => line.trim() !== '');
	if (lines.length === 0) throw new Error('Standard input holds no product id: write one a line.');
	return [...new Set(lines)];
}
