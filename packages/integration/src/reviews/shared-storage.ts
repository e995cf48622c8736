import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Change, ChangeList, createChanges } from './change-list.js';
import { ROOT, StorageDriver, type StorageDriverOptions } from './storage-driver.js';
import {
	readAnswer,
	type SharedAnswer,
	type SharedKind,
	type SharedValues,
	writeAnswer,
} from './stored-answer.js';

export interface SharedStorageOptions extends StorageDriverOptions {
	/** Account at the service: see `accountOf`. */
	readonly account: string;
	readonly onChange?: (changed: readonly string[] | 'all') => void;
}

export interface SharedEntry<Value> extends SharedAnswer<Value> {
	readonly isOutdated: boolean;
}

/** Version of everything stored. Another version uses other keys, so that two of them can share a storage. */
const SCHEMA = 1;

/** Shortest interval between two readings of the changes, in milliseconds. */
const INTERVAL = 1_000;

/** Age of the last reading from which callers wait for the next one, in milliseconds. */
const TOO_OLD = 1_500;

/** Times that changes which others overwrote are written again, and the wait before looking, in milliseconds. */
const TRIES = 4;
const SETTLING_TIME = 40;

/**
 * A cache of the service's answers that builds and servers share. No operation throws: a storage that fails is as if it
 * were empty. There is no connection before it is first used.
 */
export class SharedStorage {
	readonly #options: SharedStorageOptions;
	readonly #driver: StorageDriver;
	readonly #changesKey: string;
	#changes: ChangeList | undefined;
	/** Changes that the storage has not accepted yet. */
	#pending: readonly Change[] = [];
	#readAt = Number.NEGATIVE_INFINITY;
	#startedAt = Number.NEGATIVE_INFINITY;
	#reading: Promise<void> | undefined;

	constructor(options: SharedStorageOptions) {
		this.#options = options;
		this.#driver = new StorageDriver(options);
		this.#changesKey = `${ROOT}${SCHEMA}:${options.account}:changes`;
	}

	get lastChange(): string | undefined {
		return this.#changes?.last;
	}

	/** Reads what the storage has of products. A value that does not check is as if it were not there. */
	async read<Kind extends SharedKind>(
		kind: Kind,
		pids: readonly string[],
	): Promise<ReadonlyMap<string, SharedEntry<SharedValues[Kind]>>> {
		const found = new Map<string, SharedEntry<SharedValues[Kind]>>();
		await this.poll();
		const changes = this.#changes?.with(this.#pending);
		const texts = changes && (await this.#driver.get(pids.map((pid) => this.#keyOf(kind, pid))));
		for (const pid of texts ? pids : []) {
			const key = { account: this.#options.account, kind, pid };
			const answer = readAnswer(texts?.get(this.#keyOf(kind, pid)), key, Date.now());
			if (!answer) continue;
			found.set(pid, { ...answer, isOutdated: changes?.isOutdated(pid, answer.lastChange) === true });
		}
		return found;
	}

	async write<Kind extends SharedKind>(
		kind: Kind,
		pid: string,
		answer: SharedAnswer<SharedValues[Kind]>,
	): Promise<boolean> {
		const text = writeAnswer({ account: this.#options.account, kind, pid }, answer);
		return text !== undefined && this.#driver.set(this.#keyOf(kind, pid), text);
	}

	/** Tells others that reviews changed. Until the storage accepts it, it is tried again whenever the changes are read. */
	outdate(pids: readonly string[] | undefined): Promise<boolean> {
		this.#pending = [...this.#pending, ...createChanges(pids)];
		return this.#writeChanges();
	}

	/**
	 * Reads the changes, at most once a second, and without a timer: some platforms stop a server between requests.
	 * While requests keep coming, nobody waits for it.
	 */
	async poll(): Promise<void> {
		if (performance.now() - this.#startedAt >= INTERVAL && !this.#reading) {
			this.#startedAt = performance.now();
			this.#reading = this.#readChanges().finally(() => {
				this.#reading = undefined;
				this.#readAt = performance.now();
			});
		}
		if (this.#reading && performance.now() - this.#readAt >= TOO_OLD) await this.#reading;
	}

	close(): Promise<void> {
		return this.#driver.close();
	}

	async #readChanges(): Promise<void> {
		const changes = await this.#loadChanges();
		const before = this.#changes;
		if (!changes) return;
		this.#changes = changes;
		const changed = before ? changes.since(before) : [];
		if (changed.length > 0) this.#options.onChange?.(changed);
		if (this.#pending.length > 0) void this.#writeChanges();
	}

	async #loadChanges(insists = false): Promise<ChangeList | undefined> {
		const texts = await this.#driver.get([this.#changesKey], insists);
		return texts && ChangeList.fromText(this.#options.account, texts.get(this.#changesKey));
	}

	/** Drivers cannot add to a value in one step, so two instances may overwrite each other's changes. */
	async #writeChanges(): Promise<boolean> {
		for (let tries = 0; tries <= TRIES; tries++) {
			const changes = await this.#loadChanges(true);
			if (!changes) return false;
			this.#pending = this.#pending.filter((change) => !changes.has(change));
			if (this.#pending.length === 0) return true;
			const told = this.#pending;
			const all = changes.with(told);
			if (!(await this.#driver.set(this.#changesKey, all.toText(this.#options.account), true))) return false;
			// This instance knows its own changes, even if it began to read before they were written.
			await this.#reading;
			this.#changes = this.#changes?.with(told);
			await new Promise((resolve) => setTimeout(resolve, SETTLING_TIME * (1 + Math.random())));
		}
		return false;
	}

	/** Safe as a file name on every system, in an address, and with every driver. */
	#keyOf(kind: SharedKind, pid: string): string {
		const segment = bytesToHex(sha256(utf8ToBytes(pid.toWellFormed()))).slice(0, 32);
		return `${ROOT}${SCHEMA}:${this.#options.account}:${kind}:${segment}`;
	}
}
