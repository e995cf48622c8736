import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from 'product-reviews-client/contract';
import type { FaultKind } from '../faults/fault-rule.js';
import type { Service } from '../service.js';
import { authorizationOf } from './authorize.js';
import { requestLogLine } from './request-log.js';

/** A request that is being observed. */
export interface Observation {
	/** Adds facts that are only known once the body has been read. */
	update(facts: { readonly pids?: readonly string[]; readonly fault?: FaultKind }): void;
}

/** Records requests to the three operations, and logs every request once its connection is done with it. */
export function observeRequest(
	request: IncomingMessage,
	response: ServerResponse,
	path: string,
	service: Service,
	operation?: Operation,
): Observation {
	const { method = 'GET', url = '/', socket } = request;
	const { authorization, ...headers } = request.headers;
	const begin = performance.now();
	const bytesBefore = socket.bytesWritten;
	let facts: { readonly pids?: readonly string[]; readonly fault?: FaultKind } = {};
	const record =
		operation &&
		service.requests.begin({
			operation,
			method,
			url,
			headers,
			authorization: authorizationOf(authorization, service),
			startedAt: service.now(),
		});

	response.once('close', () => {
		const outcome = {
			bytes: socket.bytesWritten - bytesBefore,
			duration: performance.now() - begin,
			...(response.headersSent ? { status: response.statusCode } : {}),
		};
		record?.update({ ...outcome, complete: response.writableFinished });
		record?.end();
		const line = { method, path, pids: [], ...facts, ...outcome };
		service.log(requestLogLine(line, [...service.tokens, ...bearerTokens(authorization)]));
	});

	return {
		update(more) {
			facts = { ...facts, ...more };
			record?.update(more);
		},
	};
}

/** The token of the request, accepted or not. */
function bearerTokens(header: string | undefined): string[] {
	const token = header?.split(/\s+/).at(-1);
	return token ? [token] : [];
}
