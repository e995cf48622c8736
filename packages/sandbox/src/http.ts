import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4 } from 'node:net';

/** Ends a request with a status and a message for the caller. */
export class HttpError extends Error {
	override readonly name = 'HttpError';
	readonly status: number;
	readonly headers: Answer['headers'];

	constructor(status: number, message: string, headers: Answer['headers'] = {}) {
		super(message);
		this.status = status;
		this.headers = headers;
	}
}

export interface Call {
	/** Scheme, host and port at which the caller reaches the sandbox, without a trailing slash. */
	readonly origin: string;
	/** Raw, without the query. */
	readonly path: string;
	/** As far as the route has them. */
	readonly params: Readonly<Record<'pid' | 'id', string>>;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

export const answer = {
	text(status: number, type: string, text: string, headers: Answer['headers'] = {}): Answer {
		const all = { 'content-type': `${type}; charset=utf-8`, ...headers };
		return { status, headers: all, body: Buffer.from(text) };
	},
	json: (status: number, value: unknown, headers?: Answer['headers']) =>
		answer.text(status, 'application/json', JSON.stringify(value), headers),
	/** An error. The body has both `success` and `status`, because operations use one or the other. */
	error: (status: number, message: string, headers?: Answer['headers']) =>
		answer.json(status, { success: false, status, message }, headers),
	html: (page: string, headers?: Answer['headers'], status = 200) =>
		answer.text(status, 'text/html', page, headers),
	empty: (status: number, headers: Answer['headers'] = {}): Answer => ({ status, headers, body: EMPTY }),
};

const EMPTY = Buffer.alloc(0);

export const lastModified = (changedAt: string) => ({ 'last-modified': new Date(changedAt).toUTCString() });

export const contentType = ({ headers }: Call) =>
	headers['content-type']?.split(';')[0]?.trim().toLowerCase();

/** Reads JSON, which callers check. @throws {HttpError} 415 for another content type, 400 for text that is not JSON. */
export function readJson<Unchecked>(call: Call): Unchecked {
	const type = contentType(call) ?? '';
	if (type !== 'application/json')
		throw new HttpError(415, `Send "Content-Type: application/json"; this request has "${type}".`);
	const value = parseJson(call.body);
	if (value === undefined) throw new HttpError(400, 'The body is not valid JSON.');
	return value as Unchecked;
}

export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

/** Escapes text for html, on one line and without control characters. */
export function escapeHtml(text: string): string {
	return text
		.replace(/[\s\u2028\u2029]+/g, ' ')
		.replace(/\p{Cc}/gu, '')
		.replace(/[&<>"']/g, (character) => `&${ENTITIES[character]};`);
}

/** Shortens a text for a log line, and removes control, format and line characters, which could forge or hide lines. */
export function plainText(text: string): string {
	const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
	return plain.length > 120 ? `${plain.slice(0, 120)}…` : plain;
}

/**
 * Returns true if a URL refers to this machine by its text alone: `localhost`, 127.0.0.0/8 or `[::1]`. Other names never
 * count, because they could resolve to another machine by the time of sending.
 */
export function isLoopback(url: string): boolean {
	// The URL parser has already normalized other notations of addresses, such as 2130706433 and 0x7f.1.
	const { hostname } = new URL(url);
	return ['localhost', '[::1]'].includes(hostname) || (isIPv4(hostname) && hostname.startsWith('127.'));
}
