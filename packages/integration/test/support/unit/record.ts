import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProductReviews, Review, StatedReview } from '../../../src/records/record.js';
import type { RenderOptions } from '../../../src/render/props.js';

/** The parts of a review of which nothing is known. */
export const NOTHING = {
	...{ productName: undefined, productUrl: undefined, author: undefined, rating: undefined },
	...{ title: undefined, body: undefined, date: undefined },
};

/** A review of which everything is known, but for what is given. */
export function displayed(parts: Partial<Review> = {}): Review {
	return {
		productName: 'Kettle',
		productUrl: 'https://shop.example/products/p-1',
		author: 'Ada',
		rating: 5,
		title: 'Good',
		body: 'Boils fast.',
		date: '2026-11-20',
		...parts,
	};
}

export function stated(parts: Partial<StatedReview> = {}): StatedReview {
	return {
		...{ author: 'Ada', rating: 5, publisher: 'Shop', body: 'Boils fast.', date: '2026-11-20' },
		...{ editedDate: undefined, language: undefined },
		...parts,
	};
}

/** The record of a product with one review, but for what is given. */
export function record(parts: Partial<ProductReviews> = {}): ProductReviews {
	return {
		pid: 'p-1',
		aggregate: { count: 2, average: 4.5 },
		heading: 'Customer Reviews',
		blockId: 'b-17',
		handle: 'reviews-block',
		reviews: [displayed()],
		schema: { name: 'Kettle', url: 'https://shop.example/products/p-1', reviews: [stated()] },
		...parts,
	};
}

/** What a site decides for all components, but for what is given. */
export function renderOptions(parts: Partial<RenderOptions> = {}): RenderOptions {
	return { display: 'hidden', labels: parseOptions({}).labels, language: 'en', id: () => '', ...parts };
}
