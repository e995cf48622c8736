import type { DatabaseSync } from 'node:sqlite';
import type { FaultPlanner } from './faults/rules.js';
import type { RequestRecorder } from './server/requests.js';
import type { ReviewStore } from './store.js';
import type { WebhookSender } from './webhooks/webhooks.js';
import type { StoreFacts } from './wire/store-facts.js';

/** Everything that the routes of one running sandbox share. */
export interface Service {
	readonly database: DatabaseSync;
	readonly store: ReviewStore;
	readonly facts: StoreFacts;
	/** Access tokens that are accepted besides the generated ones. */
	readonly tokens: readonly string[];
	readonly faults: FaultPlanner;
	readonly requests: RequestRecorder;
	readonly webhooks: WebhookSender;
	/** Address that the sandbox listens on. */
	readonly host: string;
	/** Address at which others reach the sandbox, where that is not the one of their requests. */
	readonly publicUrl: string | undefined;
	/** Milliseconds that each of the three operations waits before it answers. */
	readonly latency: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	readonly log: (line: string) => void;
}
