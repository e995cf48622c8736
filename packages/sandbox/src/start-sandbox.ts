import { openDatabase } from './database/open-database.js';
import { createFaultRules, type FaultRules } from './faults/rules.js';
import { createNotes, type Notes } from './notes/notes.js';
import type { SandboxOptions } from './sandbox-options.js';
import { addExtraProducts } from './seed/add-extra-products.js';
import { createRandom } from './seed/random.js';
import { DEFAULT_SEED, seedDatabase } from './seed/seed-database.js';
import { createRequestRecords, type RequestRecords } from './server/requests.js';
import { startServer } from './server/start-server.js';
import type { Service } from './service.js';
import { createStore, type ReviewStore } from './store.js';
import { announceEdits } from './webhooks/announce-edits.js';
import { createWebhooks } from './webhooks/create-webhooks.js';
import { deliveryLogLine } from './webhooks/delivery-log-line.js';
import type { Webhooks } from './webhooks/webhooks.js';

/** A running sandbox. */
export interface Sandbox {
	/** Base URL without a trailing slash, such as `http://127.0.0.1:4400`. */
	readonly url: string;
	readonly port: number;
	/** Website id. */
	readonly wsid: string;
	/** An accepted access token: the first one of the option. */
	readonly token: string;
	/** Edits products, reviews and questions. */
	readonly store: ReviewStore;
	/** Makes requests to the three operations fail. */
	readonly faults: FaultRules;
	/** Requests to the three operations. */
	readonly requests: RequestRecords;
	/** Notifies your URLs of every edit. */
	readonly webhooks: Webhooks;
	/** Tells the page with the form what became of a review elsewhere, such as in a shop. */
	readonly notes: Pick<Notes, 'add'>;
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
	const { wsid = 'W-1001', token = 'sandbox-token', now = Date.now, log = () => {} } = options;
	const { host = '127.0.0.1' } = options;
	const seed = options.seed === false ? DEFAULT_SEED : (options.seed ?? DEFAULT_SEED);
	const tokens = typeof token === 'string' ? ([token] as const) : token;
	const { database, isNew } = openDatabase(options.data ?? ':memory:');
	try {
		if (isNew && options.seed !== false) seedDatabase(database, seed);
		addExtraProducts(database, options.products ?? [], now, seed);
		const webhooks = createWebhooks({
			wsid,
			allowRemote: options.allowRemoteWebhooks ?? false,
			fetch,
			now,
			random: createRandom(seed),
			onDelivery: (delivery) => log(deliveryLogLine(delivery)),
		});
		for (const webhook of options.webhooks ?? []) webhooks.add(webhook);
		const store = announceEdits(createStore(database, now), webhooks.send);
		const service: Service = {
			database,
			store,
			facts: {
				wsid,
				storeName: options.storeName ?? 'Fjell & Form',
				productUrl: options.productUrl ?? defaultProductUrl,
			},
			tokens,
			faults: createFaultRules(createRandom(seed)),
			requests: createRequestRecords(),
			webhooks,
			notes: createNotes(now),
			host,
			publicUrl: options.publicUrl === undefined ? undefined : new URL(options.publicUrl).origin,
			latency: options.latency ?? 0,
			now,
			log,
		};
		const server = await startServer(service, options.port ?? 0, host);
		let closing: Promise<void> | undefined;
		return {
			url: server.url,
			port: server.port,
			wsid,
			token: tokens[0],
			store,
			faults: service.faults,
			requests: service.requests,
			webhooks,
			notes: service.notes,
			close() {
				closing ??= Promise.all([webhooks.close(), server.close()]).then(() => database.close());
				return closing;
			},
		};
	} catch (error) {
		database.close();
		throw error;
	}
}

function defaultProductUrl(pid: string): string {
	return `https://shop.example/products/${encodeURIComponent(pid)}/`;
}
