import { setImmediate } from 'node:timers/promises';
import type { Packed } from '../cache/values.js';
import { packRating, packReviewData, packReviews } from '../cache/values.js';
import { holdsReviews } from '../failures/losses.js';
import { type CondensedRecord, restoreRecord } from '../parse/condensed-record.js';
import type { KnownRating } from '../parse/rating.js';
import { NO_RATING, ratingOf } from '../parse/rating.js';
import type { ReviewData } from '../parse/record.js';
import type { ReviewStore, StoredPart } from '../reviews/parts.js';
import type { SharedEntry, SharedStorage } from '../shared-storage/shared-storage.js';
import type { SharedKind, SharedValues } from '../shared-storage/stored-answer.js';
import { inBatches } from './in-batches.js';

/** What is shared of one resource, and where it is kept here. */
export interface SharedPart<Kind extends SharedKind = SharedKind> {
	readonly kind: Kind;
	readonly store: ReviewStore;
	readonly isFresh: (pid: string, stored: StoredPart | undefined) => boolean;
	/** Resolves when it is known which stored products are outdated; `undefined` if this is not checked. */
	readonly checked: Promise<unknown> | undefined;
}

/** Products per round trip. */
const BATCH = 100;

/** Shares one resource of a build with other builders and servers. */
export class CacheSharing<Kind extends SharedKind = SharedKind> {
	readonly #part: SharedPart<Kind>;
	readonly #form: SharedForm<Kind>;
	readonly #storage: SharedStorage;
	readonly #counts: { read: number; written: number; unwritten: number };
	readonly #lookUpInBatch = inBatches((pids) => this.lookUp(pids), BATCH, setImmediate);
	readonly #writing = new Set<Promise<void>>();

	constructor(
		part: SharedPart<Kind>,
		storage: SharedStorage,
		counts: { read: number; written: number; unwritten: number },
	) {
		this.#part = part;
		this.#form = SHARED_FORMS[part.kind];
		this.#storage = storage;
		this.#counts = counts;
	}

	/** Takes over what others have of those of these products that are not fresh in the cache, in one round trip. */
	async lookUp(pids: readonly string[]): Promise<void> {
		const { kind, store, isFresh } = this.#part;
		const entries = store.entries(pids, kind);
		const wanted = pids.filter((pid) => !isFresh(pid, entries.get(pid)));
		if (wanted.length === 0) return;
		for (const [pid, entry] of await this.#storage.read(kind, wanted)) this.#adopt(pid, entry);
	}

	/**
	 * Requests a product unless another builder has a fresh answer, and shares the answer.
	 * @returns whether another builder had one.
	 */
	async fetch(pid: string, request: () => Promise<void>): Promise<boolean> {
		const { kind, store, isFresh, checked } = this.#part;
		await this.#lookUpInBatch(pid);
		if (isFresh(pid, store.entry(pid, kind))) await checked;
		const before = store.entry(pid, kind);
		if (isFresh(pid, before)) return true;
		const { lastChange } = this.#storage;
		await request();
		if (lastChange === undefined) return false;
		const writing = this.#write(pid, before, lastChange).finally(() => this.#writing.delete(writing));
		this.#writing.add(writing);
		return false;
	}

	/** Waits until all answers are written, or given up. */
	async flush(): Promise<void> {
		await Promise.all(this.#writing);
	}

	#adopt(pid: string, { value, fetchedAt: sentAt, isOutdated }: SharedEntry<SharedValues[Kind]>): void {
		const { kind, store } = this.#part;
		const own = store.entry(pid, kind);
		const packed = this.#form.toPacked(value);
		const stamp = { fetchedAt: Math.min(sentAt, Date.now()), revision: store.markOf(pid).revision };
		if (own) {
			if (isOutdated || (own.revision === stamp.revision && stamp.fetchedAt <= own.fetchedAt)) return;
			// Whether a product lost all its reviews is decided here, from what the service sends.
			if (holdsReviews(own) && !holdsReviews(packed)) return;
		}
		// So its validators stay.
		if (own?.digest === packed.digest) store.touch(pid, kind, { ...stamp, state: 'fetched' });
		else store.put(pid, kind, packed, stamp);
		if (isOutdated) store.mark([pid], 'event');
		else this.#counts.read += 1;
	}

	async #write(pid: string, before: StoredPart | undefined, lastChange: string): Promise<void> {
		const { kind, store } = this.#part;
		const record = store.read(pid, kind);
		const stored = store.entry(pid, kind);
		if (record === undefined || !stored) return;
		const { digest, fetchedAt } = stored;
		const value = this.#form.toShared(record, stored.summary);
		const changedAt = before?.digest === digest ? before.fetchedAt : fetchedAt;
		const isWritten = await this.#storage.write(kind, pid, { value, fetchedAt, changedAt, lastChange });
		this.#counts[isWritten ? 'written' : 'unwritten'] += 1;
	}
}

/** How values of one kind are kept in the cache and in the shared storage. */
interface SharedForm<Kind extends SharedKind> {
	toPacked(value: SharedValues[Kind]): Packed;
	toShared(stored: unknown, summary: string | undefined): SharedValues[Kind];
}

/** Packed values are exactly those of an answer of the service. */
export const SHARED_FORMS: { readonly [Kind in SharedKind]: SharedForm<Kind> } = {
	reviews: {
		toPacked: packReviews,
		toShared: (stored) => restoreRecord(stored as CondensedRecord),
	},
	'review-data': { toPacked: packReviewData, toShared: (stored) => stored as ReviewData },
	rating: {
		toPacked: ({ aggregate, questionCount }) => packRating({ ...NO_RATING, ...aggregate, questionCount }),
		toShared(_stored, summary) {
			const { questionCount } = JSON.parse(summary ?? '{}') as Partial<KnownRating>;
			return { aggregate: ratingOf(summary), questionCount };
		},
	},
};
