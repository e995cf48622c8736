const HEAD = 4;

/**
 * Bytes with a table of what is in them: the length of the table, the table as JSON, and the parts. They have a buffer of
 * their own.
 */
export function frame(table: unknown, parts: readonly Uint8Array[]): Buffer<ArrayBuffer> {
	const head = Buffer.from(JSON.stringify(table));
	const length = parts.reduce((sum, part) => sum + part.length, HEAD + head.length);
	const bytes = Buffer.allocUnsafeSlow(length);
	let at = bytes.writeUInt32LE(head.length);
	for (const part of [head, ...parts]) {
		bytes.set(part, at);
		at += part.length;
	}
	return bytes;
}

/**
 * The table of {@link frame}, and where the parts begin.
 * @throws Error if the bytes are damaged.
 */
export function readFrame<Table>(bytes: Buffer): { readonly table: Table; readonly start: number } {
	const start = HEAD + bytes.readUInt32LE(0);
	return { table: JSON.parse(bytes.toString('utf8', HEAD, start)) as Table, start };
}
