import { connect, createServer, type Socket } from 'node:net';
import { listen } from 'product-reviews-test-support/listen';

/** Stands between a receiver and its Redis. */
export interface Proxy {
	readonly port: number;
	/** Connections that are there stay, and nothing passes over them any more; new ones work. */
	mute(): void;
	close(): void;
}

/** Passes connections on to a port. */
export async function startProxy(target: number): Promise<Proxy> {
	const sockets = new Set<Socket>();
	const server = createServer((incoming) => {
		const outgoing = connect(target, '127.0.0.1');
		for (const socket of [incoming, outgoing]) sockets.add(socket.on('error', () => {}));
		incoming.pipe(outgoing);
		outgoing.pipe(incoming);
	});
	const { port, close } = await listen(server);
	return {
		port,
		mute() {
			for (const socket of sockets) socket.unpipe().resume();
		},
		close() {
			void close();
			for (const socket of sockets) socket.destroy();
		},
	};
}
