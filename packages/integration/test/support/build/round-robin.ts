import { Agent, createServer, request } from 'node:http';
import { type Listening, listen } from 'product-reviews-test-support/listen';

/** Sends each request to the next of these servers, as a load balancer does. */
export async function startRoundRobin(urls: readonly string[]): Promise<Listening> {
	const agent = new Agent({ keepAlive: true });
	let next = 0;
	const server = createServer((incoming, outgoing) => {
		const target = new URL(incoming.url ?? '/', urls[next++ % urls.length]);
		const { method, headers } = incoming;
		const forwarded = request(target, { method, headers, agent }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		forwarded.on('error', () => outgoing.writeHead(502).end());
		incoming.pipe(forwarded);
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
