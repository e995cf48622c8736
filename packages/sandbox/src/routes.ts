import { products, type ReviewFilter, tokens } from './database/database.js';
import {
	InvalidInputError,
	type NewProduct,
	type NewQuestion,
	type NewReview,
	NotFoundError,
	type ReviewChanges,
} from './editing/input.js';
import type { FaultRule } from './faults/faults.js';
import { mediaRoutes } from './media/media-routes.js';
import { crawlerReviews, productReviewData, starRating } from './operations/operations.js';
import { pageRoutes } from './page/page-routes.js';
import { answer, type Call, type Route, readJson } from './server/http.js';
import type { RequestRecords } from './server/requests.js';
import type { NewWebhook, Webhook } from './webhooks/webhooks.js';

const FAULTS = '/__sandbox/faults';

const REQUESTS = '/__requests';

/** The sandbox's own routes for tokens, faults and recorded requests. */
const controlRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: '/__sandbox/tokens',
		handle: ({ service }) => {
			const token = tokens.generate(service.database, new Date(service.now()).toISOString());
			return answer.json(201, { token });
		},
	},
	{
		method: 'GET',
		path: FAULTS,
		handle: ({ service }) => answer.json(200, { faults: service.faults.list() }),
	},
	{
		method: 'POST',
		path: FAULTS,
		handle: (call) => {
			call.service.faults.add(readJson(call) as FaultRule);
			return answer.json(201, { faults: call.service.faults.list() });
		},
	},
	{
		method: 'DELETE',
		path: FAULTS,
		handle: ({ service }) => {
			service.faults.clear();
			return answer.empty(204);
		},
	},
	{
		method: 'GET',
		path: REQUESTS,
		handle: ({ service }) => answer.json(200, counts(service.requests)),
	},
	{
		method: 'DELETE',
		path: REQUESTS,
		handle: ({ service }) => {
			service.requests.reset();
			return answer.empty(204);
		},
	},
];

function counts(requests: RequestRecords) {
	const all = requests.all;
	return {
		total: all.length,
		byOperation: tally(all.map(({ operation }) => operation)),
		byStatus: tally(all.map(({ status }) => String(status ?? 'none'))),
		byPid: tally(all.flatMap(({ pids }) => pids)),
		inFlight: requests.inFlight,
		maxInFlight: requests.maxInFlight,
		inFlightTimes: requests.inFlightTimes,
	};
}

function tally(names: readonly string[]): Record<string, number> {
	const result = new Map<string, number>();
	for (const name of names) result.set(name, (result.get(name) ?? 0) + 1);
	return Object.fromEntries(result);
}

const PRODUCT = '/__sandbox/products/:pid';

/** The sandbox's own product routes: the service's documentation mentions these operations without describing them. */
const productRoutes: readonly Route[] = [
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

const REVIEW = '/__sandbox/reviews/:id';

/** The sandbox's own review routes: the service's documentation mentions these operations without describing them. */
const reviewRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/__sandbox/reviews',
		handle: (call) => answer.json(200, { reviews: call.service.store.listReviews(filterOf(call)) }),
	},
	{
		method: 'PATCH',
		path: REVIEW,
		handle: (call) =>
			answer.json(200, call.service.store.editReview(idOf(call), readJson(call) as ReviewChanges)),
	},
	{
		method: 'POST',
		path: `${REVIEW}/publish`,
		handle: (call) => answer.json(200, call.service.store.publish(idOf(call))),
	},
	{
		method: 'POST',
		path: `${REVIEW}/unpublish`,
		handle: (call) => answer.json(200, call.service.store.unpublish(idOf(call))),
	},
	{
		method: 'DELETE',
		path: REVIEW,
		handle: (call) => {
			call.service.store.deleteReview(idOf(call));
			return answer.empty(204);
		},
	},
];

function idOf({ params }: Call): string {
	return params.id ?? '';
}

function filterOf({ query }: Call): ReviewFilter {
	const pid = query.get('pid');
	const status = query.get('status');
	if (status !== null && status !== 'published' && status !== 'unpublished') {
		throw new InvalidInputError('status: must be "published" or "unpublished"');
	}
	return { ...(pid === null ? {} : { pid }), ...(status === null ? {} : { status }) };
}

const WEBHOOKS = '/__sandbox/webhooks';

/** The sandbox's own routes to register webhooks and inspect deliveries. */
const webhookRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: WEBHOOKS,
		handle: ({ service }) => answer.json(200, { webhooks: service.webhooks.list().map(withoutSecret) }),
	},
	{
		method: 'POST',
		path: WEBHOOKS,
		// The only response with the secret: whoever registers a URL needs it.
		handle: (call) => answer.json(201, call.service.webhooks.add(readJson(call) as NewWebhook)),
	},
	{
		method: 'DELETE',
		path: WEBHOOKS,
		handle: ({ service }) => {
			for (const { id } of service.webhooks.list()) service.webhooks.remove(id);
			return answer.empty(204);
		},
	},
	{
		method: 'GET',
		path: `${WEBHOOKS}/deliveries`,
		handle: ({ service }) => answer.json(200, { deliveries: service.webhooks.deliveries }),
	},
	{
		method: 'DELETE',
		path: `${WEBHOOKS}/:id`,
		handle: ({ service, params }) => {
			service.webhooks.remove(params.id ?? '');
			return answer.empty(204);
		},
	},
];

function withoutSecret({ secret: _, ...shown }: Webhook): Omit<Webhook, 'secret'> {
	return shown;
}

/** All routes: the three documented operations, then the sandbox's own. */
export const routes: readonly Route[] = [
	starRating,
	productReviewData,
	crawlerReviews,
	...productRoutes,
	...reviewRoutes,
	...controlRoutes,
	...webhookRoutes,
	...pageRoutes,
	...mediaRoutes,
];
