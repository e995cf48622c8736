import { connect } from 'node:net';
import { SECRET } from 'product-reviews-test-support/signing';
import { onTestFinished } from 'vitest';
import { createMemoryLog, type RebuildRequest, standardWebhooks } from '../../src/index.js';
import { type ReceiverOptions, startReceiver } from '../../src/node/index.js';

/** A receiver on a free port, closed after the test. Its rebuilds are done at once. */
export async function receiving(options: Partial<ReceiverOptions> = {}) {
	const rebuilds: RebuildRequest[] = [];
	const lines: string[] = [];
	const receiver = await startReceiver({
		verify: standardWebhooks(SECRET),
		log: createMemoryLog(),
		rebuild: async (request) => void rebuilds.push(request),
		onLog: (line) => void lines.push(line),
		port: 0,
		...options,
	});
	onTestFinished(() => receiver.close(0));
	return { ...receiver, rebuilds, lines };
}

/** Writes to a socket, and resolves with all that came back until the other side closed it. It has to. */
export function talk(port: number, text: string | Buffer): Promise<string> {
	return new Promise((resolve, reject) => {
		let answer = '';
		const socket = connect(port, '127.0.0.1', () => socket.write(text));
		const timer = setTimeout(() => {
			reject(new Error(`The connection stays open. So far, the answer is "${answer}".`));
			socket.destroy();
		}, 20_000);
		socket.on('data', (data) => {
			answer += data.toString('latin1');
		});
		// A reset says as much as an end.
		socket.on('error', () => {});
		socket.on('close', () => {
			clearTimeout(timer);
			resolve(answer);
		});
	});
}
