import { answer } from '../server/answer.js';
import { readJson } from '../server/read-json.js';
import type { Route } from '../server/route.js';
import type { NewWebhook, Webhook } from './webhook-input.js';

const WEBHOOKS = '/__sandbox/webhooks';

/** Our own addresses to register webhooks and to see what was sent. */
export const webhookRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: WEBHOOKS,
		handle: ({ service }) => answer.json(200, { webhooks: service.webhooks.list().map(withoutSecret) }),
	},
	{
		method: 'POST',
		path: WEBHOOKS,
		// The only answer with the secret: who registers an address needs it.
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
