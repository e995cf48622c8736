import type { Note } from '../notes/notes.js';
import { escapeHtml } from '../wire/escape-html.js';
import { NOTE_SCRIPT } from './note-script.js';

/** A review that was just published with the form. */
export interface PublishedReview {
	readonly pid: string;
	/** When the form arrived, in milliseconds since 1970; `NaN` if that is unknown. */
	readonly at: number;
	/** What is known of it since. */
	readonly note: Note | undefined;
	/** Whether a note may still come. */
	readonly isAwaited: boolean;
}

/** Path of the note about a review that was published with the form. */
export const NOTE_PATH = '/__sandbox/form/note';

/** Renders what the page says above the form after a review was published. */
export function notice({ pid, at, note, isAwaited }: PublishedReview): string {
	const source = `${NOTE_PATH}?pid=${encodeURIComponent(pid)}&at=${at}`;
	return `<div class="notice" role="status">
<p>Published a review of <b>${escapeHtml(pid)}</b>.</p>
<div${isAwaited ? ` data-note="${escapeHtml(source)}"` : ''}>${note ? noteHtml(note, at) : ''}</div>
</div>${isAwaited ? `<script>${NOTE_SCRIPT}</script>` : ''}`;
}

/** Renders a note. `at` is when the review was published, in milliseconds since 1970. */
export function noteHtml({ text, items, addedAt }: Note, at: number): string {
	const seconds = (Math.max(0, addedAt - at) / 1_000).toFixed(2);
	const list = items.map(({ text: item, url }) => {
		const shown = escapeHtml(item);
		return `<li>${url === undefined ? shown : `<a href="${escapeHtml(url)}">${shown}</a>`}</li>`;
	});
	return `<p>${escapeHtml(text)}, <b>${seconds} s</b> after the click${list.length > 0 ? ':' : '.'}</p>
${list.length > 0 ? `<ul>${list.join('')}</ul>` : ''}`;
}
