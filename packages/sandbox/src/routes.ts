import { OPERATIONS } from 'product-reviews-client/contract';
import { z } from 'zod';
import { answer, HttpError, readJson } from './http.js';
import { mediaRoutes } from './media.js';
import { crawlerReviews, productReviewData, starRating } from './operations.js';
import { pageRoutes } from './page.js';
import { type NewProduct, NotFoundError, readInput } from './records.js';
import type { Routes } from './service.js';

const reviewFilter = z.object({
	pid: z.string().optional(),
	status: z.enum(['published', 'unpublished']).optional(),
});

const expiresIn = z.coerce.number().int().min(1).max(3_650).optional();

/** All routes: the three documented operations, then the sandbox's own, which the documentation does not describe. */
export const routes: Routes = {
	[OPERATIONS.starRating.path]: { [OPERATIONS.starRating.method]: starRating },
	[OPERATIONS.productReviewData.path]: { [OPERATIONS.productReviewData.method]: productReviewData },
	[OPERATIONS.crawlerReviews.path]: { [OPERATIONS.crawlerReviews.method]: crawlerReviews },
	// Documented by name only.
	'/api/v1/authToken': {
		GET({ query }, { tokens }) {
			const days = expiresIn.safeParse(query.get('expiresIn') ?? undefined);
			if (!days.success) throw new HttpError(400, 'expiresIn must be a whole number of days, 1 to 3650.');
			const authToken = tokens.mint(query.get('api_key'), days.data);
			if (authToken === undefined) throw new HttpError(401, 'Unknown API key.');
			return answer.json(200, { authToken, message: 'The token was created.', success: true });
		},
	},
	...pageRoutes,
	...mediaRoutes,
	'/__sandbox/products': {
		GET: (_, { store }) => answer.json(200, { products: store.listProducts() }),
	},
	'/__sandbox/products/:pid': {
		PUT(call, { database, store }) {
			const { pid } = call.params;
			const isNew = !database.product(pid);
			const body = { ...readJson<NewProduct>(call), pid };
			return answer.json(isNew ? 201 : 200, store.addProduct(body));
		},
	},
	'/__sandbox/products/:pid/reviews': {
		GET(call, { database, store }) {
			const { pid } = call.params;
			if (!database.product(pid)) throw new NotFoundError(`There is no product "${pid}".`);
			return answer.json(200, { reviews: store.listReviews({ pid }) });
		},
		POST: (call, { store }) => answer.json(201, store.createReview(call.params.pid, readJson(call))),
	},
	'/__sandbox/products/:pid/questions': {
		POST: (call, { store }) => answer.json(201, store.addQuestion(call.params.pid, readJson(call))),
	},
	'/__sandbox/reviews': {
		GET({ query }, { store }) {
			const filter = readInput(reviewFilter, Object.fromEntries(query));
			return answer.json(200, { reviews: store.listReviews(filter) });
		},
	},
	'/__sandbox/reviews/:id': {
		PATCH: (call, { store }) => answer.json(200, store.editReview(call.params.id, readJson(call))),
		DELETE(call, { store }) {
			store.deleteReview(call.params.id);
			return answer.empty(204);
		},
	},
	'/__sandbox/reviews/:id/publish': {
		POST: (call, { store }) => answer.json(200, store.publish(call.params.id)),
	},
	'/__sandbox/reviews/:id/unpublish': {
		POST: (call, { store }) => answer.json(200, store.unpublish(call.params.id)),
	},
	'/__sandbox/faults': {
		GET: (_, { faults }) => answer.json(200, { faults: faults.list() }),
		POST(call, { faults }) {
			faults.add(readJson(call));
			return answer.json(201, { faults: faults.list() });
		},
		DELETE(_, { faults }) {
			faults.clear();
			return answer.empty(204);
		},
	},
	'/__requests': {
		GET: (_, { requests }) => answer.json(200, requests.counts()),
		DELETE(_, { requests }) {
			requests.reset();
			return answer.empty(204);
		},
	},
	'/__sandbox/webhooks': {
		GET: (_, { webhooks }) =>
			answer.json(200, { webhooks: webhooks.list().map(({ secret: _secret, ...shown }) => shown) }),
		// The only response with the secret: whoever registers a URL needs it.
		POST: (call, { webhooks }) => answer.json(201, webhooks.add(readJson(call))),
		DELETE(_, { webhooks }) {
			for (const { id } of webhooks.list()) webhooks.remove(id);
			return answer.empty(204);
		},
	},
	'/__sandbox/webhooks/css-update': {
		POST(_, { webhooks }) {
			webhooks.send('css_update');
			return answer.empty(202);
		},
	},
	'/__sandbox/webhooks/deliveries': {
		GET: (_, { webhooks }) => answer.json(200, { deliveries: webhooks.deliveries }),
	},
	'/__sandbox/webhooks/:id': {
		DELETE(call, { webhooks }) {
			webhooks.remove(call.params.id);
			return answer.empty(204);
		},
	},
};
