import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenInTest } from 'product-reviews-test-support/listen';
import { signatureOf } from 'product-reviews-test-support/signing';

/** A request as a receiver of webhooks got it. */
export type ReceivedEvent = ReturnType<typeof readEvent>;

function readEvent({ headers }: IncomingMessage, text: string) {
	return {
		id: String(headers['webhook-id']),
		/** Seconds since 1970. */
		timestamp: Number(headers['webhook-timestamp']),
		signature: String(headers['webhook-signature']),
		contentType: headers['content-type'],
		/** As it came over the wire. */
		text,
		body: JSON.parse(text) as { type: string; timestamp: string; data: Record<string, unknown> },
	};
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
		const index = received.push(readEvent(request, await text(request)));
		const answer = await reply(index - 1);
		if (answer === 'hang') return;
		if (answer === 'reset') return void response.socket?.resetAndDestroy();
		const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
		response.writeHead(status, headers).end();
	});
	const { url } = await listenInTest(server);
	return { url: `${url}/hooks?key=k3y`, received, mostOpen: () => mostOpen };
}

/** The signature that an event should have, made without the code under test. */
export function expectedSignature(secret: string, { id, timestamp, text }: ReceivedEvent): string {
	return signatureOf({ id, timestamp: String(timestamp), body: text, secret });
}
