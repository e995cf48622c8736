import type { DatabaseSync } from 'node:sqlite';
import type { FaultPlanner } from './faults/faults.js';
import type { Notes } from './notes/notes.js';
import type { RequestRecorder } from './server/requests.js';
import type { ReviewStore } from './store.js';
import type { WebhookSender } from './webhooks/webhooks.js';
import type { StoreFacts } from './wire/wire.js';

/** State shared by the routes of one running sandbox. */
export interface Service {
	readonly database: DatabaseSync;
	readonly store: ReviewStore;
	readonly facts: StoreFacts;
	/** Access tokens that are accepted in addition to generated ones. */
	readonly tokens: readonly string[];
	readonly faults: FaultPlanner;
	readonly requests: RequestRecorder;
	readonly webhooks: WebhookSender;
	readonly notes: Notes;
	/** Address that the sandbox listens on. */
	readonly host: string;
	/** Public URL of the sandbox, if it differs from the address of the requests. */
	readonly publicUrl: string | undefined;
	/** Delay of each of the three operations, in milliseconds. */
	readonly latency: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	readonly log: (line: string) => void;
}
