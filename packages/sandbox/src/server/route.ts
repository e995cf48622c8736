import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from 'product-reviews-client/contract';
import type { Service } from '../service.js';
import type { Answer } from './answer.js';

/** A request as a route sees it. */
export interface Call {
	/** Scheme, host and port at which the caller reaches the sandbox, without a slash at the end. */
	readonly origin: string;
	/** As it was sent, without the query. */
	readonly path: string;
	/** The parts of the path that the route names, decoded. */
	readonly params: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	/** Empty for a request without a body. */
	readonly body: string;
	readonly service: Service;
}

/** One address of the service. */
export interface Route {
	readonly method: string;
	/** `/` and names; a name that begins with `:` stands for one part of the path. */
	readonly path: string;
	/** Set for the three documented operations: these are counted, logged as such and may be made to fail. */
	readonly operation?: Operation;
	/** The product ids that a call is about. */
	readonly pidsOf?: (call: Call) => readonly string[];
	readonly handle: (call: Call) => Answer;
}
