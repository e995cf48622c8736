import { answer } from '../server/answer.js';
import { readJson } from '../server/read-json.js';
import type { Route } from '../server/route.js';
import type { NewWebhook, Webhook } from './webhook-input.js';

const WEBHOOKS = '/__sandbox/webhooks';

/** The sandbox's own routes to register webhooks and inspect deliveries. */
export const webhookRoutes: readonly Route[] = [
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
