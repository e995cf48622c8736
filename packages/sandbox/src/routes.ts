import { OPERATIONS } from 'product-reviews-client/contract';
import { z } from 'zod';
import { answer, type Call, HttpError, readJson } from './http.js';
import { mediaRoutes } from './media.js';
import { crawlerReviews, productReviewData, starRating } from './operations.js';
import { pageRoutes } from './page.js';
import { type NewProduct, readInput } from './records.js';
import type { Routes } from './service.js';

const status = z.enum(['published', 'unpublished']);
const reviewFilter = z.object({ pid: z.string().optional(), status: status.optional() });
const expiresIn = z.coerce.number().int().min(1).max(3_650).optional();

/** All routes: the three documented operations, then the sandbox's own, which the documentation does not describe. */
const ROUTES: Routes = {
	...Object.fromEntries(
		[starRating, productReviewData, crawlerReviews].map((route) => {
			const { method, path } = OPERATIONS[route.operation];
			return [`${method} ${path}`, route];
		}),
	),
	// Documented by name only.
	'GET /api/v1/authToken'({ query }, { tokens }) {
		const days = expiresIn.safeParse(query.get('expiresIn') ?? undefined);
		if (!days.success) throw new HttpError(400, 'expiresIn must be a whole number of days, 1 to 3650.');
		const authToken = tokens.mint(query.get('api_key'), days.data);
		if (authToken === undefined) throw new HttpError(401, 'Unknown API key.');
		return answer.json(200, { authToken, message: 'The token was created.', success: true });
	},
	...pageRoutes,
	...mediaRoutes,
	'GET /__sandbox/products': (_, { store }) => answer.json(200, { products: store.listProducts() }),
	'PUT /__sandbox/products/:pid'(call, { database, store }) {
		const { pid } = call.params;
		const isNew = !database.product(pid);
		return answer.json(isNew ? 201 : 200, store.addProduct({ ...readJson<NewProduct>(call), pid }));
	},
	'GET /__sandbox/products/:pid/reviews'({ params: { pid } }, { database, store }) {
		if (!database.product(pid)) throw new HttpError(404, `There is no product "${pid}".`);
		return answer.json(200, { reviews: store.listReviews({ pid }) });
	},
	'POST /__sandbox/products/:pid/reviews': (call, { store }) =>
		answer.json(201, store.createReview(call.params.pid, readJson(call))),
	'POST /__sandbox/products/:pid/questions': (call, { store }) =>
		answer.json(201, store.addQuestion(call.params.pid, readJson(call))),
	'GET /__sandbox/reviews': ({ query }, { store }) =>
		answer.json(200, { reviews: store.listReviews(readInput(reviewFilter, Object.fromEntries(query))) }),
	'PATCH /__sandbox/reviews/:id': (call, { store }) =>
		answer.json(200, store.editReview(call.params.id, readJson(call))),
	'DELETE /__sandbox/reviews/:id': ({ params }, { store }) => none(store.deleteReview(params.id)),
	'POST /__sandbox/reviews/:id/publish': ({ params }, { store }) =>
		answer.json(200, store.publish(params.id)),
	'POST /__sandbox/reviews/:id/unpublish': ({ params }, { store }) =>
		answer.json(200, store.unpublish(params.id)),
	'GET /__sandbox/faults': (_, { faults }) => answer.json(200, { faults: faults.list() }),
	'POST /__sandbox/faults'(call, { faults }) {
		faults.add(readJson(call));
		return answer.json(201, { faults: faults.list() });
	},
	'DELETE /__sandbox/faults': (_, { faults }) => none(faults.clear()),
	'GET /__requests': (_, { requests }) => answer.json(200, requests.counts()),
	'DELETE /__requests': (_, { requests }) => none(requests.reset()),
	'GET /__sandbox/webhooks': (_, { webhooks }) =>
		answer.json(200, { webhooks: webhooks.list().map(({ secret: _secret, ...shown }) => shown) }),
	// The only response with the secret: whoever registers a URL needs it.
	'POST /__sandbox/webhooks': (call, { webhooks }) => answer.json(201, webhooks.add(readJson(call))),
	'DELETE /__sandbox/webhooks': (_, { webhooks }) =>
		none(webhooks.list().map(({ id }) => webhooks.remove(id))),
	'POST /__sandbox/webhooks/css-update'(_, { webhooks }) {
		webhooks.send('css_update');
		return answer.empty(202);
	},
	'GET /__sandbox/webhooks/deliveries': (_, { webhooks }) =>
		answer.json(200, { deliveries: webhooks.deliveries }),
	'DELETE /__sandbox/webhooks/:id': ({ params }, { webhooks }) => none(webhooks.remove(params.id)),
};

/** Answers with nothing, once something was done. */
const none = (_done: unknown) => answer.empty(204);

/**
 * Finds the route of a request, and its path parameters. The path is raw: a URL parser would resolve the ids `.` and `..`.
 * @throws {HttpError} 404 for an unknown path, 405 for another method, 400 for broken percent-encoding.
 */
export function findRoute(method: string, path: string) {
	const allowed = new Set<string>();
	for (const [name, route] of Object.entries(ROUTES)) {
		const [known = '', pattern = ''] = name.split(' ');
		const found = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(path);
		if (found && known === method) return { route, params: decoded(found.groups) };
		if (found) allowed.add(known);
	}
	if (allowed.size === 0) throw new HttpError(404, 'Not found.');
	const allow = [...allowed].join(', ');
	throw new HttpError(405, `This path supports ${allow}, not ${method}.`, { allow });
}

function decoded(groups: Record<string, string> = {}) {
	try {
		const parts = Object.entries(groups).map(([name, part]) => [name, decodeURIComponent(part)]);
		return Object.fromEntries(parts) as Call['params'];
	} catch {
		throw new HttpError(400, 'The path contains invalid percent-encoding.');
	}
}
