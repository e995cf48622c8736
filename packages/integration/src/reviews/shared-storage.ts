import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import pLimit from 'p-limit';
import QuickLRU from 'quick-lru';
import { inBatches } from '../base/async.js';
import { FieldReader, fieldsOf } from '../records/field-reader.js';
import type { Part, Records } from '../records/parts.js';
import { NO_RATING } from '../records/rating.js';
import {
	type CondensedRecord,
	checkAggregate,
	checkRecord,
	checkReviewData,
	condenseRecord,
	type ProductReviews,
	restoreRecord,
} from '../records/record.js';
import { MAX_REQUESTS, ROOT, StorageDriver, type StorageDriverOptions } from './storage-driver.js';

/** An answer of the service. Times are in milliseconds since 1970. */
interface SharedAnswer<Of extends Part> {
	readonly record: Records[Of];
	readonly fetchedAt: number;
	readonly changedAt: number;
	/** The product's tokens when this was requested. */
	readonly seen: string;
}

interface AnswerKey<Of extends Part> {
	readonly account: string;
	readonly part: Of;
	readonly pid: string;
}

export interface SharedEntry<Of extends Part> extends SharedAnswer<Of> {
	/** `true` if the product changed since this was requested. */
	readonly isOutdated: boolean;
}

/** Version of everything stored. Another version uses other keys, so that two of them can share a storage. */
const SCHEMA = 2;

/** Shortest interval between two readings of the pulse, in milliseconds. */
const INTERVAL = 1_000;

/** Age of the last reading from which callers wait for the next one, in milliseconds. */
const TOO_OLD = 1_500;

/** More products than this change as all products do. */
const MAX_AT_ONCE = 500;

/** Products per round trip. */
const BATCH = 100;

/** Products whose tokens are kept in memory. They take a few megabytes. */
const MAX_TOKENS = 10_000;

/** Beginning of what stands for unknown tokens. Others cannot know how often the pulse has moved here. */
const BEAT = 'beat ';

/** Random text that stands for the last change of a product, or of all products. */
const createToken = () => `c-${crypto.randomUUID()}`;

const isToken = (text: string | undefined) => text !== undefined && /^c-[\w-]{1,64}$/.test(text);

/**
 * A cache of the service's answers that builds and servers share. Whoever learns of a change writes a random token for the
 * product, or for all of them, and then the pulse, which the others read once a second. An answer is outdated if the tokens
 * that were seen when it was requested differ from those of today, so no clock decides, and no two writers overwrite what
 * the other one tells.
 *
 * No operation throws: a storage that fails is as if it were empty. There is no connection before it is first used.
 */
export class SharedStorage {
	readonly #account: string;
	readonly #driver: StorageDriver;
	/** Tokens that the storage has not accepted yet, by key. */
	readonly #unwritten = new Map<string, string>();
	#isPulseDue = false;
	#pulse: string | undefined;
	/** Number of times that the pulse was read and had moved. */
	#beat = 0;
	readonly #tokens = new QuickLRU<string, { readonly beat: number; readonly seen: string }>({
		maxSize: MAX_TOKENS,
	});
	readonly #readTokensOf: (pid: string) => Promise<unknown>;
	#readAt = Number.NEGATIVE_INFINITY;
	#startedAt = Number.NEGATIVE_INFINITY;
	#reading: Promise<void> | undefined;

	/** @param options `account` is that at the service: see `accountOf`. */
	constructor(options: StorageDriverOptions & { readonly account: string }) {
		this.#account = options.account;
		this.#driver = new StorageDriver(options);
		this.#readTokensOf = inBatches(
			(pids) => this.#readTokens(pids, []),
			BATCH,
			() => Promise.resolve(),
		);
	}

	/** Reads what the storage has of products. A value that does not check is as if it were not there. */
	async read<Of extends Part>(
		part: Of,
		pids: readonly string[],
	): Promise<ReadonlyMap<string, SharedEntry<Of>>> {
		const found = new Map<string, SharedEntry<Of>>();
		const keys = new Map(pids.map((pid) => [pid, this.#keyOf(`answer:${part}`, pid)]));
		const texts = await this.#readTokens(pids, [...keys.values()]);
		for (const [pid, key] of keys) {
			const answer = readAnswer(texts?.get(key), { account: this.#account, part, pid }, Date.now());
			if (answer) found.set(pid, { ...answer, isOutdated: this.isChanged(pid, answer.seen) });
		}
		return found;
	}

	async write<Of extends Part>(part: Of, pid: string, answer: SharedAnswer<Of>): Promise<boolean> {
		const text = writeAnswer({ account: this.#account, part, pid }, answer);
		return text !== undefined && this.#driver.set(this.#keyOf(`answer:${part}`, pid), text);
	}

	/**
	 * Returns what is known of a product's changes: its tokens as they were last read. Where the storage was too slow to give
	 * them, the pulse stands for them: as long as it does not move, nothing changes.
	 */
	seenOf(pid: string): string {
		return this.#tokens.get(pid)?.seen ?? `${BEAT}${this.#beat}`;
	}

	/** Returns whether the tokens of a product are known, so that others can tell whether an answer is outdated. */
	knows(pid: string): boolean {
		return this.#tokens.has(pid);
	}

	/** Returns whether a product is known to have changed since this was seen of it. */
	isChanged(pid: string, seen: string): boolean {
		if (seen.startsWith(BEAT)) return seen !== `${BEAT}${this.#beat}`;
		const now = this.seenOf(pid);
		return !now.startsWith(BEAT) && now !== seen;
	}

	/** Learns whether a product changed: its tokens are read if the pulse has moved since. */
	async check(pid: string): Promise<void> {
		await this.poll();
		if (this.#tokens.get(pid)?.beat !== this.#beat) await this.#readTokensOf(pid);
	}

	/**
	 * Tells others that reviews changed. Until the storage accepts it, it is tried again whenever the pulse is read.
	 * @param pids `undefined` for all products
	 * @returns whether the storage has accepted it.
	 */
	invalidate(pids: readonly string[] | undefined): Promise<boolean> {
		const changed = pids === undefined || pids.length > MAX_AT_ONCE ? [undefined] : pids;
		for (const pid of changed) this.#unwritten.set(this.#keyOf('changed', pid), createToken());
		this.#isPulseDue ||= changed.length > 0;
		return this.#writeTokens();
	}

	/**
	 * Reads the pulse, at most once a second, and without a timer: some platforms stop a server between requests. While
	 * requests keep coming, nobody waits for it.
	 */
	async poll(): Promise<void> {
		if (performance.now() - this.#startedAt >= INTERVAL && !this.#reading) {
			this.#startedAt = performance.now();
			this.#reading = this.#readPulse().finally(() => {
				this.#reading = undefined;
				this.#readAt = performance.now();
			});
		}
		if (this.#reading && performance.now() - this.#readAt >= TOO_OLD) await this.#reading;
	}

	close(): Promise<void> {
		return this.#driver.close();
	}

	async #readPulse(): Promise<void> {
		const key = this.#keyOf('pulse');
		const texts = await this.#driver.get([key]);
		if (!texts) return;
		const pulse = texts.get(key) ?? '';
		if (pulse !== this.#pulse) this.#beat += 1;
		this.#pulse = pulse;
		if (this.#isPulseDue) void this.#writeTokens();
	}

	/** Reads the tokens of products, and other keys in the same round trip. */
	async #readTokens(
		pids: readonly string[],
		others: readonly string[],
	): Promise<ReadonlyMap<string, string> | undefined> {
		const beat = this.#beat;
		// This instance knows its own changes, even if they are written after the storage has read its values.
		const before = new Map(this.#unwritten);
		const keyOfAll = this.#keyOf('changed');
		const keys = new Map(pids.map((pid) => [pid, this.#keyOf('changed', pid)]));
		const texts = await this.#driver.get([keyOfAll, ...keys.values(), ...others]);
		if (!texts) return undefined;
		const tokenAt = (key: string) => {
			const text = this.#unwritten.get(key) ?? before.get(key) ?? texts.get(key);
			return isToken(text) ? text : '';
		};
		for (const [pid, key] of keys)
			this.#tokens.set(pid, { beat, seen: `${tokenAt(keyOfAll)} ${tokenAt(key)}` });
		return texts;
	}

	/** Writes the pulse last: whoever reads it finds the tokens. Later ones are not written after one that failed. */
	async #writeTokens(): Promise<boolean> {
		let isAccepted = true;
		await pLimit(MAX_REQUESTS).map([...this.#unwritten], async ([key, token]) => {
			if (!isAccepted) return;
			if (!(await this.#driver.set(key, token, true))) isAccepted = false;
			else if (this.#unwritten.get(key) === token) this.#unwritten.delete(key);
		});
		if (!isAccepted) return false;
		if (!this.#isPulseDue) return true;
		if (!(await this.#driver.set(this.#keyOf('pulse'), createToken(), true))) return false;
		// Tokens that were added meanwhile have a pulse of their own.
		this.#isPulseDue = this.#unwritten.size > 0;
		return true;
	}

	/**
	 * Returns a key that is safe as a file name on every system, in an address, and with every driver. No key is the beginning
	 * of another one, which would be a file and a folder.
	 */
	#keyOf(name: string, pid?: string): string {
		const hash = pid === undefined ? 'all' : bytesToHex(sha256(utf8ToBytes(pid.toWellFormed()))).slice(0, 32);
		return `${ROOT}${SCHEMA}:${this.#account}:${name}:${hash}`;
	}
}

/** Largest tolerated difference between the clocks of machines, in milliseconds. */
const MAX_SKEW = 5_000;

export function writeAnswer<Of extends Part>(
	key: AnswerKey<Of>,
	answer: SharedAnswer<Of>,
): string | undefined {
	const record = key.part === 'reviews' ? condenseRecord(answer.record as ProductReviews) : answer.record;
	return seal({ ...key, ...answer, record });
}

/**
 * Reads an answer. Anybody who can write to the storage may have written it, so it is checked like an answer of the
 * service, and is not there if anything of it is lost.
 */
export function readAnswer<Of extends Part>(
	text: unknown,
	is: AnswerKey<Of>,
	now: number,
): SharedAnswer<Of> | undefined {
	const isTime = (time: unknown): time is number =>
		typeof time === 'number' && time >= 0 && time <= now + MAX_SKEW;
	const reader = new FieldReader((reason) => {
		throw new Error(reason);
	});
	try {
		const { account, part, pid, fetchedAt, changedAt, seen, record } = fieldsOf(unseal(text));
		if (account !== is.account || part !== is.part || pid !== is.pid) return undefined;
		if (!isTime(fetchedAt) || !isTime(changedAt) || typeof seen !== 'string') return undefined;
		return { record: CHECKS[is.part](is.pid, record, reader), fetchedAt, changedAt, seen };
	} catch {
		return undefined;
	}
}

const CHECKS: { [Of in Part]: (pid: string, record: unknown, read: FieldReader) => Records[Of] } = {
	reviews: (pid, record, read) =>
		checkRecord(pid, restoreRecord(fieldsOf(record) as unknown as CondensedRecord), read),
	'review-data': checkReviewData,
	rating(_pid, record, read) {
		const { average, count, questionCount } = fieldsOf(record);
		const aggregate = count === 0 ? undefined : checkAggregate({ average, count }, read);
		return { ...NO_RATING, ...aggregate, questionCount: read.count(questionCount) };
	},
};

/** Longest text that is stored or read, in UTF-16 code units. */
const MAX_STORED_LENGTH = 4_194_304;

// It starts with a letter, so that no driver takes it for JSON and parses it.
const PREFIX = 'reviews1';

/** In hexadecimal digits. */
const CHECKSUM_LENGTH = 16;

/**
 * Writes a value as text with a checksum, which finds texts that were cut or damaged. The checksum does not prove who
 * wrote it: what is read must still be checked.
 */
export function seal(value: unknown): string | undefined {
	const json = JSON.stringify(value);
	const text = `${PREFIX} ${checksumOf(json)} ${json}`;
	return text.length > MAX_STORED_LENGTH ? undefined : text;
}

function unseal(text: unknown): unknown {
	if (typeof text !== 'string' || text.length > MAX_STORED_LENGTH) return undefined;
	const [prefix, checksum] = text.slice(0, PREFIX.length + CHECKSUM_LENGTH + 1).split(' ');
	const json = text.slice(PREFIX.length + CHECKSUM_LENGTH + 2);
	if (prefix !== PREFIX || checksum !== checksumOf(json)) return undefined;
	return JSON.parse(json);
}

function checksumOf(text: string): string {
	return bytesToHex(sha256(utf8ToBytes(text))).slice(0, CHECKSUM_LENGTH);
}
