import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../webhooks/is-loopback.js';
import { HttpError } from './http-error.js';

/** At which names callers reach the sandbox. */
export interface OwnNames {
	/** Address that it listens on. */
	readonly host: string;
	/** Address at which others reach it, where that is another one. */
	readonly publicUrl: string | undefined;
}

/** Nothing that could leave the place of a host in an address. */
const HOST = /^[^\s"/?#@\\]+$/;

/** What stands for every address of a machine. */
const EVERY = ['0.0.0.0', '::'];

/**
 * Lets a request pass that names this machine by an address of its own, and that no page of another machine sent. A page
 * in a browser on this machine could otherwise have its own name point here, and read and edit everything.
 *
 * @throws {HttpError} 403 with what to do.
 */
export function checkCaller({ host, origin }: IncomingHttpHeaders, names: OwnNames): void {
	if (host === undefined || !HOST.test(host) || !isOwn(URL.parse(`http://${host}`), names)) {
		throw new HttpError(
			403,
			'The sandbox answers at localhost and at the address that it listens on, not under this Host. Start it with the option publicUrl (--public-url) to reach it under another name.',
		);
	}
	// Browsers name the page that a request comes from, other programs none.
	if (origin !== undefined && !isOwn(URL.parse(origin), names)) {
		throw new HttpError(403, 'The sandbox takes no requests from pages of other machines: see their Origin.');
	}
}

/** Pages of this machine are at any port: a store that is worked on is one of them. */
function isOwn(url: URL | null, { host, publicUrl }: OwnNames): boolean {
	if (!url || url.hostname === '') return false;
	if (isLoopback(url.href)) return true;
	if (publicUrl !== undefined && url.hostname === new URL(publicUrl).hostname) return true;
	// No name that somebody else could give leads to every address, but an address does.
	if (EVERY.includes(host)) return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
	return url.hostname === URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname;
}
