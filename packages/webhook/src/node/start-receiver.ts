import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Collector } from '../collect/collector.js';
import { createCollector } from '../collect/create-collector.js';
import { checkNumber, messageOf } from '../errors.js';
import { createEventReceiver } from '../handler/receive-event.js';
import { quietly } from '../quietly.js';
import { answerEvent } from './answer-event.js';
import { answerOthers } from './answer-others.js';
import type { ReceiverOptions } from './receiver-options.js';
import { toNodeHandler } from './to-node-handler.js';
import { verifyHmacAtOnce } from './verify-hmac-at-once.js';
import { withForwarding } from './with-forwarding.js';

/** A running receiver. */
export interface Receiver {
	/** URL that events are sent to. */
	readonly url: string;
	readonly port: number;
	readonly collector: Collector;
	/**
	 * Stops taking events, and waits for a running rebuild.
	 * @param patience how long to wait, in milliseconds. After that the rebuild is ended and its products stay marked.
	 * @default 60_000
	 */
	close(patience?: number): Promise<void>;
}

/** Time limit for a whole request, in milliseconds. */
const REQUEST_TIMEOUT = 10_000;
/** How often to check for requests that exceed it, in milliseconds. */
const LOOK = 1_000;

/**
 * Receives events over HTTP, collects what changed, and rebuilds the site. `/healthz` answers 200 if events can
 * be kept, and 503 otherwise; `/status` reports what is waiting and what was done. Neither contains a secret.
 *
 * @throws WebhookConfigurationError for unusable options, and any error from listening on the port.
 * @example
 * await startReceiver({ verify: standardWebhooks(secret), log: openSqliteLog('changes.db'), rebuild: command('npm run build') });
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
	const { port = 4_500, host = '127.0.0.1', requestTimeout = REQUEST_TIMEOUT } = options;
	checkNumber('requestTimeout', requestTimeout, 1);
	const path = new URL(options.path ?? '/', 'http://localhost').pathname;
	const collector = 'collector' in options ? options.collector : createCollector(options);
	const onError = quietly((error: unknown) =>
		options.onLog?.(`Error while handling an event: ${messageOf(error)}`),
	);
	const record = createEventReceiver(
		{ ...options, onChange: (change) => collector.add(change), onError },
		verifyHmacAtOnce,
	);
	const receive = options.forward ? withForwarding(record, options.forward, onError) : record;
	const others = toNodeHandler(answerOthers(collector, host), { onError });
	const server = createServer(
		{
			requestTimeout,
			headersTimeout: requestTimeout,
			// By default Node checks every 30 s, so a request could take that much longer.
			connectionsCheckingInterval: Math.min(LOOK, requestTimeout),
		},
		(incoming, outgoing) => {
			if (URL.parse(incoming.url ?? '', 'http://localhost')?.pathname !== path) others(incoming, outgoing);
			else void answerEvent(receive, incoming, outgoing, onError);
		},
	);
	try {
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, host, resolve);
		});
		await collector.start();
	} catch (error) {
		server.close();
		await collector.close(0);
		throw error;
	}
	const address = server.address() as AddressInfo;
	return {
		url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`,
		port: address.port,
		collector,
		async close(patience = 60_000) {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeIdleConnections();
			await collector.close(patience);
			server.closeAllConnections();
			await closed;
		},
	};
}
