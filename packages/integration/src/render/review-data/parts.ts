import { InvalidPropError } from '../../errors.js';
import type { GivenLabels, Labels } from '../../labels/labels.js';
import { labelsFor, mergeLabels } from '../../labels/labels-for.js';
import type { FullReview, ReviewData, ReviewMediaItem } from '../../parse/record.js';
import type { Component } from '../component.js';
import { fillLabel } from '../fill-label.js';
import type { Fragment } from '../fragment.js';
import { attributes, type Html, html } from '../html.js';
import { type Facts, formDataAuthors, readHeadingLevel, renderHeading } from '../parts.js';
import type { RenderOptions } from '../render-options.js';
import { isSplitByRating, type ReviewSelection } from './review-filter.js';

/** Reads a numeric prop. A template attribute may pass it as text. @throws TypeError if it is not a number */
export function readCount(name: string, value: number | string, least = 0): number {
	const number = Math.trunc(Number(value));
	if (!Number.isNaN(number)) return Math.max(least, number);
	throw new InvalidPropError(`Expected \`${name}\` to be a number, received '${value}'.`);
}

/**
 * A list that shows its first items, and more groups on demand. Each group is a `<details>`, and the stylesheet shows it
 * only when the previous one is open.
 * @param perGroup items per group.
 * @param moreLabel returns the label that opens a group of this many items.
 */
export function renderInGroups(
	items: readonly Html[],
	perGroup: number,
	className: string,
	moreLabel: (count: number) => string,
): Html {
	const groups: Html[] = [];
	for (let start = 0; start < items.length; start += perGroup) {
		const group = items.slice(start, start + perGroup);
		const list = html`<ol class="${className}" role="list">${group}</ol>`;
		groups.push(
			start === 0
				? list
				: html`<details class="review-more"><summary class="review-more-summary">${moreLabel(group.length)}</summary>${list}</details>`,
		);
	}
	return html`<div class="review-groups">${groups}</div>`;
}

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

/** A component that is written from full review data. */
export function dataComponent(
	write: (data: ReviewData | undefined, props: RootAttributes, options: RenderOptions) => Fragment,
): Component<'review-data'> {
	return {
		from: 'review-data',
		write: (data, { props, language = 'en' }, { author, ...site }) =>
			write(data && formDataAuthors(data, author), props, { ...site, language }),
	};
}

/** Facts about a rating. */
export function ratingFacts(data: ReviewData | undefined): Facts[] {
	return data?.aggregate ? [{ component: 'RatingSummary', count: data.aggregate.count }] : [];
}

/** Facts about a list of reviews. @param shown the reviews in the list. */
export function listFacts(
	data: ReviewData | undefined,
	shown: readonly FullReview[],
	{ sort = 'as-sent', filter }: ReviewSelection,
): Facts[] {
	if (!data || shown.length === 0) return [];
	return [
		{
			component: 'ReviewList',
			display: 'visible',
			count: data.aggregate?.count,
			// Pinned reviews come first in every order, so only the others are sure to be the first of `sort`.
			shown: filter ? 0 : shown.filter(({ pinned }) => !pinned).length,
			isAll: shown.length === data.reviews.length,
			...(isSplitByRating(filter, data.reviews) && { isSplitByRating: true }),
			sort: sort ?? 'as-sent',
		},
	];
}

/** A source of images and videos, with its author. */
type MediaOwner = Pick<ReviewMediaItem, 'author' | 'images' | 'videos'>;

/** Images and videos as a list; `undefined` if there are none. @param captionOf the caption below the large view. */
export function renderMediaList<Owner extends MediaOwner>(
	owners: readonly Owner[],
	most: number,
	{ labels, language }: PartContext,
	captionOf?: (owner: Owner) => Html,
): Html | undefined {
	const items: Html[] = [];
	for (const owner of owners) {
		const author = owner.author ?? labels.anonymous;
		const caption = captionOf?.(owner);
		for (const url of owner.images) {
			items.push(renderImage(url, fillLabel(labels.photo, { author }, language), caption));
		}
		for (const url of owner.videos) {
			items.push(renderVideo(url, fillLabel(labels.video, { author }, language), caption));
		}
		if (items.length >= most) break;
	}
	const shown = items.slice(0, most);
	if (shown.length === 0) return undefined;
	return html`<ul class="review-media-list" role="list">${shown.map((item) => html`<li class="review-media-entry">${item}</li>`)}</ul>`;
}

/**
 * An image that opens large over the page, and closes with the same key or a click anywhere. It is a `<details>`, which
 * needs neither a script nor an id. The space of the thumbnail is reserved before it loads.
 * @param text alternative text.
 */
function renderImage(url: string, text: string, caption?: Html): Html {
	return renderOpening(
		html`<img class="review-media-image" src="${url}" alt="${text}" width="160" height="160" loading="lazy" decoding="async" referrerpolicy="no-referrer">`,
		html`<img class="review-media-large" src="${url}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`,
		caption,
	);
}

/** A video that opens large. Nothing is loaded before it is played. */
function renderVideo(url: string, text: string, caption?: Html): Html {
	return renderOpening(
		html`<span class="review-media-video" role="img" aria-label="${text}"></span>`,
		html`<video class="review-media-large review-media-player" src="${url}" aria-label="${text}" controls playsinline preload="none"></video>`,
		caption,
	);
}

function renderOpening(thumbnail: Html, large: Html, caption: Html | undefined): Html {
	return html`<details class="review-media-item"><summary class="review-media-thumbnail">${thumbnail}</summary><figure class="review-media-view">${large}${
		caption !== undefined && html`<figcaption class="review-media-caption">${caption}</figcaption>`
	}</figure></details>`;
}

/** One part of a bar. */
interface BarPart {
	/** Identifies the part in the stylesheet. */
	readonly tone: 'stars' | 'positive' | 'neutral' | 'negative';
	/** 0 to 1. */
	readonly share: number;
}

/**
 * A bar of adjacent shares. It is purely visual: the same information is in the text next to it. Widths are attributes,
 * because an inline style would violate a Content Security Policy.
 */
export function renderShareBar(parts: readonly BarPart[]): Html {
	let start = 0;
	const drawn = parts.map(({ tone, share }) => {
		const x = start;
		start += share;
		return html`<rect class="share-bar-${tone}" x="${percent(x)}" width="${percent(share)}" height="100%"></rect>`;
	});
	return html`<svg class="share-bar" aria-hidden="true" width="100%" height="8">${drawn}</svg>`;
}

function percent(share: number): string {
	return `${Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10}%`;
}
