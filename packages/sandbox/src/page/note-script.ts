import { createHash } from 'node:crypto';

/**
 * Asks for the note about the review until it is there, for a minute and a half and ever more rarely. Without scripts, a
 * reload shows it. What it inserts is html of the sandbox, which escapes all text.
 */
export const NOTE_SCRIPT = `
const place = document.querySelector('[data-note]');
let pause = 100;
const look = async () => {
	const response = await fetch(place.dataset.note).catch(() => undefined);
	const note = response?.status === 200 ? await response.text() : '';
	if (note) place.innerHTML = note;
	else if (pause < 20_000) setTimeout(look, pause *= 1.25);
};
look();
`;

/** Allows this script, and nothing else that a page may contain. */
export const NOTE_SCRIPT_POLICY = `script-src 'sha256-${createHash('sha256').update(NOTE_SCRIPT).digest('base64')}'; connect-src 'self'`;
