import { type Html, html } from '../html.js';

/**
 * An image that opens large over the page, and closes with the same key or a click anywhere. It is a `<details>`, which
 * needs neither a script nor an id. The space of the thumbnail is reserved before it loads.
 * @param text alternative text.
 */
export function renderImage(url: string, text: string, caption?: Html): Html {
	return renderOpening(
		html`<img class="review-media-image" src="${url}" alt="${text}" width="160" height="160" loading="lazy" decoding="async" referrerpolicy="no-referrer">`,
		html`<img class="review-media-large" src="${url}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`,
		caption,
	);
}

/** A video that opens large. Nothing is loaded before it is played. */
export function renderVideo(url: string, text: string, caption?: Html): Html {
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
