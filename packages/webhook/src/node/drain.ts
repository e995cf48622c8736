import type { IncomingMessage } from 'node:http';

/** How long a sender may take to finish a body that is not read, in milliseconds. */
const PATIENCE = 2_000;

/** Senders read the response only after sending the whole body, so the rest is discarded, for a limited time. */
export function drain(incoming: IncomingMessage): void {
	if (incoming.complete) return;
	const timer = setTimeout(() => incoming.destroy(), PATIENCE);
	incoming.once('close', () => clearTimeout(timer));
	incoming.on('data', () => {});
}
