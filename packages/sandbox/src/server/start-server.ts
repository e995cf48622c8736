import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '../service.js';
import { handleRequest } from './handle-request.js';

/** Idle connections stay open for a minute: if one closed during a build, it would look like a fault. */
const KEEP_ALIVE_IN_MILLISECONDS = 60_000;

/** A listening server. */
export interface RunningServer {
	readonly url: string;
	readonly port: number;
	/** Closes every connection and resolves when none is left. */
	close(): Promise<void>;
}

/**
 * Starts listening for requests.
 *
 * @throws {Error} If the port is in use or the address does not belong to this machine.
 */
export async function startServer(service: Service, port: number, host: string): Promise<RunningServer> {
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_IN_MILLISECONDS }, (request, response) => {
		void handleRequest(request, response, service);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error) => reject(listenError(error, host, port)));
		server.listen(port, host, resolve);
	});
	const { port: actual } = server.address() as AddressInfo;
	const name = host.includes(':') ? `[${host}]` : host;
	return {
		url: `http://${name}:${actual}`,
		port: actual,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
	const reason =
		cause.code === 'EADDRINUSE'
			? 'The port is in use: choose another one, or 0 for a free one.'
			: cause.message;
	return new Error(`The sandbox cannot listen on ${host}:${port}. ${reason}`, { cause });
}
