import { Agent, createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from 'product-reviews-test-support/listen';

/**
 * Sends each request to the next of these servers, as a load balancer does. A server may close an idle connection in the
 * moment that it is used again; the request is then sent anew.
 *
 * @param hold a request is sent on when what this returns for its path is settled.
 */
export async function startRoundRobin(
	urls: readonly string[],
	hold?: (path: string) => Promise<void>,
): Promise<Listening> {
	const agent = new Agent({ keepAlive: true });
	let next = 0;
	const server = createServer(async (incoming, outgoing) => {
		const target = new URL(incoming.url ?? '/', urls[next++ % urls.length]);
		const { method, headers } = incoming;
		const body = await buffer(incoming);
		await hold?.(incoming.url ?? '/');
		const forward = () => {
			const forwarded = request(target, { method, headers, agent }, (answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			});
			forwarded.on('error', (error) => {
				if (outgoing.headersSent) outgoing.destroy();
				else if (forwarded.reusedSocket) forward();
				else outgoing.writeHead(502).end(String(error));
			});
			forwarded.end(body);
		};
		forward();
	});
	const listening = await listen(server);
	return {
		...listening,
		async close() {
			agent.destroy();
			await listening.close();
		},
	};
}
