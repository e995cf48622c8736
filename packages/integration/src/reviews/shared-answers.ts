import { inBatches } from '../base/async.js';
import { hasNothing, type Part, summaryOf } from '../records/parts.js';
import type { FetchPolicy } from './fetch-policy.js';
import { holdsReviews, type ReviewStore, type StoredPart } from './parts.js';
import type { SharedEntry, SharedStorage } from './shared-storage.js';

/** Part of the reviews that is shared. */
export interface SharedPart<Of extends Part = Part> {
	readonly part: Of;
	readonly policy: FetchPolicy;
	/** Resolves when it is known which stored products are outdated. @default this is not checked */
	readonly checked?: Promise<unknown> | undefined;
	readonly nextTurn: () => Promise<unknown>;
	/** `true` to share products without anything to show, too. Not where anybody can make up an id. */
	readonly sharesEmpty: boolean;
}

/** Products per round trip. */
const BATCH = 100;

/** Shares one part of all products with other builders and servers. */
export class SharedAnswers<Of extends Part = Part> {
	readonly #part: SharedPart<Of>;
	readonly #store: ReviewStore;
	readonly #storage: () => SharedStorage | undefined;
	readonly #counts: Record<'read' | 'written' | 'unwritten', number>;
	readonly #lookUpInBatch: (pid: string) => Promise<void>;
	readonly #writing = new Set<Promise<void>>();

	/** @param storage returns the storage; `undefined` as long as there is nothing to share. */
	constructor(
		part: SharedPart<Of>,
		storage: () => SharedStorage | undefined,
		counts = { read: 0, written: 0, unwritten: 0 },
	) {
		this.#part = part;
		this.#store = part.policy.context.store;
		this.#storage = storage;
		this.#counts = counts;
		this.#lookUpInBatch = inBatches((pids) => this.lookUp(pids), BATCH, part.nextTurn);
	}

	/** Takes over what others have of those of these products that are not fresh here, in one round trip. */
	async lookUp(pids: readonly string[]): Promise<void> {
		const { part, policy } = this.#part;
		const entries = this.#store.entries(pids, part);
		const wanted = pids.filter((pid) => !policy.isFresh(pid, entries.get(pid)));
		const storage = this.#storage();
		if (!storage || wanted.length === 0) return;
		// A change that comes meanwhile may not be in what others have.
		const revisions = new Map(wanted.map((pid) => [pid, this.#store.markOf(pid).revision]));
		for (const [pid, entry] of await storage.read(part, wanted)) {
			this.#adopt(pid, entry, revisions.get(pid) ?? 0);
		}
	}

	/**
	 * Requests a product unless another machine has a fresh answer, and shares the answer.
	 * @returns `true` if another machine had one.
	 */
	async fetch(pid: string, request: () => Promise<void>): Promise<boolean> {
		const { part, checked } = this.#part;
		const storage = this.#storage();
		if (storage) {
			await this.#lookUpInBatch(pid);
			if (this.#isFresh(pid)) await checked;
			if (this.#isFresh(pid)) return true;
		}
		const before = this.#store.entry(pid, part);
		const seen = storage?.knows(pid) ? storage.seenOf(pid) : undefined;
		await request();
		if (!storage || seen === undefined) return false;
		const writing = this.#write(storage, pid, before, seen).finally(() => this.#writing.delete(writing));
		this.#writing.add(writing);
		return false;
	}

	/** Returns what is known of a product's changes. If that is old, an answer is only requested again. */
	seenOf(pid: string): string | undefined {
		return this.#storage()?.seenOf(pid);
	}

	/** Waits until all answers are written, or given up. */
	async flush(): Promise<void> {
		await Promise.all(this.#writing);
	}

	#isFresh(pid: string): boolean {
		return this.#part.policy.isFresh(pid, this.#store.entry(pid, this.#part.part));
	}

	#adopt(pid: string, found: SharedEntry<Of>, revision: number): void {
		const { part, policy } = this.#part;
		const { record, changedAt, seen } = found;
		const store = this.#store;
		const own = store.entry(pid, part);
		// The clock of the store may be another one, and that of the other machine may be wrong.
		const fetchedAt = store.now() - Math.max(0, Date.now() - found.fetchedAt);
		if (own) {
			const isNewer = policy.isOutdated(pid, own) || fetchedAt > own.fetchedAt;
			if (found.isOutdated || !isNewer) return;
			// Whether a product lost all its reviews is decided here, from what the service sends.
			if (holdsReviews(own) && !holdsReviews({ summary: summaryOf(part, record) })) return;
		}
		store.put(pid, part, { record }, { fetchedAt, revision, changedAt, seen });
		if (found.isOutdated) store.mark([pid], 'event');
		else this.#counts.read += 1;
	}

	async #write(
		storage: SharedStorage,
		pid: string,
		before: StoredPart | undefined,
		seen: string,
	): Promise<void> {
		const { part, policy, sharesEmpty } = this.#part;
		const store = this.#store;
		const record = store.read(pid, part)?.record;
		const stored = store.entry(pid, part);
		if (record === undefined || !stored || policy.isOutdated(pid, stored)) return;
		if (!sharesEmpty && hasNothing(part, record)) return;
		const toTimeOfDay = (at: number) => Date.now() - (store.now() - at);
		const firstSeen = before?.digest === stored.digest ? before.fetchedAt : stored.fetchedAt;
		const changedAt = stored.changedAt ?? toTimeOfDay(firstSeen);
		const answer = { record, fetchedAt: toTimeOfDay(stored.fetchedAt), changedAt, seen };
		const isWritten = await storage.write(part, pid, answer);
		this.#counts[isWritten ? 'written' : 'unwritten'] += 1;
	}
}
