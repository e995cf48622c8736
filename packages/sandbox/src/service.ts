import type { Operation } from 'product-reviews-client/contract';
import type { Database } from './database.js';
import type { FaultRules } from './faults.js';
import type { Answer, Call } from './http/http.js';
import type { RequestRecords } from './http/requests.js';
import type { Notes } from './notes.js';
import type { ReviewStore } from './store.js';
import type { AccessTokens } from './tokens.js';
import type { Webhooks } from './webhooks/webhooks.js';
import type { StoreFacts } from './wire.js';

/** State of one running sandbox. */
export interface Service {
	readonly database: Database;
	readonly store: ReviewStore;
	readonly facts: StoreFacts;
	readonly tokens: AccessTokens;
	readonly faults: FaultRules;
	readonly requests: RequestRecords;
	readonly webhooks: Webhooks;
	readonly notes: Notes;
	readonly host: string;
	/** If it differs from the address of the requests. */
	readonly publicUrl: string | undefined;
	readonly latency: number;
	readonly now: () => number;
	readonly log: (line: string) => void;
}

type Handler = (call: Call, service: Service) => Answer;

/** One of the three documented operations, which are recorded and can be given faults. */
export interface OperationRoute {
	readonly operation: Operation;
	readonly pidsOf: (call: Call) => readonly string[];
	readonly handle: Handler;
}

/** By path, in which `:name` matches one segment, and by method. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler | OperationRoute>>>>;
