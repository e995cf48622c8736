import { products } from '../database/products.js';
import { answer } from '../server/answer.js';
import { readJson } from '../server/read-json.js';
import type { Call, Route } from '../server/route.js';
import { InvalidInputError, NotFoundError } from './errors.js';
import type { NewProduct, NewQuestion, NewReview } from './input.js';

const PRODUCT = '/__sandbox/products/:pid';

/** The sandbox's own product routes: the service's documentation mentions these operations without describing them. */
export const productRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/__sandbox/products',
		handle: ({ service }) => answer.json(200, { products: service.store.listProducts() }),
	},
	{
		method: 'PUT',
		path: PRODUCT,
		handle: (call) => {
			const isNew = !products.find(call.service.database, pidOf(call));
			const body = { ...objectOf(readJson(call)), pid: pidOf(call) } as NewProduct;
			return answer.json(isNew ? 201 : 200, call.service.store.addProduct(body));
		},
	},
	{
		method: 'GET',
		path: `${PRODUCT}/reviews`,
		handle: (call) => {
			const pid = pidOf(call);
			if (!products.find(call.service.database, pid))
				throw new NotFoundError(`There is no product "${pid}".`);
			return answer.json(200, { reviews: call.service.store.listReviews({ pid }) });
		},
	},
	{
		method: 'POST',
		path: `${PRODUCT}/reviews`,
		handle: (call) =>
			answer.json(201, call.service.store.createReview(pidOf(call), readJson(call) as NewReview)),
	},
	{
		method: 'POST',
		path: `${PRODUCT}/questions`,
		handle: (call) =>
			answer.json(201, call.service.store.addQuestion(pidOf(call), readJson(call) as NewQuestion)),
	},
];

function pidOf({ params }: Call): string {
	return params.pid ?? '';
}

function objectOf(value: unknown): object {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
	throw new InvalidInputError('value: must be an object');
}
