import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from 'product-reviews-client/contract';
import type { Service } from '../service.js';
import type { Answer } from './answer.js';

/** A request as a route sees it. */
export interface Call {
	/** Scheme, host and port at which the caller reaches the sandbox, without a trailing slash. */
	readonly origin: string;
	/** The raw path, without the query. */
	readonly path: string;
	/** Decoded path parameters. */
	readonly params: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	/** Empty for a request without a body. */
	readonly body: string;
	readonly service: Service;
}

/** One route of the service. */
export interface Route {
	readonly method: string;
	/** A path in which `:name` matches one segment. */
	readonly path: string;
	/** Set for the three documented operations, which are recorded and can be given faults. */
	readonly operation?: Operation;
	/** Returns the product ids that a call is about. */
	readonly pidsOf?: (call: Call) => readonly string[];
	readonly handle: (call: Call) => Answer;
}
