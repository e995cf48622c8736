import type { ProductId } from '../base/product-id.js';
import { nearest } from '../base/words.js';
import { InvalidPropError } from '../errors.js';
import type { GivenLabels, Labels } from '../options/labels.js';
import { attributes, Html, html } from './html.js';
import { labelsFor, languageTag, mergeLabels } from './page-labels.js';

export interface RenderOptions {
	readonly display: 'hidden' | 'visible' | 'details';
	/** The merchant's labels. All others are in the page's language. */
	readonly labels: GivenLabels;
	readonly language: string;
	/** URL of the form where customers write a review of this product. @default no link */
	readonly writeReviewUrl?: string | undefined;
	/** Returns the id of the component on its page, which begins those of what it opens. */
	readonly id: () => string;
}

/** Values that a page gives to a component, by name. */
export type Props = Readonly<Record<string, unknown>>;

/** The props of a component on a page. Others than its own, such as `class` or `id`, go to its root element. */
export type PlacedProps<Own> = {
	/** Product ID at the review service. A number is read as its decimal string. */
	pid: ProductId;
} & Own &
	Record<string, unknown>;

/** Props that most components take. */
export interface PartProps {
	/** Heading of the component. An empty one is omitted. @default a label */
	heading?: string | undefined;
	/** Level of the heading, 1 to 6. Headings inside are one level below. @default 2 */
	headingLevel?: number | undefined;
	/**
	 * BCP 47 tag of the page's language, for labels, dates and numbers. `pt_BR` is read as `pt-BR`. @default the locale of the page, or else 'en'
	 */
	lang?: string | undefined;
	/** Labels for this component, on top of the option `labels`. */
	labels?: GivenLabels | undefined;
}

export interface PartContext {
	readonly labels: Labels;
	readonly language: string;
	readonly heading: string;
	readonly level: number;
	readonly itemLevel: number;
	readonly root: Props;
	readonly writeReviewUrl: string | undefined;
	readonly id: () => string;
}

/**
 * Reads the props that most components take.
 * @param className of the root element.
 * @param own names of the component's other props.
 * @param heading the label to use as the default heading. @default no heading
 * @throws TypeError for an invalid prop, or for an attribute whose name is almost that of a prop.
 */
export function readPart(
	props: PartProps,
	options: RenderOptions,
	className: string,
	own: readonly string[],
	heading?: 'heading' | 'topics' | 'media' | 'questions' | 'latest',
): PartContext {
	const language = props.lang ?? options.language;
	const labels = labelsFor(mergeLabels(options.labels, props.labels), language);
	const text = String(props.heading ?? (heading ? labels[heading] : ''));
	const level = readCount('`headingLevel`', props.headingLevel ?? 2, 1, 6);
	const root: Record<string, unknown> = {
		class: [className, (props as Props)['class']].filter(Boolean).join(' '),
		...(text !== '' && { 'aria-label': text }),
		lang: props.lang && languageTag(props.lang),
	};
	const known = [...PART_PROPS, ...own];
	for (const [name, value] of Object.entries(props)) {
		if (name === 'class' || known.includes(name)) continue;
		const meant = nearest(name, known);
		if (meant) throw new InvalidPropError(`there is no prop \`${name}\`. Did you mean \`${meant}\`?`);
		root[name] = value;
	}
	return {
		labels,
		language,
		heading: text,
		level,
		itemLevel: text === '' ? level : Math.min(6, level + 1),
		root,
		writeReviewUrl: options.writeReviewUrl,
		id: options.id,
	};
}

const PART_PROPS = ['heading', 'headingLevel', 'lang', 'labels'];

/** Wraps the content of a component in its root element. With a heading, it is a landmark with that name. */
export function renderRoot({ heading, level, root }: PartContext, content: Html): Html {
	if (heading === '') return html`<div${attributes(root)}>${content}</div>`;
	return html`<section${attributes(root)}>${renderHeading(level, 'pr-heading', heading)}${content}</section>`;
}

/**
 * Writes a heading; `undefined` if the text is empty, because screen readers would stop at an empty heading.
 * @param lang an attribute with the language of the text
 */
export function renderHeading(level: number, className: string, text: string, lang?: Html): Html | undefined {
	if (text === '') return undefined;
	const tag = new Html(`h${level}`);
	return html`<${tag} class="${className}" dir="auto"${lang}>${text}</${tag}>`;
}

/**
 * Reads a number. A template attribute may pass it as text.
 * @param what names the prop in the message.
 * @throws TypeError if it is not a number.
 */
export function readCount(
	what: string,
	value: number | string,
	least = 0,
	most = Number.POSITIVE_INFINITY,
): number {
	const number = Math.trunc(Number(value));
	if (!Number.isNaN(number)) return Math.min(most, Math.max(least, number));
	throw new InvalidPropError(`expected ${what} to be a number, received '${value}'.`);
}

/**
 * Reads one of several words.
 * @param what names the prop in the message.
 * @param meanings choices by words of others for them, which are not close in letters.
 * @throws TypeError for any other word
 */
export function readChoice<Choice extends string>(
	what: string,
	value: string,
	choices: readonly Choice[],
	meanings: Readonly<Record<string, Choice>> = {},
): Choice {
	if (choices.includes(value as Choice)) return value as Choice;
	const known = choices.map((choice) => `'${choice}'`).join(', ');
	const meant = Object.hasOwn(meanings, value) ? meanings[value] : nearest(String(value), choices);
	const advice = meant === undefined ? '' : ` Did you mean '${meant}'?`;
	throw new InvalidPropError(`expected ${what} to be one of ${known}, received '${value}'.${advice}`);
}
