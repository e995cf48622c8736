import type { Labels, PluralLabel } from '../options/labels.js';
import type { Review } from '../records/record.js';
import type { Component } from './fragment.js';
import { type Html, html } from './html.js';
import { fillLabel, formatDate, formatNumber } from './page-labels.js';
import {
	type PartContext,
	type PartProps,
	type PlacedProps,
	readCount,
	readPart,
	renderHeading,
	renderRoot,
} from './props.js';

const MAX_MEDIA = 10;
const ROW_MEDIA = 8;

/**
 * @param id returns the id of the review on its page, for what it opens.
 * @param product what it is about, on a page that shows several. @default nothing
 */
export function renderReview(review: Review, context: PartContext, id: () => string, product?: Html): Html {
	const { labels, language, itemLevel } = context;
	const { title, body, customQuestions, tags, incentivized, reply } = review;
	const lang = languageOf(review, language);
	return html`<article class="pr-review">${title !== undefined && renderHeading(itemLevel, 'pr-title', title, lang)}${renderHead(review, context)}${
		incentivized && html`<p class="pr-incentivized">${labels.incentivized}</p>`
	}${
		body !== undefined && renderBody(body, labels, lang)
	}${renderTexts('pr-custom-question', customQuestions)}${renderTexts('pr-tag', tags, labels.tags)}${renderMediaList([review], MAX_MEDIA, context, id)}${renderMeta(review, context)}${
		reply && renderReply(reply, context)
	}${product}</article>`;
}

/** Writes who says it: stars, author, badges and day. */
function renderHead(review: Review, { labels, language }: PartContext): Html {
	const { rating, author, date } = review;
	const stars = rating !== undefined && html`${renderStars(rating, labels, language)} `;
	const flags = FLAGS.filter((flag) => review[flag]).map(
		(flag) => html` <span class="pr-flag" data-flag="${flag}">${labels[flag]}</span>`,
	);
	return html`<p class="pr-head">${stars}${renderAuthor(author, labels)}${flags}${renderDate(date, language)}</p>`;
}

/** Returns the attribute `lang` for a review in another language than the page, so that it is read aloud as what it is. */
function languageOf({ language }: Review, page: string): Html | undefined {
	return language === undefined || language === page ? undefined : html` lang="${language}"`;
}

function renderReply(
	{ text, author, date }: NonNullable<Review['reply']>,
	{ labels, language }: PartContext,
): Html {
	return html`<div class="pr-reply"><p class="pr-reply-head"><span class="pr-reply-label">${labels.reply}</span>${
		author !== undefined && html` ${renderAuthor(author, labels)}`
	}${renderDate(date, language)}</p><p class="pr-body" dir="auto">${text}</p></div>`;
}

/** In characters, on a wide page. */
const LINE = 75;
const MAX_LINES = 9;

/** Writes a text. A long text is shortened by the stylesheet until the reader checks the box. */
function renderBody(body: string, labels: Labels, lang: Html | undefined): Html {
	const lines = body.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE)), 0);
	const toggle = lines > MAX_LINES && renderToggle('pr-expand', html`${labels.readMore}`);
	return html`<p class="pr-body" dir="auto"${lang}>${body}</p>${toggle}`;
}

/** Writes a box that the stylesheet reads. Like a choice of the filter, the box is invisible and covers its label. */
function renderToggle(className: string, content: Html): Html {
	return html`<label class="${className}">${content} <input class="pr-toggle" type="checkbox"></label>`;
}

/** Writes a row of five stars with a text for screen readers. */
export function renderStars(rating: number, labels: Labels, language: string): Html {
	const text = fillLabel(labels.stars, { rating: Math.round(rating * 10) / 10 }, language);
	return drawStars(rating, html` role="img" aria-label="${text}"`);
}

/**
 * Draws five stars, full to a tenth of a star. The stylesheet cuts them out, 1em wide and 0.1em apart; the `<svg>` has their
 * size for pages without the stylesheet. The width is an attribute, because an inline style would violate a Content Security
 * Policy. A tenth of a star is more than a tenth of its width, which would be no more than the tip.
 */
export function drawStars(rating: number, attributes: Html): Html {
	const rounded = Math.round(rating * 10);
	const tenths = rounded % 10;
	const width = percent((Math.floor(rounded / 10) * 1.1 + (tenths > 0 ? 0.25 + tenths * 0.05 : 0)) / 5.4);
	return html`<svg class="pr-stars" width="5.4em" height="1em"${attributes}><rect width="${width}"/></svg>`;
}

/** Writes a share of 0 to 1 as a length. */
export function percent(share: number): string {
	return `${Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10}%`;
}

/** Writes a number of stars, as a digit and a star. */
export function renderStarCount(stars: number, { labels, language }: PartContext): Html {
	const text = fillLabel(labels.starCount, { count: stars }, language);
	return html`<span class="pr-star-count" role="img" aria-label="${text}">${formatNumber(stars, language)}</span>`;
}

/**
 * Writes one line with what else is known; `undefined` if that is nothing. A place is a city and a country, not an address. That
 * somebody recommends the product is what its stars say.
 */
function renderMeta(review: Review, { labels, language }: PartContext): Html | undefined {
	const { city, state, country, externalSource: source, recommends, variant } = review;
	const { helpfulCount: helpful = 0, unhelpfulCount: unhelpful = 0 } = review;
	const place = [...new Set([city ?? state, country])].filter((part) => part !== undefined).join(', ');
	const vote = (label: PluralLabel, count: number) =>
		count > 0 && html`<span class="pr-vote">${fillLabel(label, { count }, language)}</span>`;
	const parts = [
		variant !== undefined &&
			html`<span class="pr-variant"><bdi>${fillLabel(labels.variant, { variant }, language)}</bdi></span>`,
		place !== '' && html`<span class="pr-place"><bdi>${place}</bdi></span>`,
		source !== undefined &&
			html`<span class="pr-source"><bdi>${fillLabel(labels.source, { source }, language)}</bdi></span>`,
		recommends === false && html`<span class="pr-recommends">${labels.recommendsNot}</span>`,
		vote(labels.helpful, helpful),
		vote(labels.unhelpful, unhelpful),
	].filter((part) => part !== false);
	if (parts.length === 0) return undefined;
	return html`<p class="pr-meta">${parts.map((part, index) => (index === 0 ? part : html` ${part}`))}</p>`;
}

const FLAGS = ['verified', 'pinned', 'testimonial'] as const;

export function renderAuthor(author: string | undefined, labels: Labels): Html {
	return html`<span class="pr-author"><bdi>${author ?? labels.anonymous}</bdi></span>`;
}

export function renderDate(date: string | undefined, language: string): Html | undefined {
	if (date === undefined) return undefined;
	return html` <time class="pr-date" datetime="${date}">${formatDate(date, language)}</time>`;
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
		const captionOf = (review: Review): Html => {
			const { author, rating, title, body } = review;
			return html`${rating !== undefined && renderStars(rating, labels, language)} ${renderAuthor(author, labels)}${
				(title ?? body) !== undefined &&
				html`<span class="pr-media-text" dir="auto"${languageOf(review, language)}>${title ?? body}</span>`
			}`;
		};
		const most = readCount('`limit`', props.limit ?? 24);
		const list = renderMediaList(data?.media ?? [], most, context, () => `${context.id()}m`, captionOf);
		return { html: list ? renderRoot(context, list).toString() : '', facts: [] };
	},
};

/**
 * Writes images and videos as a list; `undefined` if there are none.
 * @param idOf returns the id of the list on its page.
 * @param captionOf the caption below the large view, which then has buttons to the ones before and after it.
 */
function renderMediaList(
	owners: readonly Review[],
	most: number,
	{ labels, language }: PartContext,
	idOf: () => string,
	captionOf?: (owner: Review) => Html,
): Html | undefined {
	const items: MediaItem[] = [];
	for (const owner of owners) {
		const { author = labels.anonymous, images = [], videos = [], thumbnails = {} } = owner;
		const caption = captionOf?.(owner);
		for (const url of images) {
			const text = fillLabel(labels.photo, { author }, language);
			items.push({ ...renderImage(url, thumbnails[url] ?? url, text), caption });
		}
		for (const url of videos) {
			const hasFrame = captionOf !== undefined && items.length < ROW_MEDIA;
			const text = fillLabel(labels.video, { author }, language);
			items.push({ ...renderVideo(url, text, hasFrame), caption });
		}
		if (items.length >= most) break;
	}
	const shown = items.slice(0, most);
	if (shown.length === 0) return undefined;
	const others = shown.length - ROW_MEDIA;
	const more = fillLabel(labels.moreMedia, { count: others }, language);
	const toggle = html`<span role="img" aria-label="${more}">+${others}</span>`;
	const last = captionOf ? shown.length - 1 : undefined;
	const id = idOf();
	return html`<ul class="pr-media" role="list">${shown.map(
		(item, index) => html`<li>${renderOpening(item, id, index, last, labels)}</li>`,
	)}${
		// One more fits in the place of the toggle.
		others > 1 && html`<li class="pr-media-rest">${renderToggle('pr-media-more', toggle)}</li>`
	}</ul>`;
}

interface MediaItem {
	readonly thumbnail: Html;
	readonly large: Html;
	readonly caption: Html | undefined;
}

/** Writes an image. The space of the thumbnail is reserved before it loads. @param text alternative text. */
function renderImage(url: string, thumbnail: string, text: string) {
	return {
		thumbnail: html`<img src="${thumbnail}" alt="${text}" width="160" height="160" loading="lazy" referrerpolicy="no-referrer">`,
		large: html`<img src="${url}" alt="${text}" loading="lazy" referrerpolicy="no-referrer">`,
	};
}

/**
 * Writes a video. Browsers cannot load a first frame lazily, so only the row of a gallery has frames, and nothing of other
 * videos is loaded before they are played.
 */
function renderVideo(url: string, text: string, hasFrame: boolean) {
	const frame = html`<video src="${url.split('#', 1)[0]}#t=0.1" preload="metadata" muted playsinline aria-hidden="true"></video>`;
	return {
		thumbnail: html`<span class="pr-media-video" role="img" aria-label="${text}">${hasFrame && frame}</span>`,
		large: html`<video src="${url}" aria-label="${text}" controls playsinline preload="none"></video>`,
	};
}

/**
 * Writes a thumbnail that opens large over the page: a popover, which is above everything, closes with Escape and with a click
 * beside it, and needs no script.
 * @param last index of the last one that buttons lead to. @default there are no such buttons
 */
function renderOpening(
	{ thumbnail, large, caption }: MediaItem,
	list: string,
	index: number,
	last: number | undefined,
	labels: Labels,
): Html {
	const id = `${list}${index}`;
	const previous =
		last !== undefined && index > 0 && renderStep('previous', id, `${list}${index - 1}`, labels);
	const next = last !== undefined && index < last && renderStep('next', id, `${list}${index + 1}`, labels);
	return html`<button class="pr-media-thumbnail" type="button" popovertarget="${id}">${thumbnail}</button><div id="${id}" popover>${large}${
		caption !== undefined && html`<div class="pr-media-caption">${caption}</div>`
	}${previous}${next}<button type="button" popovertarget="${id}" autofocus aria-label="${labels.close}"></button></div>`;
}

/**
 * Writes the buttons to a neighbour. A popover that is opened from another lies on top of it, so one button opens the neighbour,
 * and one closes its own popover, for where the neighbour lies below. The stylesheet shows the one that applies.
 */
function renderStep(step: 'previous' | 'next', own: string, neighbour: string, labels: Labels): Html {
	const label = step === 'next' ? labels.nextMedia : labels.previousMedia;
	const button = (target: string, action: 'show' | 'hide') =>
		html`<button class="pr-media-step" data-step="${step}" type="button" popovertarget="${target}" popovertargetaction="${action}" aria-label="${label}"></button>`;
	return html`${button(neighbour, 'show')}${button(own, 'hide')}`;
}
