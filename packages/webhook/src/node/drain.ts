import type { IncomingMessage } from 'node:http';

/** Time in which a sender can end a body that nobody reads, in milliseconds. */
const PATIENCE = 2_000;

/** A sender reads the answer only when it could send its body. What still comes is thrown away, and not for long. */
export function drain(incoming: IncomingMessage): void {
	if (incoming.complete) return;
	const timer = setTimeout(() => incoming.destroy(), PATIENCE);
	incoming.once('close', () => clearTimeout(timer));
	incoming.on('data', () => {});
}
