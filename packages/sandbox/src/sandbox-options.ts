import type { NewProduct, NewReview } from './editing/input.js';
import type { NewWebhook } from './webhooks/webhook-input.js';

/** A product to add to those of the seed. */
export interface ExtraProduct extends NewProduct {
	/** Its reviews, or how many to make up for it. */
	readonly reviews?: readonly NewReview[] | number;
}

/** How to start a sandbox. */
export interface SandboxOptions {
	/**
	 * Port to listen on; 0 takes any free one.
	 * @default 0
	 */
	readonly port?: number;
	/**
	 * Address to listen on. The sandbox lets everybody edit who reaches it: leave it local.
	 * @default '127.0.0.1'
	 */
	readonly host?: string;
	/**
	 * Website id.
	 * @default 'W-1001'
	 */
	readonly wsid?: string;
	/**
	 * Access token, or several, that operations 1 and 2 accept besides the generated ones.
	 * @default 'sandbox-token'
	 */
	readonly token?: string | readonly [string, ...string[]];
	/**
	 * Path of an SQLite file that keeps the data; it is seeded once, when it is new. Without it the data is gone after
	 * `close()`.
	 */
	readonly data?: string;
	/**
	 * The number that the seeded reviews are made from; `false` starts empty. Faults with a probability draw
	 * from it too, and so do webhooks that are sent out of order or with wrong signatures.
	 * @default 1001
	 */
	readonly seed?: number | false;
	/**
	 * Address of a product page.
	 * @default (pid) => `https://shop.example/products/${encodeURIComponent(pid)}/`
	 */
	readonly productUrl?: (pid: string) => string;
	/**
	 * Address at which browsers reach the sandbox, where a proxy or a container stands between: scheme, host and port.
	 * Pictures and videos are named with it.
	 * @default the address that a request was sent to
	 */
	readonly publicUrl?: string;
	/**
	 * The store's name: `publisher` in the structured data.
	 * @default 'Fjell & Form'
	 */
	readonly storeName?: string;
	/**
	 * Milliseconds that each of the three operations waits before it answers.
	 * @default 0
	 */
	readonly latency?: number;
	/** Takes one line a request, and one for each try to send a webhook. By default nothing is logged. */
	readonly log?: (line: string) => void;
	/** Products to add; one whose id is there already stays as it is. */
	readonly products?: Iterable<ExtraProduct>;
	/** Addresses that are told of every edit; see `Sandbox.webhooks`. They are not kept in the data file. */
	readonly webhooks?: Iterable<NewWebhook>;
	/**
	 * Whether webhooks may go to other machines than this one.
	 * @default false
	 */
	readonly allowRemoteWebhooks?: boolean;
	/**
	 * The clock, in milliseconds since 1970, behind every timestamp of an edit and of a webhook.
	 * A receiver with the real clock refuses the webhooks of one that is set more than a few minutes apart.
	 * @default Date.now
	 */
	readonly now?: () => number;
}
