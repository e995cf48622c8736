import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from 'product-reviews-client/contract';
import type { FaultKind } from '../faults/fault-rule.js';
import type { Service } from '../service.js';
import { authorizationOf } from './authorize.js';
import { plainText } from './plain-text.js';

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

/** Content of a log line. */
interface LoggedRequest {
	readonly method: string;
	/** Raw path without the query. */
	readonly path: string;
	readonly pids: readonly string[];
	/** Absent if no response was sent. */
	readonly status?: number;
	/** Bytes sent, including headers. */
	readonly bytes: number;
	/** Milliseconds. */
	readonly duration: number;
	/** Fault that was applied. */
	readonly fault?: string;
}

/**
 * Formats one line of the request log: `GET /api/llmRvwHTML pid=p-1 200 13.2 KB 4 ms`.
 *
 * @param secrets Texts to mask, in case a caller puts one into a URL.
 */
function requestLogLine(request: LoggedRequest, secrets: readonly string[]): string {
	const { method, path, pids, status, bytes, duration, fault } = request;
	const parts = [
		method,
		path,
		pids.length === 1 ? `pid=${pids[0]}` : pids.length > 1 ? `pids=${pids.length}` : '',
		status === undefined ? 'no answer' : String(status),
		sizeText(bytes),
		`${Math.round(duration)} ms`,
		fault ? `fault=${fault}` : '',
	];
	return parts
		.map((part) => plainText(withoutSecrets(part, secrets)))
		.filter((part) => part !== '')
		.join(' ');
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
	return secrets.reduce(
		(result, secret) => (secret === '' ? result : result.replaceAll(secret, '***')),
		text,
	);
}

function sizeText(bytes: number): string {
	if (bytes < 1_000) return `${bytes} B`;
	return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
