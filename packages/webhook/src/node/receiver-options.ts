import type { CollectorOptions } from '../collect/collector-options.js';
import type { Collector } from '../collect/create-collector.js';
import type { WebhookHandlerOptions } from '../handler/webhook-handler-options.js';

/** Options of {@link startReceiver}: those of its own collector, or a collector that is ready. */
export type ReceiverOptions = ListeningOptions & (CollectingOptions | ReadyCollector);

/** How events are received. */
export interface ListeningOptions extends Pick<WebhookHandlerOptions, 'verify' | 'select' | 'maxBytes'> {
	/** 0 takes any free port. @default 4500 */
	readonly port?: number | undefined;
	/** @default '127.0.0.1' */
	readonly host?: string | undefined;
	/** Path of the events. @default '/' */
	readonly path?: string | undefined;
	/** Longest time in which a whole request has to come, in milliseconds. @default 10_000 */
	readonly requestTimeout?: number | undefined;
	/** A line for the log. @default nobody hears it */
	readonly onLog?: ((line: string) => void) | undefined;
}

/** What {@link createCollector} is made of. */
export type CollectingOptions = Pick<
	CollectorOptions,
	'log' | 'rebuild' | 'quiet' | 'atMost' | 'retryAfter' | 'retryAtMost'
>;

/** A collector of one's own, such as that of `product-reviews-webhook/redis`. */
export interface ReadyCollector {
	/** The receiver starts and closes it. */
	readonly collector: Collector;
}
