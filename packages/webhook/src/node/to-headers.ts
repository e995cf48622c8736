import type { IncomingMessage } from 'node:http';

/** Keeps every value of a repeated header. */
export function toHeaders({ headersDistinct }: IncomingMessage): Headers {
	const headers = new Headers();
	for (const [name, values] of Object.entries(headersDistinct)) {
		for (const value of values ?? []) headers.append(name, value);
	}
	return headers;
}
