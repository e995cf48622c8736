import { isIP } from 'node:net';

/**
 * Whether a request names this machine by an address of its own, in its header `Host`. A page that somebody opens in a
 * browser can have its own name point at this machine, and would read what is answered then; it cannot change the name.
 * @param host that the server listens on.
 * @param header `Host`, as it came.
 */
export function isOwnHost(host: string, header: string | undefined): boolean {
	if (header === undefined || !HOST.test(header)) return false;
	const named = URL.parse(`http://${header}`);
	if (!named) return false;
	const name = named.hostname.replace(/^\[|\]$/g, '');
	if (name === 'localhost' || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)) return true;
	// Who listens on every address is reached at each of them, and by no name that somebody else could give.
	if (EVERY.includes(host)) return isIP(name) !== 0;
	return (
		name === URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname.replace(/^\[|\]$/g, '')
	);
}

/** Nothing that could leave the place of a host in an address. */
const HOST = /^[^\s"/?#@\\]+$/;

/** What stands for every address of a machine. */
const EVERY = ['0.0.0.0', '::', ''];
