/** Length of a chunk, in UTF-16 code units: a single line is not worth a system call. */
const CHUNK = 65_536;

/** The same text in fewer, larger pieces. It is never held as a whole. */
export function* inChunks(texts: Iterable<string>): Iterable<string> {
	let chunk = '';
	for (const text of texts) {
		chunk += text;
		if (chunk.length < CHUNK) continue;
		yield chunk;
		chunk = '';
	}
	if (chunk !== '') yield chunk;
}
