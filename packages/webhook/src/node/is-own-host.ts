import { isIP } from 'node:net';

/**
 * Whether the `Host` header of a request names this machine by one of its own addresses. This protects against DNS
 * rebinding: a web page can point its own host name at this machine and read the responses, but its requests still carry
 * that name.
 * @param host the server listens on.
 * @param header unmodified value of `Host`.
 */
export function isOwnHost(host: string, header: string | undefined): boolean {
	if (header === undefined || !HOST.test(header)) return false;
	const named = URL.parse(`http://${header}`);
	if (!named) return false;
	const name = named.hostname.replace(/^\[|\]$/g, '');
	if (name === 'localhost' || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)) return true;
	// A server that listens on all addresses accepts each of them, but no names: anyone can create those.
	if (EVERY.includes(host)) return isIP(name) !== 0;
	return (
		name === URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname.replace(/^\[|\]$/g, '')
	);
}

/** Contains nothing that would end the host part of a URL. */
const HOST = /^[^\s"/?#@\\]+$/;

/** Hosts that mean every address of the machine. */
const EVERY = ['0.0.0.0', '::', ''];
