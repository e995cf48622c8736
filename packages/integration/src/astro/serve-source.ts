import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
	REMOTE_METHODS,
	type RemoteCall,
	type RemoteError,
	type ReviewSource,
	reviewSources,
} from '../pages/page-source.js';

/**
 * Gives a source to the pages of an account: to those of this process, and over loopback to those that are rendered in a
 * worker thread, another process or another runtime. The server does not keep the process alive.
 */
export function serveSource(account: string, source: ReviewSource) {
	reviewSources().set(account, source);
	const key = randomBytes(24).toString('base64url');
	let started: Promise<string | undefined> | undefined;
	let server: Server | undefined;

	const call = ({ method, args }: RemoteCall) => {
		const ask = REMOTE_METHODS.includes(method) ? source[method] : undefined;
		if (!ask) throw new TypeError(`A page called ${JSON.stringify(method)}, which the source does not have.`);
		return Reflect.apply(ask, source, args);
	};

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (request.method !== 'POST' || !isEqual(request.headers.authorization ?? '', `Bearer ${key}`)) {
			response.writeHead(403).end();
			return;
		}
		let status = 200;
		let body: unknown;
		try {
			body = { value: await call((await json(request)) as RemoteCall) };
		} catch (error) {
			status = 500;
			body = describe(error);
		}
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	}

	return {
		/**
		 * The address of the server. The fragment is the one-time key that every call must send. The first call starts the
		 * server. `undefined` if the machine does not let it listen.
		 */
		address: () => (started ??= listen()),
		/** After this, pages have no source. */
		close(): void {
			if (reviewSources().get(account) === source) reviewSources().delete(account);
			server?.close();
			server?.closeAllConnections();
		},
	};

	function listen(): Promise<string | undefined> {
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		const listening = createServer((request, response) => void answer(request, response));
		server = listening.unref();
		// Failing to accept a connection later is an error, too. The page that made the request reports it.
		listening.on('error', () => resolve(undefined));
		// Pages send requests at any time. If an idle connection were closed, the next request on it would fail.
		listening.keepAliveTimeout = 0;
		listening.listen(0, '127.0.0.1', () => {
			const { port } = listening.address() as AddressInfo;
			resolve(`http://127.0.0.1:${port}/#${key}`);
		});
		return promise;
	}
}

function describe(error: unknown): RemoteError {
	if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
	const hint = 'hint' in error && typeof error.hint === 'string' ? `\n${error.hint}` : '';
	return { name: error.name, message: error.message + hint };
}

function isEqual(received: string, expected: string): boolean {
	const [one, other] = [Buffer.from(received), Buffer.from(expected)];
	return one.length === other.length && timingSafeEqual(one, other);
}
