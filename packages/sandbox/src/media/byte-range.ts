/** Positions of the first and the last byte of a range. */
export interface ByteRange {
	readonly start: number;
	readonly end: number;
}

/**
 * Parses a `Range` header for a body of `size` bytes. Returns `undefined` for a header that is missing, malformed, in
 * another unit, or has several ranges: RFC 9110 lets a server send the whole body in these cases.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
	const [matched, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
	if (matched === undefined || (first === '' && last === '')) return undefined;
	// Without a first position, it is a suffix range: the last n bytes.
	if (first === '') {
		const length = Math.min(Number(last), size);
		return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
	}
	const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
	if (last !== '' && Number(last) < start) return undefined;
	return start < size ? { start, end } : 'unsatisfiable';
}
