import { type Html, html } from '../../render/html.js';
import { count } from '../../text/words.js';
import type { Answer } from './answers.js';
import { foreign, listed, pagesLine, section } from './parts.js';

/** Products listed in a section. */
const MOST_LISTED = 100;

/** Answers that did not come, by what pages show instead. */
export interface Troubles {
	/** Nothing. */
	readonly failed: readonly Answer[];
	/** What is stored. */
	readonly stale: readonly Answer[];
}

export function troublesOf(answers: readonly Answer[]): Troubles {
	return {
		failed: answers.filter(({ status }) => status === 'failed' || status === 'unreadable'),
		stale: answers.filter(({ status }) => status === 'stale'),
	};
}

/** Products for which the service failed, with the reason and the pages. */
export function troubleSections({ failed, stale }: Troubles): Html {
	return html`${failed.length > 0 && section('failed', 'Failed', html`<p>${count(failed.length, 'answer')} could not be used, and nothing is stored.</p>`, list(failed))}${stale.length > 0 && section('stale', 'Stale', html`<p>${count(stale.length, 'answer')} could not be used. Pages show stored reviews.</p>`, list(stale))}`;
}

function list(answers: readonly Answer[]): Html {
	const { shown, more } = listed(
		answers,
		MOST_LISTED,
		({ pid, resource, status, reason, pages }) =>
			html`<li><b>${foreign('id', pid)}</b> <span class="tag">${resource}</span>${status === 'unreadable' && html` <span class="tag">unreadable</span>`}${reason !== undefined && html`<p>${foreign('reason', reason)}</p>`}${pages.length > 0 && html`<p class="muted">On ${pagesLine(pages)}</p>`}</li>`,
	);
	return html`<ul class="cards">${shown}</ul>${more}`;
}
