import type { Operation } from 'product-reviews-client/contract';
import type { Database } from './database.js';
import type { FaultRules } from './faults.js';
import { type Answer, type Call, HttpError } from './http/http.js';
import type { Authorization, RequestRecords } from './http/requests.js';
import type { Notes } from './notes.js';
import type { ReviewStore } from './store.js';
import type { Webhooks } from './webhooks/webhooks.js';
import type { StoreFacts } from './wire.js';

/** State shared by the routes of one running sandbox. */
export interface Service {
	readonly database: Database;
	readonly store: ReviewStore;
	readonly facts: StoreFacts;
	/** Access tokens that are accepted in addition to generated ones. */
	readonly tokens: readonly string[];
	readonly faults: FaultRules;
	readonly requests: RequestRecords;
	readonly webhooks: Webhooks;
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

/** Answers a request. */
export type Handler = (call: Call, service: Service) => Answer;

/** One of the three documented operations, which are recorded and can be given faults. */
export interface OperationRoute {
	readonly operation: Operation;
	/** Returns the product ids that a call is about. */
	readonly pidsOf: (call: Call) => readonly string[];
	readonly handle: Handler;
}

/** By path, in which `:name` matches one segment, and by method. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler | OperationRoute>>>>;

/** Checks the `Authorization` header: absent, an accepted bearer token, or anything else. */
export function authorizationOf(header: string | undefined, service: Service): Authorization {
	if (header === undefined) return 'none';
	const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
	if (token === undefined) return 'refused';
	return service.tokens.includes(token) || service.database.hasToken(token) ? 'accepted' : 'refused';
}

/**
 * Requires an accepted bearer token.
 *
 * @throws {HttpError} 401 without one.
 */
export function authorize({ headers }: Call, service: Service): void {
	const authorization = authorizationOf(headers.authorization, service);
	if (authorization === 'accepted') return;
	const message =
		authorization === 'none' ? 'Send "Authorization: Bearer <ACCESS_TOKEN>".' : 'Unknown access token.';
	throw new HttpError(401, message, { 'www-authenticate': 'Bearer' });
}
