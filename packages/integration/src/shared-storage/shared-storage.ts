import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Validators } from 'product-reviews-client';
import type { Driver } from 'unstorage';
import type { AggregateRating, ProductReviews, ReviewData } from '../parse/record.js';

/**
 * Answers of the service that server instances and builders share. No operation throws: a storage that fails is as if it were
 * empty.
 */
export interface SharedStorage {
	/**
	 * What the storage has of products, in one round trip where the driver can. A value that does not check is as if it were
	 * not there.
	 * @returns nothing of any product if the storage fails or takes too long.
	 */
	read<Kind extends SharedKind>(
		kind: Kind,
		pids: readonly string[],
	): Promise<ReadonlyMap<string, SharedRead<SharedValues[Kind]>>>;
	/** Stores answers. @returns whether the driver accepted them. */
	write(entries: readonly SharedWrite[]): Promise<boolean>;
	/**
	 * Tells all instances that reviews of these products have changed. Until the storage accepts it, it is kept and tried again
	 * whenever {@link SharedStorage.poll} is called.
	 * @param pids `undefined` for all products.
	 * @returns whether the storage has it.
	 */
	outdate(pids: readonly string[] | undefined): Promise<boolean>;
	/** What changed since the last call, according to other instances. Reads from the storage at most once a second. */
	poll(): Promise<Changed>;
	/**
	 * Lets one instance at a time request a product from the service.
	 * @param milliseconds after which it ends in any case. @default LOCK_TIME
	 * @returns `'taken'` if another one does. Otherwise a function that ends it.
	 */
	lock(kind: SharedKind, pid: string, milliseconds?: number): Promise<'taken' | (() => Promise<void>)>;
	/** The time of all instances, in milliseconds since 1970. */
	now(): number;
	close(): Promise<void>;
}

/**
 * Products of which reviews changed. `'all'`: those of every product may have. `'unsure'`: this instance missed events, and has
 * to look up in the storage which products they were of.
 */
export type Changed = readonly string[] | 'all' | 'unsure';

/** How long one instance may request a product before another one does, in milliseconds. */
export const LOCK_TIME = 3_000;

/** What is shared of a product, by kind. */
export interface SharedValues {
	readonly reviews: ProductReviews;
	readonly 'review-data': ReviewData;
	readonly rating: SharedRating;
}

export type SharedKind = keyof SharedValues;

/** The rating that the service sends in lists. */
interface SharedRating {
	/** `undefined` for a product without ratings. */
	readonly aggregate: AggregateRating | undefined;
	/** `undefined` if whoever stored it does not use it. */
	readonly questionCount?: number | undefined;
}

/**
 * Which events an answer is known to be newer than: the last one of its product, and the last one of all products. It is
 * taken before the request to the service. If it is another one when the answer is read, the answer is outdated. Unlike
 * times, it does not depend on anybody's clock.
 */
export interface Stamp {
	readonly product?: string | undefined;
	readonly all?: string | undefined;
}

/** An answer of the service. Times are in milliseconds since 1970. */
export interface SharedAnswer<Value> {
	readonly value: Value;
	/** What the service sent to ask whether the value is still current. */
	readonly known?: Validators | undefined;
	/** When the service sent it, or said that it is still current. */
	readonly fetchedAt: number;
	/** When this value was first seen. */
	readonly changedAt: number;
}

/** An answer in the storage. */
export interface SharedEntry<Value> extends SharedAnswer<Value> {
	/** Whether an event came since. */
	readonly isOutdated: boolean;
}

/** What the storage has of a product. */
export interface SharedRead<Value> {
	/** `undefined` if there is none, or one that does not check. */
	readonly entry: SharedEntry<Value> | undefined;
	/** For an answer that is requested from the service after this. */
	readonly stamp: Stamp;
}

/** An answer to store. */
export type SharedWrite = {
	readonly [Kind in SharedKind]: SharedAnswer<SharedValues[Kind]> & {
		readonly kind: Kind;
		readonly pid: string;
		/** As read before the request to the service; `undefined` if the storage could not be read. */
		readonly stamp: Stamp | undefined;
		/** Stored for an hour, and only if the driver can: an answer about a product that anybody may have made up. */
		readonly isTransient?: boolean | undefined;
	};
}[SharedKind];

/** What a shared storage works with. */
export interface StorageContext {
	/**
	 * Creates the driver. Called once, when something is first read or written.
	 * @throws Error if the driver's configuration lacks something.
	 */
	readonly open: () => Driver;
	/** Account at the service: see `accountOf`. */
	readonly account: string;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Monotonic clock, in milliseconds. */
	readonly monotonicNow: () => number;
	/** Calls back after a delay, in milliseconds. @returns a function that cancels it. */
	readonly schedule: (callback: () => void, milliseconds: number) => () => void;
	/** Called at most once a minute. The message contains no secret. */
	readonly warn: (message: string) => void;
	/** How long to wait for what is read, in milliseconds. @default 100 */
	readonly patience?: number | undefined;
	/**
	 * Whether to wait that long for each answer of a driver that needs a request for each key, and not for all of them.
	 * @default false
	 */
	readonly waitsForEach?: boolean | undefined;
}

/** Version of everything stored. Another version uses other keys, so that two of them can share a storage. */
const SCHEMA = 1;

/** What all keys begin with. */
const ROOT = 'product-reviews:';

/** The keys of one account. Segments are separated by colons, as `unstorage` does. */
export interface StorageKeys {
	/** The last answer of a product. */
	value(kind: SharedKind, pid: string): string;
	/** Id of the last event of a product. */
	mark(pid: string): string;
	/** Held while one instance requests a product. */
	lock(kind: SharedKind, pid: string): string;
	/** The latest events. */
	readonly changes: string;
	/** The latest time of any instance. */
	readonly clock: string;
}

export function createKeys(account: string): StorageKeys {
	const base = `${ROOT}${SCHEMA}:${account}`;
	return {
		value: (kind, pid) => `${base}:${kind}:${segmentOf(pid)}`,
		mark: (pid) => `${base}:mark:${segmentOf(pid)}`,
		lock: (kind, pid) => `${base}:lock:${kind}:${segmentOf(pid)}`,
		changes: `${base}:changes`,
		clock: `${base}:clock`,
	};
}

/** A key as it was given. Drivers may return it with their own prefix. */
export function withoutPrefix(key: string): string {
	return key.slice(Math.max(0, key.lastIndexOf(ROOT)));
}

/** Safe as a file name on every system, in an address, and with every driver. Most product ids stay readable. */
function segmentOf(pid: string): string {
	// Upper case is hashed: on some systems "A" and "a" are the same file.
	if (/^[a-z\d][a-z\d_-]{0,99}$/.test(pid) && !RESERVED.test(pid)) return pid;
	return `_${bytesToHex(sha256(utf8ToBytes(pid.toWellFormed()))).slice(0, 32)}`;
}

/** Names of devices on Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Longest text that is stored or read, in UTF-16 code units. */
const MAX_STORED_LENGTH = 4_194_304;

// It starts with a letter, so that no driver takes it for JSON and parses it.
const PREFIX = `reviews${SCHEMA}`;

/**
 * Writes a value as text with a checksum, which finds texts that were cut or damaged. The checksum does not prove who wrote
 * it: what is read must still be checked.
 * @returns `undefined` if the text is longer than the limit.
 */
export function seal(value: unknown): string | undefined {
	const json = JSON.stringify(value);
	const text = `${PREFIX} ${checksumOf(json)} ${json}`;
	return text.length > MAX_STORED_LENGTH ? undefined : text;
}

/** Reads what {@link seal} wrote; `undefined` for anything else. */
export function unseal(text: unknown): unknown {
	if (typeof text !== 'string' || text.length > MAX_STORED_LENGTH) return undefined;
	const [prefix, checksum] = text.slice(0, PREFIX.length + CHECKSUM_LENGTH + 1).split(' ');
	if (prefix !== PREFIX) return undefined;
	const json = text.slice(PREFIX.length + CHECKSUM_LENGTH + 2);
	if (checksum !== checksumOf(json)) return undefined;
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

/** In hexadecimal digits. */
const CHECKSUM_LENGTH = 16;

function checksumOf(text: string): string {
	return bytesToHex(sha256(utf8ToBytes(text))).slice(0, CHECKSUM_LENGTH);
}
