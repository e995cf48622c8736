import type { ReviewData, ReviewMediaItem } from '../../parse/record.js';
import type { ProductId } from '../../text/product-id.js';
import type { Component } from '../component.js';
import { type Html, html } from '../html.js';
import { renderStars } from '../parts.js';
import type { RenderOptions } from '../render-options.js';
import {
	dataComponent,
	type PartProps,
	partContext,
	type RootAttributes,
	readCount,
	renderMediaList,
} from './parts.js';

/** Props of `<ReviewMedia>`. Others, such as `class`, go to its root element. */
export type ReviewMediaProps = {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
} & MediaProps &
	Record<string, unknown>;

export interface MediaProps extends PartProps {
	/** Maximum number of images and videos. @default 24 */
	limit?: number | undefined;
}

/** The html of `<ReviewMedia>` on one line; empty for a product without images and videos. */
export function renderReviewMedia(
	data: ReviewData | undefined,
	{ limit, ...props }: MediaProps & RootAttributes,
	options: RenderOptions,
): string {
	const context = partContext(props, options, 'review-media', 'media');
	const { labels, language } = context;
	const captionOf = ({ author, rating, title, body }: ReviewMediaItem): Html =>
		html`${rating !== undefined && renderStars(rating, labels, language)} <span class="review-author" dir="auto">${author ?? labels.anonymous}</span>${
			(title ?? body) !== undefined &&
			html`<span class="review-media-text" dir="auto">${title ?? body}</span>`
		}`;
	const list = renderMediaList(data?.media ?? [], readCount('limit', limit ?? 24), context, captionOf);
	return list ? context.wrap(list).toString() : '';
}

/** `<ReviewMedia>` */
export const reviewMedia: Component<'review-data'> = dataComponent((data, props, options) => ({
	html: renderReviewMedia(data, props, options),
	facts: [],
}));
