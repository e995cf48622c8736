import type { Collector } from '../collect/collector.js';
import type { CollectorOptions } from '../collect/collector-options.js';
import type { WebhookHandlerOptions } from '../handler/webhook-handler-options.js';
import type { Forwarding } from './with-forwarding.js';

/** Options of {@link startReceiver}, with either the options of a new collector or an existing one. */
export type ReceiverOptions = ListeningOptions & (CollectingOptions | ReadyCollector);

/** How events are received. */
export interface ListeningOptions extends Pick<WebhookHandlerOptions, 'verify' | 'select' | 'maxBytes'> {
	/** 0 picks a free port. @default 4500 */
	readonly port?: number | undefined;
	/** @default '127.0.0.1' */
	readonly host?: string | undefined;
	/** Path of the events. @default '/' */
	readonly path?: string | undefined;
	/** Another receiver that gets the same events. @default none */
	readonly forward?: Forwarding | undefined;
	/** Time limit for receiving a whole request, in milliseconds. @default 10_000 */
	readonly requestTimeout?: number | undefined;
	/** Called with each log line. @default nothing is logged */
	readonly onLog?: ((line: string) => void) | undefined;
}

/** Options passed on to {@link createCollector}. */
export type CollectingOptions = Pick<
	CollectorOptions,
	'log' | 'rebuild' | 'quiet' | 'atMost' | 'retryAfter' | 'retryAtMost'
>;

/** An existing collector, such as one from `product-reviews-webhook/redis`. */
export interface ReadyCollector {
	/** The receiver starts and closes it. */
	readonly collector: Collector;
}
