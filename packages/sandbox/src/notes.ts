import { z } from 'zod';
import { readInput } from './records.js';

const noteInput = z.strictObject({
	pid: z.string(),
	/** What happened, without a full stop: the page adds how long that took. */
	text: z.string().max(2_000),
	items: z
		.array(z.strictObject({ text: z.string().max(2_000), url: z.url({ protocol: /^https?$/ }).optional() }))
		.max(100)
		.default([]),
	/** When that began, in milliseconds since 1970: only who published a review before sees the note. @default now */
	startedAt: z.number().optional(),
});

/** A note as accepted by `notes.add`; only `pid` and `text` are required. */
export type NewNote = z.input<typeof noteInput>;

export interface Note extends Readonly<z.output<typeof noteInput>> {
	readonly startedAt: number;
	readonly addedAt: number;
}

export interface Notes extends ReturnType<typeof createNotes> {}

/** What happened to reviews outside of the service. The sandbox's page shows it to who published them. */
export function createNotes(now: () => number) {
	const notes: Note[] = [];
	return {
		/**
		 * @throws {InvalidInputError} If it is invalid.
		 * @example
		 * sandbox.notes.add({ pid: 'p-1', text: '2 files of the shop changed', items: [{ text: 'index.html' }] });
		 */
		add(note: NewNote): void {
			const addedAt = now();
			const { startedAt = addedAt, ...rest } = readInput(noteInput, note);
			notes.push({ ...rest, startedAt, addedAt });
			// Older notes are dropped, so that a sandbox that runs for long does not grow.
			if (notes.length > 1_000) notes.shift();
		},
		find: (pid: string, since: number): Note | undefined =>
			notes.find((note) => note.pid === pid && note.startedAt >= since),
	};
}
