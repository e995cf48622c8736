import { createServer } from 'node:net';
import { listenInTest } from 'product-reviews-test-support/listen';

/** Bytes that a socket answers with, `'reset'` for one that is reset, or `'silence'` for one that says nothing. */
export type RawReply = string | Buffer | 'reset' | 'silence';

/** A request that came over a socket, as far as these tests look at it. */
interface RawRequest {
	readonly path: string;
	readonly pid: string;
}

/**
 * A service on a free port that writes what it is given to the socket, byte for byte: statuses, reasons and lengths that
 * no HTTP server of Node would send.
 *
 * @param replyTo gives the answer to a request.
 * @param listen says how long it is there: for the running test, if nothing is given.
 */
export async function startRawSockets(
	replyTo: (request: RawRequest, count: number) => RawReply,
	listen = listenInTest,
) {
	const requests: RawRequest[] = [];
	const server = createServer((socket) => {
		socket.on('error', () => {});
		socket.once('data', (head) => {
			const path = / (\S+) /.exec(head.toString('latin1'))?.[1] ?? '/';
			const pid = new URL(path, 'http://localhost').searchParams.get('pid') ?? '';
			requests.push({ path, pid });
			const reply = replyTo({ path, pid }, requests.length);
			if (reply === 'reset') socket.resetAndDestroy();
			else if (reply !== 'silence')
				socket.end(typeof reply === 'string' ? Buffer.from(reply, 'latin1') : reply);
		});
	});
	const { url, close } = await listen(server);
	return { url, requests, close };
}

/** An answer with its length, after which the connection is closed. */
export function rawReply(statusLine: string, body: string | Buffer = '', headers = ''): Buffer {
	const bytes = Buffer.from(body);
	const head = `HTTP/1.1 ${statusLine}\r\ncontent-length: ${bytes.length}\r\nconnection: close\r\n${headers}\r\n`;
	return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

export function rawJson(value: unknown, statusLine = '200 OK'): Buffer {
	return rawReply(statusLine, JSON.stringify(value), 'content-type: application/json\r\n');
}
