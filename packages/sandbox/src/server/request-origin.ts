import type { IncomingMessage } from 'node:http';

/** A host name or address with an optional port. Contains nothing that would end the host part of a URL. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Scheme, host and port at which a request reached the sandbox, such as `http://127.0.0.1:4400`. */
export function requestOrigin({ headers, socket }: IncomingMessage): string {
	if (headers.host !== undefined && HOST.test(headers.host)) return `http://${headers.host}`;
	const { localAddress = '127.0.0.1', localPort } = socket;
	return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
