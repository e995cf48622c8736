import type { IncomingMessage } from 'node:http';

/** A header that comes twice is two values. */
export function toHeaders({ headersDistinct }: IncomingMessage): Headers {
	const headers = new Headers();
	for (const [name, values] of Object.entries(headersDistinct)) {
		for (const value of values ?? []) headers.append(name, value);
	}
	return headers;
}
