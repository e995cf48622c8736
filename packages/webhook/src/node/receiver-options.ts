import type { CollectorOptions } from '../collect/collector-options.js';
import type { WebhookHandlerOptions } from '../handler/create-webhook-handler.js';

/** Options of {@link startReceiver}. */
export interface ReceiverOptions
	extends Pick<WebhookHandlerOptions, 'verify' | 'select' | 'maxBytes'>,
		Pick<CollectorOptions, 'log' | 'rebuild' | 'quiet' | 'atMost' | 'retryAfter' | 'retryAtMost'> {
	/** 0 takes any free port. @default 4500 */
	readonly port?: number | undefined;
	/** @default '127.0.0.1' */
	readonly host?: string | undefined;
	/** Path of the events. @default '/' */
	readonly path?: string | undefined;
	/** A line for the log. @default nobody hears it */
	readonly onLog?: ((line: string) => void) | undefined;
}
