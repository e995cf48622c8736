import { openDatabase } from './database.js';
import { addExtraProducts, SEED, seedDatabase } from './seed.js';
import { startServer } from './server.js';
import { createService, type SandboxOptions, type Service } from './service.js';
import type { ReviewStore } from './store.js';

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
	readonly faults: Service['faults'];
	readonly requests: Service['requests'];
	/** Notifies your URLs of every edit. */
	readonly webhooks: Service['webhooks'];
	/** Tells the page with the form what became of a review elsewhere, such as in a shop. */
	readonly notes: Service['notes'];
	/** Ends all connections and webhooks immediately and closes the data file. Can be called more than once. */
	close(): Promise<void>;
}

/**
 * Starts the review service on this machine: the three documented operations, seeded with 60 products, and additional
 * routes to edit reviews, cause faults and inspect requests.
 * @throws {Error} If the port is in use or the data file cannot be read.
 * @example
 * const sandbox = await startSandbox();
 * const response = await fetch(`${sandbox.url}/api/llmRvwHTML?wsid=${sandbox.wsid}&pid=p-1&ihtml=true`);
 * await sandbox.close();
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { seed: given = SEED, port = 0, crawlerPort, now = Date.now } = options;
	const seed = given === false ? SEED : given;
	const database = openDatabase(options.data ?? ':memory:');
	try {
		if (database.isNew && given !== false) seedDatabase(database, seed);
		addExtraProducts(database, options.products ?? [], now(), seed);
		const service = createService(database, seed, options);
		const isOne = crawlerPort === undefined;
		const server = await startServer(service, port, (name) => isOne || name !== 'crawlerReviews');
		const crawler = isOne
			? server
			: await startServer(service, crawlerPort, (name) => name === 'crawlerReviews').catch(async (error) => {
					await server.close();
					throw error;
				});
		const { store, faults, requests, webhooks, notes, facts, tokens } = service;
		let closing: Promise<void> | undefined;
		const close = () => {
			closing ??= Promise.all([webhooks.close(), server.close(), crawler.close()]).then(() =>
				database.close(),
			);
			return closing;
		};
		const addresses = { url: server.url, port: server.port, crawlerUrl: crawler.url };
		const { first: token, apiKey } = tokens;
		return { ...addresses, wsid: facts.wsid, token, apiKey, store, faults, requests, webhooks, notes, close };
	} catch (error) {
		database.close();
		throw error;
	}
}
