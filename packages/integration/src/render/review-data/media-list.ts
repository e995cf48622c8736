import type { ReviewMediaItem } from '../../parse/review-data.js';
import { fillLabel } from '../fill-label.js';
import { type Html, html } from '../html.js';
import { renderImage, renderVideo } from './media-item.js';
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
