import type { GivenLabels, Labels } from '../../labels/labels.js';
import { labelsFor, mergeLabels } from '../../labels/labels-for.js';
import { readHeadingLevel, renderHeading } from '../heading.js';
import { attributes, type Html, html } from '../html.js';
import type { RenderOptions } from '../render-options.js';

/** Props that all components of review data take. Others, such as `class` or `id`, go to the root element. */
export interface PartProps {
	/** Heading of the component. An empty one is omitted. @default a label */
	heading?: string | undefined;
	/** Level of the heading, 1 to 6. Headings inside are one level below. @default 2 */
	headingLevel?: number | undefined;
	/**
	 * BCP 47 tag of the page's language, for labels, dates and numbers. @default the locale of the page, or else 'en'
	 */
	lang?: string | undefined;
	/** Labels for this component, on top of the option `labels`. */
	labels?: GivenLabels | undefined;
}

/** What a component is rendered with. */
export interface PartContext {
	readonly labels: Labels;
	/** BCP 47 tag of the page's language. */
	readonly language: string;
	/** Level of headings inside, 1 to 6. */
	readonly itemLevel: number;
	/** Wraps the content in the root element. With a heading, it is a landmark with that name. */
	wrap(content: Html): Html;
}

/** A label without plural forms. */
type WordLabel = 'heading' | 'topics' | 'media' | 'questions';

/** Attributes that a page sets on a root element. */
export type RootAttributes = Readonly<Record<string, unknown>>;

/**
 * Reads the props that all components share.
 * @param className of the root element.
 * @param heading the label to use as the default heading; `undefined` for no heading.
 */
export function partContext(
	props: PartProps & RootAttributes,
	options: RenderOptions,
	className: string,
	heading: WordLabel | undefined,
): PartContext {
	const { heading: given, headingLevel, lang, labels: own, class: added, ...others } = props;
	const language = lang ?? options.language;
	const labels = labelsFor(mergeLabels(options.labels, own), language);
	const level = readHeadingLevel(headingLevel ?? 2);
	const text = String(given ?? (heading ? labels[heading] : ''));
	const root = attributes({
		class: [className, added].filter(Boolean).join(' '),
		'aria-label': text === '' ? undefined : text,
		lang,
		...others,
	});
	return {
		labels,
		language,
		itemLevel: text === '' ? level : Math.min(6, level + 1),
		wrap: (content) =>
			text === ''
				? html`<div${root}>${content}</div>`
				: html`<section${root}>${renderHeading(level, `${className}-heading`, text)}${content}</section>`,
	};
}
