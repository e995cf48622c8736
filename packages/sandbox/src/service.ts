import { randomBytes } from 'node:crypto';
import type { Operation } from 'product-reviews-client/contract';
import { z } from 'zod';
import type { Database } from './database.js';
import { createFaultRules } from './faults.js';
import type { Answer, Call } from './http.js';
import { createRandom } from './random.js';
import { readInput } from './records.js';
import { createRequestRecords } from './requests.js';
import type { ExtraProduct } from './seed.js';
import { createReviewStore } from './store.js';
import { createWebhooks, type NewWebhook } from './webhooks.js';

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
	/** Lifetime of such a token if the caller chooses none, in milliseconds. @default 2_592_000_000 (30 days) */
	readonly tokenLifetime?: number;
	/** Port of an address for operation 3, which is then at no other; 0 picks a free one. @default that of the others */
	readonly crawlerPort?: number;
	/** Path of an SQLite file for the data, which is seeded once, when it is created. @default kept in memory */
	readonly data?: string;
	/**
	 * Seed that the reviews are dealt to products with; `false` starts empty. It also determines faults with a probability,
	 * and the order of webhooks with `disorder`.
	 * @default 1001
	 */
	readonly seed?: number | false;
	/** Returns the URL of a product page. @default (pid) => `https://shop.example/products/${encodeURIComponent(pid)}/` */
	readonly productUrl?: (pid: string) => string;
	/**
	 * Scheme, host and port at which browsers reach the sandbox, its pictures and videos, if it is behind a proxy or in a
	 * container. @default the address that a request was sent to
	 */
	readonly publicUrl?: string;
	/** The store's name: `publisher` in the structured data. @default 'Fjell & Form' */
	readonly storeName?: string;
	/** Delay of each of the three operations, in milliseconds. @default 0 */
	readonly latency?: number;
	/** Called with one line per request and per attempt to send a webhook. */
	readonly log?: (line: string) => void;
	/** Products to add; existing ones stay unchanged. */
	readonly products?: Iterable<ExtraProduct>;
	/** URLs that are notified of every edit; see `Sandbox.webhooks`. They are not stored in the data file. */
	readonly webhooks?: Iterable<NewWebhook>;
	/** Allows webhooks to other machines. @default false */
	readonly allowRemoteWebhooks?: boolean;
	/**
	 * Clock for the timestamps of edits and webhooks, in milliseconds since 1970. If it differs from the real time by more
	 * than a few minutes, receivers that use the real time reject the webhooks.
	 * @default Date.now
	 */
	readonly now?: () => number;
}

export type Service = ReturnType<typeof createService>;

/** Creates the state of one running sandbox. */
export function createService(database: Database, seed: number, options: SandboxOptions) {
	const { wsid = 'W-1001', storeName = 'Fjell & Form', apiKey = 'sandbox-api-key-1001' } = options;
	const { token = 'sandbox-token', tokenLifetime: lifetime = 2_592_000_000 } = options;
	const { productUrl = (pid) => `https://shop.example/products/${encodeURIComponent(pid)}/` } = options;
	const { host = '127.0.0.1', latency = 0, now = Date.now, log = () => {} } = options;
	const { allowRemoteWebhooks: allowRemote = false } = options;
	const webhooks = createWebhooks({ wsid, apiKey, allowRemote, now, random: createRandom(seed), log });
	for (const webhook of options.webhooks ?? []) webhooks.add(webhook);
	const store = createReviewStore(database, now, (type, pid) => webhooks.send(type, pid));
	/** `undefined` if browsers use the address of the requests. */
	const publicUrl = options.publicUrl === undefined ? undefined : new URL(options.publicUrl).origin;
	const tokens = createAccessTokens([token].flat(), apiKey, lifetime, now);
	const faults = createFaultRules(createRandom(seed));
	const [requests, notes] = [createRequestRecords(), createNotes(now)];
	const facts = { wsid, storeName, productUrl };
	const state = { database, store, faults, requests, webhooks, notes, tokens };
	return { ...state, facts, host, publicUrl, latency, now, log };
}

type Handler = (call: Call, service: Service) => Answer;

/** One of the three documented operations, which are recorded and can be given faults. */
export interface OperationRoute {
	readonly operation: Operation;
	readonly pidsOf: (call: Call) => readonly string[];
	readonly handle: Handler;
}

/** By method and path, in which `:name` matches one segment. */
export type Routes = Readonly<Record<string, Handler | OperationRoute>>;

/** Keeps the access tokens: fixed ones, and those got for the API key, valid for `lifetime` ms if nobody chooses. */
function createAccessTokens(fixed: readonly string[], apiKey: string, lifetime: number, now: () => number) {
	/** Expiry of each token, in milliseconds since 1970. */
	const minted = new Map<string, number>();
	return {
		apiKey,
		first: fixed[0] ?? '',
		/** Returns what no log line may contain. */
		secrets: (): readonly string[] => [...fixed, apiKey, ...minted.keys()],
		isValid: (token: string) => fixed.includes(token) || (minted.get(token) ?? 0) > now(),
		/** @returns `undefined` for a wrong key. */
		mint(key: string | null, days: number | undefined): string | undefined {
			if (key !== apiKey) return undefined;
			const token = `tok_${randomBytes(18).toString('base64url')}`;
			minted.set(token, now() + (days === undefined ? lifetime : days * 86_400_000));
			return token;
		},
	};
}

const webUrl = z.url({ protocol: /^https?$/ });
const noteItem = z.strictObject({ text: z.string().max(2_000), url: webUrl.optional() });

const noteInput = z.strictObject({
	pid: z.string(),
	/** The news, without a full stop: the page adds the time that passed. */
	text: z.string().max(2_000),
	items: z.array(noteItem).max(100).default([]),
	/** Start of the event, in milliseconds since 1970: only who published a review before sees the note. @default now */
	startedAt: z.number().optional(),
});

/** A note as accepted by `notes.add`; only `pid` and `text` are required. */
export type NewNote = z.input<typeof noteInput>;

export interface Note extends Readonly<z.output<typeof noteInput>> {
	readonly startedAt: number;
	readonly addedAt: number;
}

export interface Notes extends ReturnType<typeof createNotes> {}

/** Keeps notes about reviews outside of the service. The sandbox's page shows a note to who published the review. */
function createNotes(now: () => number) {
	const notes: Note[] = [];
	return {
		/** @example sandbox.notes.add({ pid: 'p-1', text: '2 files changed', items: [{ text: 'index.html' }] }); */
		add(note: NewNote): void {
			const addedAt = now();
			const { startedAt = addedAt, ...rest } = readInput(noteInput, note);
			notes.push({ ...rest, startedAt, addedAt });
			// Older notes are dropped, so that a sandbox that runs for long does not grow.
			if (notes.length > 1_000) notes.shift();
		},
		find: (pid: string, since: number): Note | undefined =>
			notes.find((note) => note.pid === pid && note.startedAt >= since),
	};
}
