import type { FullReview } from '../../parse/review-data.js';
import { fillLabel, formatDate } from '../fill-label.js';
import { renderHeading } from '../heading.js';
import { type Html, html } from '../html.js';
import { renderStars } from '../stars.js';
import { renderMediaList } from './media-list.js';
import type { PartContext } from './part-context.js';

/** Maximum number of images and videos per review. */
const MOST_MEDIA = 10;

/** One review, with everything that is known about it. */
export function renderFullReview(review: FullReview, context: PartContext): Html {
	const { labels, language } = context;
	const { rating, title, body, customQuestions, tags, recommends } = review;
	return html`<article class="review-item">${title !== undefined && renderHeading(context.itemLevel, 'review-title', title)}${
		rating !== undefined && html`<p class="review-rating">${renderStars(rating, labels, language)}</p>`
	}${renderMeta(review, context)}${renderFlags(review, context)}${
		body !== undefined && html`<p class="review-body" dir="auto">${body}</p>`
	}${
		recommends !== undefined &&
		html`<p class="review-recommends" data-recommends="${String(recommends)}">${recommends ? labels.recommends : labels.recommendsNot}</p>`
	}${list('review-question', customQuestions)}${list('review-tag', tags, labels.tags)}${renderMediaList([review], MOST_MEDIA, context)}${renderVotes(review, context)}</article>`;
}

function renderMeta(review: FullReview, { labels, language }: PartContext): Html {
	const { author, date, city, state, country, externalSource: source } = review;
	const place = [...new Set([city, state, country])].filter((part) => part !== undefined).join(', ');
	return html`<p class="review-meta"><span class="review-author" dir="auto">${author ?? labels.anonymous}</span>${
		place !== '' && html` <span class="review-place" dir="auto">${place}</span>`
	}${date !== undefined && html` <time class="review-date" datetime="${date}">${formatDate(date, language)}</time>`}${
		source !== undefined &&
		html` <span class="review-source" dir="auto">${fillLabel(labels.source, { source }, language)}</span>`
	}</p>`;
}

const FLAGS = ['pinned', 'verified', 'testimonial'] as const;

function renderFlags(review: FullReview, { labels }: PartContext): Html | undefined {
	const flags = FLAGS.filter((flag) => review[flag]);
	if (flags.length === 0) return undefined;
	return html`<ul class="review-flags" role="list">${flags.map((flag) => html`<li class="review-flag" data-flag="${flag}">${labels[flag]}</li>`)}</ul>`;
}

function renderVotes({ helpfulCount, unhelpfulCount }: FullReview, context: PartContext): Html | undefined {
	const { labels, language } = context;
	const votes = [
		helpfulCount > 0 && fillLabel(labels.helpful, { count: helpfulCount }, language),
		unhelpfulCount > 0 && fillLabel(labels.unhelpful, { count: unhelpfulCount }, language),
	].filter((text) => text !== false);
	if (votes.length === 0) return undefined;
	return html`<p class="review-helpful">${votes.map((text, index) => html`${index > 0 && ' '}<span class="review-vote">${text}</span>`)}</p>`;
}

/** A list of texts. Its class is the plural of theirs. */
function list(itemClass: string, texts: readonly string[], name?: string): Html | undefined {
	if (texts.length === 0) return undefined;
	const label = name !== undefined && html` aria-label="${name}"`;
	return html`<ul class="${itemClass}s" role="list"${label}>${texts.map((text) => html`<li class="${itemClass}" dir="auto">${text}</li>`)}</ul>`;
}
