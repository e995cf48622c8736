import { labelsFor } from '../labels/labels-for.js';
import type { AggregateRating } from '../parse/record.js';
import type { ProductId } from '../text/product-id.js';
import type { Component } from './component.js';
import { fillLabel } from './fill-label.js';
import { attributes, html } from './html.js';
import { renderStars } from './parts.js';
import type { RenderOptions } from './render-options.js';

/** Props of `<StarRating>`. Others, such as `class`, go to its root element. */
export type StarRatingProps = {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
} & LanguageProps &
	Record<string, unknown>;

interface LanguageProps {
	/** BCP 47 tag of the page's language, for numbers. @default the locale of the page, or else 'en' */
	lang?: string | undefined;
}

/** The html of `<StarRating>` on one line; empty for a product without ratings. */
function renderStarRating(
	aggregate: AggregateRating | undefined,
	props: LanguageProps & Readonly<Record<string, unknown>>,
	options: RenderOptions,
): string {
	if (!aggregate) return '';
	const { class: added, lang: given, ...others } = props;
	const lang = given ?? options.language;
	const labels = labelsFor(options.labels, lang);
	const root = attributes({ class: ['star-rating', added].filter(Boolean).join(' '), ...others });
	const stars = renderStars(aggregate.average, labels, lang);
	const count = fillLabel(labels.count, { count: aggregate.count }, lang);
	const value = fillLabel('{average}', { average: aggregate.average }, lang);
	return html`<span${root}>${stars} <span class="star-rating-value" aria-hidden="true">${value}</span> <span class="star-rating-count">${count}</span></span>`.toString();
}

/** `<StarRating>` */
export const starRating: Component<'rating'> = {
	from: 'rating',
	write(rating, { props, language = 'en' }, site) {
		const html = renderStarRating(rating?.aggregate, props, { ...site, language });
		if (!rating?.aggregate) return { html, facts: [] };
		return { html, facts: [{ component: 'StarRating', count: rating.aggregate.count }] };
	},
};
