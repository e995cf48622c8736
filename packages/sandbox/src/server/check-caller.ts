import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../webhooks/is-loopback.js';
import { HttpError } from './http-error.js';

/** Names under which callers reach the sandbox. */
export interface OwnNames {
	/** Address that the sandbox listens on. */
	readonly host: string;
	/** Public URL, if different. */
	readonly publicUrl: string | undefined;
}

/** Contains nothing that would end the host part of a URL. */
const HOST = /^[^\s"/?#@\\]+$/;

/** Hosts that mean every address of the machine. */
const EVERY = ['0.0.0.0', '::'];

/**
 * Accepts only requests that address this machine by one of its own names and that were not sent by a page of another
 * machine. Otherwise a web page could point its own host name here (DNS rebinding), and read and edit everything.
 *
 * @throws {HttpError} 403 for all others.
 */
export function checkCaller({ host, origin }: IncomingHttpHeaders, names: OwnNames): void {
	if (host === undefined || !HOST.test(host) || !isOwn(URL.parse(`http://${host}`), names)) {
		throw new HttpError(
			403,
			'The sandbox only answers at localhost and at the address that it listens on, not under this Host. To use another name, start it with the option publicUrl (--public-url).',
		);
	}
	// Only browsers send an Origin.
	if (origin !== undefined && !isOwn(URL.parse(origin), names)) {
		throw new HttpError(
			403,
			'The sandbox rejects requests from web pages of other machines (see the Origin header).',
		);
	}
}

/** Any port is accepted: a store under development is served by this machine too. */
function isOwn(url: URL | null, { host, publicUrl }: OwnNames): boolean {
	if (!url || url.hostname === '') return false;
	if (isLoopback(url.href)) return true;
	if (publicUrl !== undefined && url.hostname === new URL(publicUrl).hostname) return true;
	// A server that listens on all addresses accepts each of them, but no names: anyone can create those.
	if (EVERY.includes(host)) return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
	return url.hostname === URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname;
}
