import { NOW } from 'product-reviews-test-support/clock';
import { type Message, requestOf, SECRET } from 'product-reviews-test-support/signing';
import type { WebhookHandlerOptions } from '../../src/index.js';
import { type Change, createWebhookHandler, standardWebhooks } from '../../src/index.js';

/** A handler at the time of the tests. It takes down whatever is genuine. */
export function testHandler(options: Partial<WebhookHandlerOptions> = {}) {
	const changes: Change[] = [];
	const errors: unknown[] = [];
	let time = NOW;
	const handle = createWebhookHandler({
		verify: standardWebhooks(SECRET),
		onChange: (change) => void changes.push(change),
		onError: (error) => void errors.push(error),
		now: () => time,
		...options,
	});
	return {
		handle,
		/** The status of the handler's answer to a message. */
		statusOf: async (message: Message, spoilt?: Parameters<typeof requestOf>[1]) =>
			(await handle(requestOf(message, spoilt))).status,
		changes,
		errors,
		advance(milliseconds: number) {
			time += milliseconds;
		},
	};
}
