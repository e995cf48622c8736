import type { Labels } from '../options/labels.js';

/** What the site decides for all components. */
export interface RenderOptions {
	readonly display: 'hidden' | 'visible' | 'details';
	readonly labels: Labels;
	/** BCP 47 tag of the page's language. */
	readonly language: string;
}
