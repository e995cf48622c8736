import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as a receiver of webhooks got it. */
export interface ReceivedEvent {
	readonly id: string;
	/** Seconds since 1970. */
	readonly timestamp: number;
	readonly signature: string;
	readonly contentType: string | undefined;
	/** As it came over the wire. */
	readonly text: string;
	readonly body: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** What to answer: a status, a status with headers, no answer at all, or the end of the connection. */
export type Reply =
	| number
	| { readonly status: number; readonly headers: Record<string, string> }
	| 'hang'
	| 'reset';

/** Starts a receiver of webhooks that ends with the test. `reply` is asked for each request, counted from 0. */
export async function testReceiver(reply: (index: number) => Reply | Promise<Reply> = () => 204) {
	const received: ReceivedEvent[] = [];
	let open = 0;
	let mostOpen = 0;
	const server = createServer(async (request, response) => {
		open += 1;
		mostOpen = Math.max(mostOpen, open);
		response.once('close', () => {
			open -= 1;
		});
		let text = '';
		for await (const chunk of request.setEncoding('utf8')) text += chunk;
		const header = (name: string) => String(request.headers[name]);
		const index = received.push({
			id: header('webhook-id'),
			timestamp: Number(header('webhook-timestamp')),
			signature: header('webhook-signature'),
			contentType: request.headers['content-type'],
			text,
			body: JSON.parse(text),
		});
		const answer = await reply(index - 1);
		if (answer === 'hang') return;
		if (answer === 'reset') return void response.socket?.resetAndDestroy();
		const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
		response.writeHead(status, headers).end();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?key=k3y`,
		received,
		pids: () => received.map(({ body }) => body.data.pid),
		mostOpen: () => mostOpen,
	};
}

/** The signature that an event should have, computed from the text of Standard Webhooks 1.0.0. */
export function expectedSignature(secret: string, { id, timestamp, text }: ReceivedEvent): string {
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`, 'utf8').digest('base64')}`;
}
