import { formAuthors } from '../base/people.js';
import type { ProductReviews } from '../records/record.js';
import { idOfRequest } from './address.js';
import type { Component, Fragment, FragmentRequest, FragmentSettings, StoredData } from './fragment.js';
import { Html, html } from './html.js';
import { markdown } from './markdown.js';
import { latestReviews } from './render-latest-reviews.js';
import { productReviews } from './render-product-reviews.js';
import { productQuestions } from './render-questions.js';
import { reviewMedia } from './render-review.js';
import { reviewList } from './render-review-list.js';
import { reviewSchema } from './render-review-schema.js';
import { reviewSection } from './render-section.js';
import { ratingSummary, reviewTopics, starRating } from './render-summary.js';

/** Every component that writes a fragment, by its name in Astro, and what stands in files with Markdown. Add new components here. */
const COMPONENTS = {
	ProductReviews: productReviews,
	ReviewSchema: reviewSchema,
	StarRating: starRating,
	RatingSummary: ratingSummary,
	ReviewList: reviewList,
	LatestReviews: latestReviews,
	ReviewMedia: reviewMedia,
	ReviewSection: reviewSection,
	ReviewTopics: reviewTopics,
	ProductQuestions: productQuestions,
	Markdown: markdown,
};

/** Returns the names of the components that are written from this data. */
export function componentsFrom(from: keyof StoredData): string[] {
	return Object.entries(COMPONENTS).flatMap(([name, component]) => (component.from === from ? name : []));
}

/** Finds the component of a request. @throws TypeError if there is no such component. */
export function componentOf({ component }: FragmentRequest): Component {
	if (Object.hasOwn(COMPONENTS, component))
		return COMPONENTS[component as keyof typeof COMPONENTS] as unknown as Component;
	throw new TypeError(`There is no component <${component}>.`);
}

/**
 * Writes a fragment: a pure function of what is stored about a product, the request and the site's settings.
 * @param stored `undefined` if nothing is known about the product.
 * @throws TypeError for an invalid prop.
 */
export function writeFragment(
	pid: string,
	stored: StoredData[keyof StoredData] | undefined,
	request: FragmentRequest,
	{ authorNames, writeReviewUrl: template, ...settings }: FragmentSettings,
): Fragment {
	const { props: given, language = 'en', address, problems } = request;
	const { [FALLBACK]: fallback, ...props } = given;
	const data = withAuthors(stored, authorNames);
	// The page says itself what to do where there are no reviews.
	const isReplaced = fallback !== undefined && data !== undefined && !hasReviews(data);
	const writeReviewUrl = isReplaced
		? undefined
		: template?.replaceAll('{pid}', () => encodeURIComponent(pid.toWellFormed()));
	const fragment = componentOf(request).write(data as never, props, {
		...settings,
		language,
		address,
		problems,
		writeReviewUrl,
		id: () => idOfRequest(pid, request),
	});
	if (fallback === undefined || data === undefined || fragment.html !== '' || fragment.parts) return fragment;
	// Stars may stand in a line of text.
	const tag = new Html(request.component === 'StarRating' ? 'span' : 'div');
	return {
		...fragment,
		html: html`<${tag} class="pr-fallback">${new Html(String(fallback))}</${tag}>`.toString(),
	};
}

/** The prop with the html of the slot of that name: what a page shows while a component has nothing to show. */
export const FALLBACK = 'fallback';

/** Shortens the names of authors as the site wants them. */
function withAuthors(
	stored: StoredData[keyof StoredData] | undefined,
	form: FragmentSettings['authorNames'],
) {
	if (stored === undefined) return undefined;
	if ('reviews' in stored) return formAuthors(stored, form);
	if (!('products' in stored)) return stored;
	const products = stored.products.map((product) => ({
		...product,
		read() {
			const record = product.read();
			return record && formAuthors(record, form);
		},
	}));
	return { products };
}

function hasReviews(data: NonNullable<ReturnType<typeof withAuthors>>): boolean {
	if ('products' in data) return data.products.length > 0;
	const { aggregate, reviews = [] } = data as Partial<ProductReviews>;
	return aggregate !== undefined || reviews.length > 0;
}
