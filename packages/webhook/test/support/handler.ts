import { NOW } from 'product-reviews-test-support/clock';
import { type Message, requestOf, SECRET } from 'product-reviews-test-support/signing';
import type { WebhookHandlerOptions } from '../../src/index.js';
import { type Change, createWebhookHandler, standardWebhooks } from '../../src/index.js';

export interface TestHandler {
	/** The handler's answer. */
	handle(request: Request): Promise<Response>;
	/** The status of the handler's answer to a message. */
	statusOf(message: Message, changes?: Parameters<typeof requestOf>[1]): Promise<number>;
	readonly changes: readonly Change[];
	readonly errors: readonly unknown[];
	/** Moves the clock. */
	advance(milliseconds: number): void;
}

/** A handler at the time of the tests. It takes down whatever is genuine. */
export function testHandler(options: Partial<WebhookHandlerOptions> = {}): TestHandler {
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
		statusOf: async (message, spoilt) => (await handle(requestOf(message, spoilt))).status,
		changes,
		errors,
		advance(milliseconds) {
			time += milliseconds;
		},
	};
}
