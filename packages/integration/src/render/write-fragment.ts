import { formAuthors } from '../text/author.js';
import type { Component, Piece, StoredData } from './component.js';
import type { Fragment, FragmentRequest, FragmentSettings } from './fragment.js';
import { productReviews } from './render-product-reviews.js';
import { productQuestions } from './render-questions.js';
import { reviewMedia } from './render-review.js';
import { reviewList } from './render-review-list.js';
import { reviewSchema } from './render-review-schema.js';
import { reviewSection } from './render-section.js';
import { ratingSummary, reviewTopics, starRating } from './render-summary.js';

/** Every component that writes a fragment, by its name in Astro. Add new components here. */
const COMPONENTS = {
	ProductReviews: productReviews,
	ReviewSchema: reviewSchema,
	StarRating: starRating,
	RatingSummary: ratingSummary,
	ReviewList: reviewList,
	ReviewMedia: reviewMedia,
	ReviewSection: reviewSection,
	ReviewTopics: reviewTopics,
	ProductQuestions: productQuestions,
};

/** The component of a request. @throws TypeError if there is no such component. */
export function componentOf({ component }: FragmentRequest): Component {
	if (Object.hasOwn(COMPONENTS, component))
		return COMPONENTS[component as keyof typeof COMPONENTS] as unknown as Component;
	throw new TypeError(`There is no component <${component}>.`);
}

/** The part of a request that determines its {@link Piece}. */
export function sharedRequest(request: FragmentRequest): FragmentRequest {
	return componentOf(request).shared?.(request) ?? request;
}

/** Writes the piece of a request. @throws TypeError for an invalid prop. */
export function writePiece(
	stored: StoredData[keyof StoredData] | undefined,
	request: FragmentRequest,
	{ author, ...settings }: FragmentSettings,
): Piece {
	const data = stored && 'reviews' in stored ? formAuthors(stored, author) : stored;
	const { props, language = 'en' } = sharedRequest(request);
	return componentOf(request).write(data as never, props, { ...settings, language });
}

/** Makes the fragment of one page from the piece of its request. */
export function finishFragment(piece: Piece, request: FragmentRequest): Fragment {
	return componentOf(request).finish?.(piece, request) ?? piece;
}

/**
 * Writes a fragment: a pure function of what is stored about a product, the request and the site's settings.
 * @param stored `undefined` if nothing is known about the product.
 * @throws TypeError for an invalid prop.
 */
export function writeFragment(
	stored: StoredData[keyof StoredData] | undefined,
	request: FragmentRequest,
	settings: FragmentSettings,
): Fragment {
	return finishFragment(writePiece(stored, request, settings), request);
}
