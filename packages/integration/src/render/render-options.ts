import type { GivenLabels } from '../labels/labels.js';

/** The site's settings for all components. */
export interface RenderOptions {
	readonly display: 'hidden' | 'visible' | 'details';
	/** The merchant's labels. All others are in the page's language. */
	readonly labels: GivenLabels;
	/** BCP 47 tag of the page's language. */
	readonly language: string;
}
