/** UTF-16 code units of one write: a line of a hundred thousand is not worth a system call. */
const CHUNK = 16_384;

/** The same text in fewer, larger pieces. */
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
