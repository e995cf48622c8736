import type { Product, Review } from '../records.js';
import { atOrigin } from './media-paths.js';

/** A product with an absolute picture URL. */
export function productWithOrigin(product: Product, origin: string): Product {
	return { ...product, imageUrl: atOrigin(product.imageUrl, origin) };
}

/** A review with absolute URLs of its pictures and videos. */
export function reviewWithOrigin(review: Review, origin: string): Review {
	const resolve = (addresses: readonly string[]) => addresses.map((address) => atOrigin(address, origin));
	const { details } = review;
	return {
		...review,
		details: { ...details, images: resolve(details.images), videos: resolve(details.videos) },
	};
}
