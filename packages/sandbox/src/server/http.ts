import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from 'product-reviews-client/contract';
import { tokens } from '../database/database.js';
import type { Service } from '../service.js';

/** Result of checking a request's token. */
export type Authorization = 'none' | 'accepted' | 'refused';

/** Ends a request with a status and a message for the caller. */
export class HttpError extends Error {
	override readonly name = 'HttpError';
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;

	constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
		super(message);
		this.status = status;
		this.headers = headers;
	}
}

/** Maximum length of an id or path in a log line, in UTF-16 code units. */
const MAXIMUM_LENGTH = 120;

/**
 * Makes a text safe for a log line: shortens it, and removes control, format (such as right-to-left overrides) and line
 * characters, which could forge or hide lines.
 */
export function plainText(text: string): string {
	const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
	return plain.length > MAXIMUM_LENGTH ? `${plain.slice(0, MAXIMUM_LENGTH)}…` : plain;
}

/** Parses JSON; returns `undefined` if the text is invalid. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * Reads the body of a call as JSON.
 *
 * @throws {HttpError} 415 for another content type, 400 for text that is not JSON.
 */
export function readJson({ headers, body }: Call): unknown {
	const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/json') {
		throw new HttpError(415, `Send "Content-Type: application/json"; this request has "${type ?? ''}".`);
	}
	const value = parseJson(body);
	if (value === undefined) throw new HttpError(400, 'The body is not valid JSON.');
	return value;
}

/** Response of a route, before compression, conditional requests and faults. */
export interface Answer {
	readonly status: number;
	/** Names are in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

/** Creates responses. */
export const answer = {
	/** A JSON response. */
	json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
		return {
			status,
			headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
			body: Buffer.from(JSON.stringify(value)),
		};
	},

	/** An error. The body has both `success` and `status`, because operations use one or the other. */
	error(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
		return answer.json(status, { success: false, status, message }, headers);
	},

	html(page: string, headers: Readonly<Record<string, string>> = {}): Answer {
		return {
			status: 200,
			headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
			body: Buffer.from(page),
		};
	},

	/** A response without a body. */
	empty(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
		return { status, headers, body: Buffer.alloc(0) };
	},
};

/** Checks the `Authorization` header: absent, an accepted bearer token, or anything else. */
export function authorizationOf(header: string | undefined, service: Service): Authorization {
	if (header === undefined) return 'none';
	const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
	if (token === undefined) return 'refused';
	return service.tokens.includes(token) || tokens.has(service.database, token) ? 'accepted' : 'refused';
}

/**
 * Requires an accepted bearer token.
 *
 * @throws {HttpError} 401 without one.
 */
export function authorize(header: string | undefined, service: Service): void {
	const authorization = authorizationOf(header, service);
	if (authorization === 'accepted') return;
	const message =
		authorization === 'none' ? 'Send "Authorization: Bearer <ACCESS_TOKEN>".' : 'Unknown access token.';
	throw new HttpError(401, message, { 'www-authenticate': 'Bearer' });
}

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
