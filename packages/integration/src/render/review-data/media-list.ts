import type { ReviewMediaItem } from '../../parse/review-data.js';
import { fillLabel } from '../fill-label.js';
import { type Html, html } from '../html.js';
import type { PartContext } from './part-context.js';

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
