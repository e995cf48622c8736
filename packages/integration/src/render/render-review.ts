import type { Labels } from '../labels/labels.js';
import { fillLabel, formatDate } from '../labels/page-labels.js';
import type { Review } from '../parse/record.js';
import type { Component } from './fragment.js';
import { type Html, html } from './html.js';
import {
	type PartContext,
	type PartProps,
	type PlacedProps,
	readCount,
	readPart,
	renderHeading,
	renderRoot,
} from './props.js';

const MOST_MEDIA = 10;

export function renderReview(review: Review, context: PartContext): Html {
	const { labels, language, itemLevel } = context;
	const { rating, title, body, customQuestions, tags, recommends } = review;
	return html`<article class="pr-review">${title !== undefined && renderHeading(itemLevel, 'pr-title', title)}${
		rating !== undefined && html`<p class="pr-rating">${renderStars(rating, labels, language)}</p>`
	}${renderMeta(review, context)}${renderFlags(review, context)}${
		body !== undefined && html`<p class="pr-body" dir="auto">${body}</p>`
	}${
		recommends !== undefined &&
		html`<p class="pr-recommends" data-recommends="${String(recommends)}">${recommends ? labels.recommends : labels.recommendsNot}</p>`
	}${renderTexts('pr-custom-question', customQuestions)}${renderTexts('pr-tag', tags, labels.tags)}${renderMediaList([review], MOST_MEDIA, context)}${renderVotes(review, context)}</article>`;
}

/**
 * A row of five stars with a text for screen readers. The stylesheet fills it to a tenth of a star, because an inline
 * style would violate a Content Security Policy.
 */
export function renderStars(rating: number, labels: Labels, language: string): Html {
	const fill = starFill(rating);
	const text = fillLabel(labels.stars, { rating: Number(fill) }, language);
	return html`<span class="pr-stars" role="img" aria-label="${text}" data-fill="${fill}"></span>`;
}

/** How far a row of stars is filled, in the form that the stylesheet uses: `'4.3'`. */
export function starFill(rating: number): string {
	return (Math.round(rating * 10) / 10).toFixed(1);
}

function renderMeta(review: Review, { labels, language }: PartContext): Html {
	const { author, date, city, state, country, externalSource: source } = review;
	const place = [...new Set([city, state, country])].filter((part) => part !== undefined).join(', ');
	return html`<p class="pr-meta">${renderAuthor(author, labels)}${
		place !== '' && html` <span class="pr-place" dir="auto">${place}</span>`
	}${renderDate(date, language)}${
		source !== undefined &&
		html` <span class="pr-source" dir="auto">${fillLabel(labels.source, { source }, language)}</span>`
	}</p>`;
}

export function renderAuthor(author: string | undefined, labels: Labels): Html {
	return html`<span class="pr-author" dir="auto">${author ?? labels.anonymous}</span>`;
}

export function renderDate(date: string | undefined, language: string): Html | undefined {
	if (date === undefined) return undefined;
	return html` <time class="pr-date" datetime="${date}">${formatDate(date, language)}</time>`;
}

const FLAGS = ['pinned', 'verified', 'testimonial'] as const;

function renderFlags(review: Review, { labels }: PartContext): Html | undefined {
	const flags = FLAGS.filter((flag) => review[flag]);
	if (flags.length === 0) return undefined;
	return html`<ul class="pr-flags" role="list">${flags.map((flag) => html`<li class="pr-flag" data-flag="${flag}">${labels[flag]}</li>`)}</ul>`;
}

function renderVotes(review: Review, { labels, language }: PartContext): Html | undefined {
	const { helpfulCount: helpful = 0, unhelpfulCount: unhelpful = 0 } = review;
	if (helpful <= 0 && unhelpful <= 0) return undefined;
	return html`<p class="pr-helpful">${
		helpful > 0 &&
		html`<span class="pr-vote">${fillLabel(labels.helpful, { count: helpful }, language)}</span>`
	}${helpful > 0 && unhelpful > 0 && ' '}${
		unhelpful > 0 &&
		html`<span class="pr-vote">${fillLabel(labels.unhelpful, { count: unhelpful }, language)}</span>`
	}</p>`;
}

function renderTexts(itemClass: string, texts: readonly string[] = [], name?: string): Html | undefined {
	if (texts.length === 0) return undefined;
	const label = name !== undefined && html` aria-label="${name}"`;
	return html`<ul class="${itemClass}s" role="list"${label}>${texts.map((text) => html`<li class="${itemClass}" dir="auto">${text}</li>`)}</ul>`;
}

/** Props of `<ReviewMedia>`. */
export type ReviewMediaProps = PlacedProps<MediaProps>;

export interface MediaProps extends PartProps {
	/** Maximum number of images and videos. @default 24 */
	limit?: number | undefined;
}

export const reviewMedia: Component<'review-data'> = {
	from: 'review-data',
	write(data, props: MediaProps, options) {
		const context = readPart(props, options, 'pr-review-media', ['limit'], 'media');
		const { labels, language } = context;
		const captionOf = ({ author, rating, title, body }: Review): Html =>
			html`${rating !== undefined && renderStars(rating, labels, language)} ${renderAuthor(author, labels)}${
				(title ?? body) !== undefined && html`<span class="pr-media-text" dir="auto">${title ?? body}</span>`
			}`;
		const most = readCount('`limit`', props.limit ?? 24);
		const list = renderMediaList(data?.media ?? [], most, context, captionOf);
		return { html: list ? renderRoot(context, list).toString() : '', facts: [] };
	},
};

/** Images and videos as a list; `undefined` if there are none. @param captionOf the caption below the large view. */
function renderMediaList(
	owners: readonly Review[],
	most: number,
	{ labels, language }: PartContext,
	captionOf?: (owner: Review) => Html,
): Html | undefined {
	const items: Html[] = [];
	for (const owner of owners) {
		const { author = labels.anonymous, images = [], videos = [] } = owner;
		const caption = captionOf?.(owner);
		for (const url of images) {
			items.push(renderImage(url, fillLabel(labels.photo, { author }, language), caption));
		}
		for (const url of videos) {
			items.push(renderVideo(url, fillLabel(labels.video, { author }, language), caption));
		}
		if (items.length >= most) break;
	}
	const shown = items.slice(0, most);
	if (shown.length === 0) return undefined;
	return html`<ul class="pr-media" role="list">${shown.map((item) => html`<li class="pr-media-entry">${item}</li>`)}</ul>`;
}

/**
 * An image that opens large over the page, and closes with the same key or a click anywhere. It is a `<details>`, which
 * needs neither a script nor an id. The space of the thumbnail is reserved before it loads.
 * @param text alternative text.
 */
function renderImage(url: string, text: string, caption?: Html): Html {
	return renderOpening(
		html`<img class="pr-media-image" src="${url}" alt="${text}" width="160" height="160" loading="lazy" decoding="async" referrerpolicy="no-referrer">`,
		html`<img class="pr-media-large" src="${url}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`,
		caption,
	);
}

/** A video that opens large. Nothing is loaded before it is played. */
function renderVideo(url: string, text: string, caption?: Html): Html {
	return renderOpening(
		html`<span class="pr-media-video" role="img" aria-label="${text}"></span>`,
		html`<video class="pr-media-large pr-media-player" src="${url}" aria-label="${text}" controls playsinline preload="none"></video>`,
		caption,
	);
}

function renderOpening(thumbnail: Html, large: Html, caption: Html | undefined): Html {
	return html`<details class="pr-media-item"><summary class="pr-media-thumbnail">${thumbnail}</summary><figure class="pr-media-view">${large}${
		caption !== undefined && html`<figcaption class="pr-media-caption">${caption}</figcaption>`
	}</figure></details>`;
}
