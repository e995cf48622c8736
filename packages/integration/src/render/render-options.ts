import type { GivenLabels } from '../labels/labels.js';

/** What the site decides for all components. */
export interface RenderOptions {
	readonly display: 'hidden' | 'visible' | 'details';
	/** What the merchant gave; the rest is in the page's language. */
	readonly labels: GivenLabels;
	/** BCP 47 tag of the page's language. */
	readonly language: string;
}
