import { frame, readFrame } from './frame.js';

/** What was made of a value, such as its html. */
export interface Attachments {
	/** Names what they were made with. Those of another set are dropped. */
	readonly set: string;
	readonly items: Readonly<Record<string, Attachment>>;
}

/** Attachments with the value that they were made of. They are kept until the value is another one. */
export interface ValueAttachments extends Attachments {
	readonly digest: string;
}

export interface Attachment {
	readonly text: string;
	/** What JSON can hold. */
	readonly about: unknown;
}

/** UTF-16 code units of all texts of a value. Reading more would take longer than making them again. */
export const MOST_ATTACHED = 131_072;

/** The table of their texts, as they are in bytes. */
interface Table extends Omit<ValueAttachments, 'items'> {
	/** Where each text is, in bytes, and what is known about it. */
	readonly items: Readonly<Record<string, readonly [start: number, end: number, about: unknown]>>;
}

/** The bytes have a buffer of their own, so passing them to another thread copies nothing else. */
export function writeAttachments({ digest, set, items }: ValueAttachments): Buffer<ArrayBuffer> {
	const texts: Buffer[] = [];
	let end = 0;
	const places = Object.entries(items).map(([key, { text, about }]) => {
		const bytes = Buffer.from(text);
		texts.push(bytes);
		const start = end;
		end += bytes.length;
		return [key, [start, end, about]] as const;
	});
	return frame({ digest, set, items: Object.fromEntries(places) } satisfies Table, texts);
}

/** @throws Error if they are damaged. */
export function readAttachments(bytes: Buffer): ValueAttachments {
	const { table, start } = readFrame<Table>(bytes);
	const items: Record<string, Attachment> = {};
	for (const [key, [from, to, about]] of Object.entries(table.items)) {
		items[key] = { text: bytes.toString('utf8', start + from, start + to), about };
	}
	return { ...table, items };
}

/** Both, if they are of one value and set, and short enough together. Otherwise those of the value that were there. */
export function mergeAttachments(
	old: ValueAttachments | undefined,
	added: ValueAttachments,
): ValueAttachments {
	if (old?.digest !== added.digest || old.set !== added.set) return added;
	const items = { ...old.items, ...added.items };
	const length = Object.values(items).reduce((sum, { text }) => sum + text.length, 0);
	return length > MOST_ATTACHED ? old : { ...added, items };
}
