import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type Listening = Awaited<ReturnType<typeof listen>>;

/** Lets a server listen on this machine, by default on a free port: one of HTTP or of bare sockets. */
export async function listen(server: Server, wanted = 0) {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	await once(server.listen(wanted, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		async close(): Promise<void> {
			const closed = new Promise((resolve) => server.close(resolve));
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}

/** Lets a server listen until the running test ends. */
export async function listenInTest(server: Server, wanted?: number): Promise<Listening> {
	const listening = await listen(server, wanted);
	onTestFinished(listening.close);
	return listening;
}

export async function freePort(): Promise<number> {
	const { port, close } = await listen(createServer());
	await close();
	return port;
}
