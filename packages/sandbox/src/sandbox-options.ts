import type { NewProduct, NewReview } from './editing/input.js';
import type { NewWebhook } from './webhooks/webhooks.js';

/** A product to add to the seeded ones. */
export interface ExtraProduct extends NewProduct {
	/** Its reviews, or how many to generate. */
	readonly reviews?: readonly NewReview[] | number;
}

/** Options of `startSandbox`. */
export interface SandboxOptions {
	/**
	 * Port to listen on; 0 picks a free one.
	 * @default 0
	 */
	readonly port?: number;
	/**
	 * Address to listen on. Keep it local: anyone who can reach the sandbox can edit its data.
	 * @default '127.0.0.1'
	 */
	readonly host?: string;
	/**
	 * Website id.
	 * @default 'W-1001'
	 */
	readonly wsid?: string;
	/**
	 * Access token or tokens that operations 1 and 2 accept, in addition to generated ones.
	 * @default 'sandbox-token'
	 */
	readonly token?: string | readonly [string, ...string[]];
	/**
	 * Path of an SQLite file for the data. It is seeded once, when it is created. By default the data is kept in memory and
	 * lost after `close()`.
	 */
	readonly data?: string;
	/**
	 * Seed that the reviews are generated from; `false` starts empty. It also determines faults with a probability, and
	 * webhooks that are sent out of order or with wrong signatures.
	 * @default 1001
	 */
	readonly seed?: number | false;
	/**
	 * Returns the URL of a product page.
	 * @default (pid) => `https://shop.example/products/${encodeURIComponent(pid)}/`
	 */
	readonly productUrl?: (pid: string) => string;
	/**
	 * Scheme, host and port at which browsers reach the sandbox, if it is behind a proxy or in a container. Used in the
	 * URLs of pictures and videos.
	 * @default the address that a request was sent to
	 */
	readonly publicUrl?: string;
	/**
	 * The store's name: `publisher` in the structured data.
	 * @default 'Fjell & Form'
	 */
	readonly storeName?: string;
	/**
	 * Delay of each of the three operations, in milliseconds.
	 * @default 0
	 */
	readonly latency?: number;
	/** Called with one line per request and per attempt to send a webhook. By default nothing is logged. */
	readonly log?: (line: string) => void;
	/** Products to add; existing ones stay unchanged. */
	readonly products?: Iterable<ExtraProduct>;
	/** URLs that are notified of every edit; see `Sandbox.webhooks`. They are not stored in the data file. */
	readonly webhooks?: Iterable<NewWebhook>;
	/**
	 * Whether webhooks may be sent to other machines.
	 * @default false
	 */
	readonly allowRemoteWebhooks?: boolean;
	/**
	 * Clock for the timestamps of edits and webhooks, in milliseconds since 1970. If it differs from the real time by more
	 * than a few minutes, receivers that use the real time reject the webhooks.
	 * @default Date.now
	 */
	readonly now?: () => number;
}
