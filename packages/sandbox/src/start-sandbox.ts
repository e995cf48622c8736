import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { inTransaction, products, reviews } from './database/database.js';
import { input, readInput, toReview } from './editing/input.js';
import { createFaultRules, type FaultRules } from './faults/faults.js';
import { createNotes, type Notes } from './notes/notes.js';
import type { Product, Review } from './records.js';
import type { ExtraProduct, SandboxOptions } from './sandbox-options.js';
import { composeReviews } from './seed/compose-reviews.js';
import { type ProductCategory, SEED_PRODUCTS } from './seed/products.js';
import { createRandom, type Random } from './seed/random.js';
import { DEFAULT_SEED, seedDatabase } from './seed/seed-database.js';
import { handleRequest } from './server/handle-request.js';
import { plainText } from './server/http.js';
import { createRequestRecords, type RequestRecords } from './server/requests.js';
import type { Service } from './service.js';
import { createStore, type ReviewStore } from './store.js';
import {
	createWebhooks,
	type WebhookDelivery,
	type WebhookEventType,
	type Webhooks,
} from './webhooks/webhooks.js';

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

/**
 * Formats one line for an attempt: `webhook review.created pid=p-1 to localhost:4321 202 4 ms`. It shows only the host of
 * the URL, because the rest may contain a key.
 */
function deliveryLogLine(delivery: WebhookDelivery): string {
	const { type, pid, url, status, error, attempt, copy, badSignature, ms } = delivery;
	const parts = [
		`webhook ${type}`,
		`pid=${plainText(pid)}`,
		`to ${new URL(url).host}`,
		status === null ? `no answer (${error})` : String(status),
		`${Math.round(ms)} ms`,
		attempt > 1 ? `attempt=${attempt}` : '',
		copy > 0 ? `copy=${copy}` : '',
		badSignature ? 'bad-signature' : '',
	];
	return parts.filter((part) => part !== '').join(' ');
}

/**
 * Wraps a store so that it announces each edit. Each edit causes one event, named after the call: creating an unpublished
 * review is `review.created`, an edit that changes the status is `review.updated`, and adding a question with its answer
 * is `question.answered`.
 *
 * @param announce Called for each product that the edit concerns. Must not throw.
 */
function announceEdits(
	store: ReviewStore,
	announce: (type: WebhookEventType, pid: string) => void,
): ReviewStore {
	const announced = <Edited extends { readonly pid: string }>(
		type: WebhookEventType,
		edited: Edited,
	): Edited => {
		announce(type, edited.pid);
		return edited;
	};
	return {
		...store,
		createReview: (pid, review) => announced('review.created', store.createReview(pid, review)),
		editReview: (id, changes) => announced('review.updated', store.editReview(id, changes)),
		publish: (id) => announced('review.published', store.publish(id)),
		unpublish: (id) => announced('review.unpublished', store.unpublish(id)),
		deleteReview: (id) => announced('review.deleted', store.deleteReview(id)),
		addQuestion(pid, question) {
			const added = store.addQuestion(pid, question);
			const type = added.answeredAt === null ? 'question.created' : 'question.answered';
			for (const about of new Set(added.pids)) announce(type, about);
			return added;
		},
	};
}

/** Idle connections stay open for a minute: if one closed during a build, it would look like a fault. */
const KEEP_ALIVE_IN_MILLISECONDS = 60_000;

/** A listening server. */
interface RunningServer {
	readonly url: string;
	readonly port: number;
	/** Closes every connection and resolves when none is left. */
	close(): Promise<void>;
}

/**
 * Starts listening for requests.
 *
 * @throws {Error} If the port is in use or the address does not belong to this machine.
 */
async function startServer(service: Service, port: number, host: string): Promise<RunningServer> {
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_IN_MILLISECONDS }, (request, response) => {
		void handleRequest(request, response, service);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error) => reject(listenError(error, host, port)));
		server.listen(port, host, resolve);
	});
	const { port: actual } = server.address() as AddressInfo;
	const name = host.includes(':') ? `[${host}]` : host;
	return {
		url: `http://${name}:${actual}`,
		port: actual,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
	const reason =
		cause.code === 'EADDRINUSE'
			? 'The port is in use: choose another one, or 0 for a free one.'
			: cause.message;
	return new Error(`The sandbox cannot listen on ${host}:${port}. ${reason}`, { cause });
}

const CATEGORIES: ReadonlySet<string> = new Set(SEED_PRODUCTS.map(({ category }) => category));

/**
 * Adds products that are not in the database yet, with their reviews. It uses a single transaction, so that a hundred
 * thousand products take only seconds.
 *
 * @throws {InvalidInputError} If a product or a review is invalid.
 */
function addExtraProducts(
	database: DatabaseSync,
	extras: Iterable<ExtraProduct>,
	now: () => number,
	seed: number,
): void {
	const random = createRandom(seed);
	const changedAt = new Date(now()).toISOString();
	inTransaction(database, () => {
		for (const { reviews: given = [], ...rest } of extras) {
			const { pid, name, category = '', url = null, imageUrl = '' } = readInput(input.product, rest);
			if (products.find(database, pid)) continue;
			const product = { pid, name, category, url, imageUrl, changedAt };
			products.put(database, product);
			for (const review of reviewsOf(product, given, random)) reviews.put(database, review);
		}
	});
}

function reviewsOf(
	{ pid, category, changedAt }: Product,
	given: NonNullable<ExtraProduct['reviews']>,
	random: Random,
): Review[] {
	if (typeof given === 'number') {
		const known = CATEGORIES.has(category) ? (category as ProductCategory) : 'home';
		return composeReviews({ pid, category: known }, given, random);
	}
	return given.map((review) => {
		const id = randomBytes(12).toString('hex');
		return toReview({ id, pid, updatedAt: changedAt }, readInput(input.review, review));
	});
}

/** Bump this with every change to the tables below; a file of another version is rejected, not migrated. */
const SCHEMA_VERSION = 1;

const TABLES = `
CREATE TABLE products (
	pid TEXT PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, url TEXT, image_url TEXT NOT NULL,
	changed_at TEXT NOT NULL
);
CREATE TABLE reviews (
	id TEXT PRIMARY KEY, pid TEXT NOT NULL REFERENCES products (pid), status TEXT NOT NULL, rating REAL NOT NULL,
	title TEXT NOT NULL, body TEXT NOT NULL, author TEXT NOT NULL, published_at TEXT, updated_at TEXT NOT NULL,
	details TEXT NOT NULL
);
CREATE INDEX reviews_of_product ON reviews (pid, status);
CREATE TABLE questions (
	id TEXT PRIMARY KEY, question TEXT NOT NULL, answer TEXT NOT NULL, author TEXT NOT NULL,
	asked_at TEXT NOT NULL, answered_at TEXT
);
CREATE TABLE question_products (
	pid TEXT NOT NULL REFERENCES products (pid), question_id TEXT NOT NULL REFERENCES questions (id),
	PRIMARY KEY (pid, question_id)
);
CREATE TABLE tokens (token TEXT PRIMARY KEY, created_at TEXT NOT NULL);
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** An open database, and whether its tables were just created. */
interface OpenDatabase {
	readonly database: DatabaseSync;
	readonly isNew: boolean;
}

/**
 * Opens the sandbox's database, and creates its tables in a new file.
 *
 * @param path Path of the SQLite file, or `:memory:`.
 * @throws {Error} If the file is not a database, or was written by another version of the sandbox.
 */
function openDatabase(path: string): OpenDatabase {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(path);
		const version = database.prepare('PRAGMA user_version').get()?.user_version;
		const tables = database.prepare('SELECT COUNT(*) AS count FROM sqlite_schema').get()?.count;
		const isNew = version === 0 && tables === 0;
		if (!isNew && version !== SCHEMA_VERSION) {
			throw new Error(`its tables have version ${version}, this sandbox reads version ${SCHEMA_VERSION}`);
		}
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
		if (isNew) database.exec(`BEGIN; ${TABLES} COMMIT`);
		return { database, isNew };
	} catch (cause) {
		database?.close();
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new Error(
			`The sandbox cannot use the data file "${path}": ${reason}. Choose another file or delete it.`,
			{ cause },
		);
	}
}
