import type { Validators } from 'product-reviews-client';
import type { Driver } from 'unstorage';
import { pacingOf } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { driverConfig, type StorageOptions } from '../options/storage.js';
import type { Freshness } from '../runtime/page-source.js';
import type {
	SharedKind,
	SharedRead,
	SharedStorage,
	SharedWrite,
	Stamp,
	StorageContext,
} from '../shared-storage/shared-storage.js';

/** The service's answer; `'unchanged'` if the remembered value is current. */
type LiveAnswer<Value, Known> = { readonly value: Value; readonly known?: Known } | 'unchanged';

/** Context of a memory. Durations are in milliseconds. */
export interface LiveMemoryContext<Value, Known> {
	/** Asks the service. @param known what came with the remembered value. */
	readonly ask: (pid: string, known: Known | undefined) => Promise<LiveAnswer<Value, Known>>;
	/** Whether a value contains nothing to show. */
	readonly isEmpty: (value: Value) => boolean;
	/** Whether the service is known to have something of a product. Anybody can make up an id. */
	readonly isKnown: (pid: string) => boolean;
	/** What all instances share. @default nothing */
	readonly sharing?: LiveSharing<Value> | undefined;
	/** How long a value is shown before it is fetched again. */
	readonly fresh: number;
	/** Up to which age a value is shown while it is fetched again. */
	readonly stale: number;
	/** Up to which age a value is shown if the service fails or takes too long. */
	readonly staleIfError: number;
	/** How long a page waits, from the start of a request. */
	readonly timeLimit: number;
	/** Most products with something to show to remember, and most requests at once. */
	readonly most: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Monotonic clock, in milliseconds, for measuring ages. */
	readonly monotonicNow: () => number;
	/** Calls back after a delay. @returns a function that cancels it. */
	readonly schedule: (callback: () => void, milliseconds: number) => () => void;
	readonly onFailure: (pid: string, error: unknown) => void;
	/** Called with products that had something to show, and for which an empty answer is not believed: they are too many. */
	readonly onVanished: (lost: ReadonlySet<string>, products: number) => void;
}

/** The values of products at request time. Each has at most one request in flight, however many pages ask. */
export interface LiveMemory<Value> {
	/** `undefined` if there is none in time. */
	load(pid: string): Promise<Value | undefined>;
	/** What {@link LiveMemory.load} would return without a request. */
	peek(pid: string): Value | undefined;
	/** Freshness of the last value. */
	freshness(pid: string): Freshness;
	/** Whether a value with something to show is remembered. */
	has(pid: string): boolean;
	/** Whether a product is being looked up or requested. */
	isAsked(pid: string): boolean;
	/** Makes a product count as outdated until it is fetched again. */
	forget(pid: string): void;
	forgetAll(): void;
	/** Makes every product be looked up in what instances share. */
	doubtAll(): void;
}

/** The code of the option `storage`, which only servers with that option contain. */
interface StorageModules {
	readonly openSharedStorage: (context: StorageContext) => SharedStorage;
	/** @throws Error if its configuration lacks something. */
	readonly createDriver: (config: Readonly<Record<string, unknown>>) => Driver;
}

/** External dependencies of a live source. */
export interface LiveEnvironment {
	/** A variable of the server's environment. */
	readonly getSecret: (name: string) => string | undefined;
	/** @default answers are not shared */
	readonly storage?: StorageModules | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: () => number;
	/** Monotonic clock, in milliseconds. @default `now` if that is given, otherwise performance.now */
	readonly monotonicNow?: () => number;
	/** Calls back after a delay. @returns a function that cancels it. @default a timer */
	readonly schedule?: (callback: () => void, milliseconds: number) => () => void;
	/** @default console.warn */
	readonly warn?: (message: string) => void;
}

/**
 * Settings in the server's bundle. They do not include the token, which is only in the environment of the server. Durations
 * are in milliseconds.
 */
export interface LiveSettings {
	/** Left out if it is in the environment of the server. */
	readonly baseUrl?: string | undefined;
	/** Left out if it is in the environment of the server. */
	readonly wsid?: string | undefined;
	readonly pacing: ReturnType<typeof pacingOf>;
	/** How old reviews may be that are shown when the service fails. */
	readonly staleIfError: number;
	readonly onDemand: ProductReviewsOptions['onDemand'];
	/** Left out without the option `storage`. */
	readonly storage?: { readonly config: StorageOptions['config'] } | undefined;
}

export function toLiveSettings(options: ProductReviewsOptions): LiveSettings {
	return {
		baseUrl: options.baseUrl?.trim() || undefined,
		wsid: options.wsid?.trim() || undefined,
		pacing: pacingOf(options),
		staleIfError: options.staleIfError,
		onDemand: options.onDemand,
		storage: options.storage && { config: driverConfig(options.storage) },
	};
}

/** Values by key. The least recently used are dropped first. */
export interface RecentMap<Value> {
	/** The value of a key, which counts as a use. */
	get(key: string): Value | undefined;
	/** The value of a key, without counting as a use. */
	peek(key: string): Value | undefined;
	set(key: string, value: Value): void;
	delete(key: string): void;
	keys(): Iterable<string>;
	values(): Iterable<Value>;
	readonly size: number;
}

/** Keeps exactly the `most` last-used keys. A map in two generations, such as quick-lru, may keep only half of them. */
export function createRecentMap<Value>(most: number): RecentMap<Value> {
	// A Map iterates over its keys in insertion order.
	const values = new Map<string, Value>();
	const set = (key: string, value: Value) => {
		values.delete(key);
		values.set(key, value);
		if (values.size <= most) return;
		for (const oldest of values.keys()) {
			values.delete(oldest);
			return;
		}
	};
	return {
		get(key) {
			const value = values.get(key);
			if (value !== undefined) set(key, value);
			return value;
		},
		peek: (key) => values.get(key),
		set,
		delete: (key) => void values.delete(key),
		keys: () => values.keys(),
		values: () => values.values(),
		get size() {
			return values.size;
		},
	};
}

/** A value that the service sent. Times are of the monotonic clock, except `changedAt`: milliseconds since 1970. */
export interface Good<Value, Known> {
	readonly value: Value;
	readonly known?: Known | undefined;
	readonly fetchedAt: number;
	readonly changedAt: number;
}

/** The remembered state of a product. */
export interface Entry<Value, Known> {
	good?: Good<Value, Known>;
	failedAt?: number;
	/** The product is known to have changed since. */
	isOutdated?: boolean;
	/** It may have changed since: this instance missed events. */
	isUnsure?: boolean;
}

/** The remembered state of all products. */
export interface Entries<Value, Known> {
	/** @param isUse whether it counts as a use. The least recently used products are forgotten first. */
	get(pid: string, isUse?: boolean): Entry<Value, Known> | undefined;
	/** Whether a product has something to show. */
	has(pid: string): boolean;
	/** Products that have something to show. */
	shown(): Iterable<string>;
	setGood(pid: string, entry: Entry<Value, Known>, isEmpty: boolean): void;
	setFailed(pid: string, failedAt: number): void;
	outdate(pid: string): void;
	outdateAll(): void;
	/** Makes all of them unsure. */
	doubtAll(): void;
}

/** How many products without reviews, or that failed, are remembered for each product with something to show. */
const OTHERS_SHARE = 0.5;

/**
 * Ids come from addresses, and so from anybody. Products without anything to show, and those that failed, are remembered
 * separately: made-up ids, however many, never push out a real product. Their entries are empty, and take little memory.
 *
 * @param most products with something to show.
 */
export function createEntries<Value, Known>(most: number): Entries<Value, Known> {
	const shown = createRecentMap<Entry<Value, Known>>(most);
	const others = createRecentMap<Entry<Value, Known>>(Math.max(1, Math.floor(most * OTHERS_SHARE)));
	return {
		get: (pid, isUse = false) =>
			isUse ? (shown.get(pid) ?? others.get(pid)) : (shown.peek(pid) ?? others.peek(pid)),
		has: (pid) => shown.peek(pid) !== undefined,
		shown: shown.keys,
		setGood(pid, entry, isEmpty) {
			const [to, from] = isEmpty ? [others, shown] : [shown, others];
			from.delete(pid);
			to.set(pid, entry);
		},
		setFailed(pid, failedAt) {
			const remembered = shown.peek(pid);
			if (remembered) remembered.failedAt = failedAt;
			else others.set(pid, { ...others.peek(pid), failedAt });
		},
		outdate(pid) {
			outdate(shown.peek(pid) ?? others.peek(pid));
		},
		outdateAll() {
			for (const entry of shown.values()) outdate(entry);
			for (const entry of others.values()) outdate(entry);
		},
		doubtAll() {
			for (const entry of shown.values()) entry.isUnsure = true;
			for (const entry of others.values()) entry.isUnsure = true;
		},
	};
}

function outdate<Value, Known>(entry: Entry<Value, Known> | undefined): void {
	if (!entry) return;
	entry.isOutdated = true;
	delete entry.failedAt;
}

/** The shared storage, for one kind of values, with ages on this instance's clock. */
export interface LiveSharing<Value> {
	/** `undefined` if the storage cannot be read. Reads at the same moment share a round trip. */
	read(pid: string): Promise<SharedRead<Value> | undefined>;
	/** An answer that was read. */
	toGood<Known>(entry: NonNullable<SharedRead<Value>['entry']>): Good<Value, Known>;
	/**
	 * Stores an answer of this instance.
	 * @param stamp as read before the request.
	 * @param isTransient whether anybody may have made up the product.
	 */
	write(
		pid: string,
		good: Good<Value, unknown>,
		stamp: Stamp | undefined,
		isTransient: boolean,
	): Promise<unknown>;
	lock(pid: string): ReturnType<SharedStorage['lock']>;
}

export function createLiveSharing<Value>(
	storage: Pick<SharedStorage, 'read' | 'write' | 'lock' | 'now'>,
	kind: SharedKind,
	monotonicNow: () => number,
): LiveSharing<Value> {
	let batch: Batch | undefined;
	const startBatch = (): Batch => {
		const pids = new Set<string>();
		const found = Promise.resolve().then(() => {
			batch = undefined;
			return storage.read(kind, [...pids]);
		});
		return { pids, found };
	};
	return {
		async read(pid) {
			batch ??= startBatch();
			batch.pids.add(pid);
			return (await batch.found).get(pid) as SharedRead<Value> | undefined;
		},
		toGood<Known>({ value, known, fetchedAt, changedAt }: NonNullable<SharedRead<Value>['entry']>) {
			const age = Math.max(0, storage.now() - fetchedAt);
			return { value, known: known as Known | undefined, fetchedAt: monotonicNow() - age, changedAt };
		},
		write(pid, { value, known, fetchedAt, changedAt }, stamp, isTransient) {
			const age = monotonicNow() - fetchedAt;
			const answer = { value, known: known as Validators | undefined, changedAt };
			const write = { kind, pid, ...answer, fetchedAt: storage.now() - age, stamp, isTransient };
			return storage.write([write as unknown as SharedWrite]);
		},
		lock: (pid) => storage.lock(kind, pid),
	};
}

/** Products to read together. */
interface Batch {
	readonly pids: Set<string>;
	readonly found: Promise<ReadonlyMap<string, SharedRead<unknown>>>;
}
