import type { WebhookEvent } from './webhook-event.js';
import type { Webhook } from './webhook-input.js';

/** Creates the body of an event: which product changed and how, without any content of the review. */
export function eventBody(event: WebhookEvent, wsid: string, shape: Webhook['shape']): string {
	const { type, timestamp, pid } = event;
	return JSON.stringify({ type, timestamp, data: { wsid, ...productOf(pid, shape) } });
}

function productOf(pid: string, shape: Webhook['shape']): object {
	switch (shape) {
		case 'pid':
			return { pid };
		case 'pids':
			return { pid: [pid] };
		case 'arrpid':
			return { arrpid: [{ pid }] };
		case 'none':
			return {};
	}
}
