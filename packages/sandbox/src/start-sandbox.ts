import type { Operation } from 'product-reviews-client/contract';
import { Database } from './database.js';
import { FaultRules } from './faults.js';
import { RequestRecords } from './http/requests.js';
import { startServer } from './http/server.js';
import { createNotes, type Notes } from './notes.js';
import { createRandom } from './seed/random.js';
import { addExtraProducts, DEFAULT_SEED, type ExtraProduct, seedDatabase } from './seed/seed-database.js';
import { createReviewStore, type ReviewStore } from './store.js';
import { AccessTokens } from './tokens.js';
import type { NewWebhook } from './webhooks/webhook.js';
import { Webhooks } from './webhooks/webhooks.js';

export interface SandboxOptions {
	/** Port to listen on; 0 picks a free one. @default 0 */
	readonly port?: number;
	/** Address to listen on. Keep it local: anyone who can reach the sandbox can edit its data. @default '127.0.0.1' */
	readonly host?: string;
	/** Website ID. @default 'W-1001' */
	readonly wsid?: string;
	/** Access token or tokens that operations 1 and 2 accept. @default 'sandbox-token' */
	readonly token?: string | readonly [string, ...string[]];
	/** Key that `GET /api/v1/authToken` gives access tokens for. @default 'sandbox-api-key-1001' */
	readonly apiKey?: string;
	/** How long such a token is valid if the caller does not choose, in milliseconds. @default 2_592_000_000 (30 days) */
	readonly tokenLifetime?: number;
	/** Port of an address for operation 3, which is then at no other; 0 picks a free one. @default that of the others */
	readonly crawlerPort?: number;
	/**
	 * Path of an SQLite file for the data. It is seeded once, when it is created. By default the data is kept in memory and
	 * lost after `close()`.
	 */
	readonly data?: string;
	/**
	 * Seed that the reviews are generated from; `false` starts empty. It also determines faults with a probability, and the
	 * order of webhooks with `disorder`.
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
	/** The store's name: `publisher` in the structured data. @default 'Fjell & Form' */
	readonly storeName?: string;
	/** Delay of each of the three operations, in milliseconds. @default 0 */
	readonly latency?: number;
	/** Called with one line per request and per attempt to send a webhook. By default nothing is logged. */
	readonly log?: (line: string) => void;
	/** Products to add; existing ones stay unchanged. */
	readonly products?: Iterable<ExtraProduct>;
	/** URLs that are notified of every edit; see `Sandbox.webhooks`. They are not stored in the data file. */
	readonly webhooks?: Iterable<NewWebhook>;
	/** Whether webhooks may be sent to other machines. @default false */
	readonly allowRemoteWebhooks?: boolean;
	/**
	 * Clock for the timestamps of edits and webhooks, in milliseconds since 1970. If it differs from the real time by more
	 * than a few minutes, receivers that use the real time reject the webhooks.
	 * @default Date.now
	 */
	readonly now?: () => number;
}

export interface Sandbox {
	/** Base URL without a trailing slash, such as `http://127.0.0.1:4400`. */
	readonly url: string;
	readonly port: number;
	/** Base URL of operation 3: another one than `url` with `crawlerPort`. */
	readonly crawlerUrl: string;
	readonly wsid: string;
	/** An accepted access token: the first one of the option. */
	readonly token: string;
	readonly apiKey: string;
	/** Edits products, reviews and questions. */
	readonly store: ReviewStore;
	/** Makes requests to the three operations fail. */
	readonly faults: FaultRules;
	readonly requests: RequestRecords;
	/** Notifies your URLs of every edit. */
	readonly webhooks: Webhooks;
	/** Tells the page with the form what became of a review elsewhere, such as in a shop. */
	readonly notes: Notes;
	/** Ends all connections and webhooks immediately and closes the data file. Can be called more than once. */
	close(): Promise<void>;
}

/**
 * Starts the review service on this machine: the three documented operations, seeded with 60 products, and additional
 * routes to edit reviews, cause faults and inspect requests.
 *
 * @throws {Error} If the port is in use or the data file cannot be read.
 * @example
 * const sandbox = await startSandbox();
 * const response = await fetch(`${sandbox.url}/api/llmRvwHTML?wsid=${sandbox.wsid}&pid=p-1&ihtml=true`);
 * await sandbox.close();
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { wsid = 'W-1001', token = 'sandbox-token', host = '127.0.0.1', port = 0, latency = 0 } = options;
	const { now = Date.now, log = () => {}, storeName = 'Fjell & Form', products = [] } = options;
	const { productUrl = (pid) => `https://shop.example/products/${encodeURIComponent(pid)}/` } = options;
	const { apiKey = 'sandbox-api-key-1001', tokenLifetime = 2_592_000_000, crawlerPort } = options;
	const seed = options.seed === false ? DEFAULT_SEED : (options.seed ?? DEFAULT_SEED);
	const fixed = typeof token === 'string' ? ([token] as const) : token;
	const tokens = new AccessTokens({ fixed, apiKey, lifetime: tokenLifetime, now });
	const database = new Database(options.data ?? ':memory:');
	try {
		if (database.isNew && options.seed !== false) seedDatabase(database, seed);
		addExtraProducts(database, products, now, seed);
		const { allowRemoteWebhooks: allowRemote = false } = options;
		const webhooks = new Webhooks({ wsid, apiKey, allowRemote, now, random: createRandom(seed), log });
		for (const webhook of options.webhooks ?? []) webhooks.add(webhook);
		const shared = {
			store: createReviewStore(database, now, (type, pid) => webhooks.send(type, pid)),
			faults: new FaultRules(createRandom(seed)),
			requests: new RequestRecords(),
			webhooks,
			notes: createNotes(now),
		};
		const storeFacts = { wsid, storeName, productUrl };
		const publicUrl = options.publicUrl === undefined ? undefined : new URL(options.publicUrl).origin;
		const service = { ...shared, database, facts: storeFacts, tokens, host, publicUrl, latency, now, log };
		const isCrawler = (operation: Operation) => operation === 'crawlerReviews';
		const isOne = crawlerPort === undefined;
		const server = await startServer(service, port, (operation) => isOne || !isCrawler(operation));
		const crawler = isOne
			? server
			: await startServer(service, crawlerPort, isCrawler).catch(async (error) => {
					await server.close();
					throw error;
				});
		let closing: Promise<void> | undefined;
		const close = () => {
			closing ??= Promise.all([webhooks.close(), server.close(), crawler.close()]).then(() =>
				database.close(),
			);
			return closing;
		};
		const { url } = server;
		const facts = { url, port: server.port, crawlerUrl: crawler.url, wsid, token: fixed[0], apiKey };
		return { ...facts, ...shared, close };
	} catch (error) {
		database.close();
		throw error;
	}
}
