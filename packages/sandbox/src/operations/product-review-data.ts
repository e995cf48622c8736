import { OPERATIONS } from 'product-reviews-client/contract';
import { z } from 'zod';
import { products } from '../database/products.js';
import { questions } from '../database/questions.js';
import { ratingSummary } from '../database/rating-summary.js';
import { reviews } from '../database/reviews.js';
import { atOrigin } from '../media/media-paths.js';
import type { Product, Review } from '../records.js';
import { answer } from '../server/answer.js';
import { authorize } from '../server/authorize.js';
import { HttpError } from '../server/http-error.js';
import { parseJson } from '../server/parse-json.js';
import { readJson } from '../server/read-json.js';
import type { Route } from '../server/route.js';
import { wireProductReviewData } from '../wire/product-review-data.js';

const requestBody = z.object({ productId: z.string().min(1) });

/** Operation 2: the published reviews of one product, their counts, media, questions and answers. */
export const productReviewData: Route = {
	...OPERATIONS.productReviewData,
	operation: 'productReviewData',
	pidsOf: ({ body }) => {
		const pid = requestBody.safeParse(parseJson(body)).data?.productId;
		return pid === undefined ? [] : [pid];
	},
	handle: (call) => {
		const { database, facts } = call.service;
		authorize(call.headers.authorization, call.service);
		const body = requestBody.safeParse(readJson(call));
		if (!body.success) throw new HttpError(400, 'The body must be {"productId": string}.');
		const { productId: pid } = body.data;
		const product = products.find(database, pid);
		if (!product) throw new HttpError(404, 'There is no product with this productId.');
		const published = reviews.list(database, { pid, status: 'published' });
		const data = wireProductReviewData(
			{
				product: productWithOrigin(product, call.origin),
				reviews: published.map((review) => reviewWithOrigin(review, call.origin)),
				summary: ratingSummary(database, pid),
				questions: questions.list(database, pid),
				nameOf: (other) => products.find(database, other)?.name ?? '',
			},
			facts,
		);
		return answer.json(200, data, { 'last-modified': new Date(product.changedAt).toUTCString() });
	},
};

/** A product with an absolute picture URL. */
function productWithOrigin(product: Product, origin: string): Product {
	return { ...product, imageUrl: atOrigin(product.imageUrl, origin) };
}

/** A review with absolute URLs of its pictures and videos. */
function reviewWithOrigin(review: Review, origin: string): Review {
	const resolve = (addresses: readonly string[]) => addresses.map((address) => atOrigin(address, origin));
	const { details } = review;
	return {
		...review,
		details: { ...details, images: resolve(details.images), videos: resolve(details.videos) },
	};
}
