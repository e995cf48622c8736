/**
 * What was made of a value, such as its html: kept beside the value, so that it never outlives it. The texts say the same
 * words as the value, and take little space once both are compressed together.
 */
export interface Attachments {
	/** Names what they were made with. Those of another set are dropped. */
	readonly set: string;
	readonly items: Readonly<Record<string, Attachment>>;
}

export interface Attachment {
	readonly text: string;
	/** What JSON can hold. */
	readonly about: unknown;
}

/** UTF-16 code units of all texts of a value. Reading more would take longer than making them again. */
export const MOST_ATTACHED = 131_072;

/** As they are in a value's bytes: the length of a table, the table as JSON, and the texts. */
interface Table {
	/** Of the value that they were made of. */
	readonly digest: string;
	readonly set: string;
	/** Where each text is, in bytes, and what is known about it. */
	readonly items: Readonly<Record<string, readonly [start: number, end: number, about: unknown]>>;
}

const HEAD = 4;

export function writeAttachments({ set, items }: Attachments, digest: string): Buffer[] {
	const texts: Buffer[] = [];
	let end = 0;
	const places = Object.entries(items).map(([key, { text, about }]) => {
		const bytes = Buffer.from(text);
		texts.push(bytes);
		const start = end;
		end += bytes.length;
		return [key, [start, end, about]] as const;
	});
	const table = Buffer.from(
		JSON.stringify({ digest, set, items: Object.fromEntries(places) } satisfies Table),
	);
	const head = Buffer.alloc(HEAD);
	head.writeUInt32LE(table.length);
	return [head, table, ...texts];
}

/** @returns `undefined` if there are none, or if they were made of another value. */
export function readAttachments(bytes: Buffer, digest: string): Attachments | undefined {
	if (bytes.length < HEAD) return undefined;
	const start = HEAD + bytes.readUInt32LE(0);
	const table = JSON.parse(bytes.toString('utf8', HEAD, start)) as Table;
	if (table.digest !== digest) return undefined;
	const items: Record<string, Attachment> = {};
	for (const [key, [from, to, about]] of Object.entries(table.items)) {
		items[key] = { text: bytes.toString('utf8', start + from, start + to), about };
	}
	return { set: table.set, items };
}

/** Both, if they are of one set and short enough together; else the newer ones. */
export function mergeAttachments(old: Attachments | undefined, added: Attachments): Attachments {
	if (old?.set !== added.set) return added;
	const items = { ...old.items, ...added.items };
	const length = Object.values(items).reduce((sum, { text }) => sum + text.length, 0);
	return length > MOST_ATTACHED ? old : { set: added.set, items };
}
