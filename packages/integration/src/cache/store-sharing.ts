import { setImmediate } from 'node:timers/promises';
import { holdsReviews } from '../failures/create-losses.js';
import { type CondensedRecord, condenseRecord, type ReviewData, restoreRecord } from '../parse/record.js';
import { readKnown, writeKnown } from '../service/review-service.js';
import type { SharedEntry, SharedStorage } from '../shared-storage/shared-storage.js';
import type { SharedKind, SharedValues } from '../shared-storage/stored-answer.js';
import type { StoredEntry, Table } from '../store/review-store.js';
import { type Packed, pack } from '../store/values.js';
import { inBatches } from './in-batches.js';
import { type KnownRating, NO_RATING, packRating, ratingOf } from './known-rating.js';
import type { ResourceRules } from './resource-rules.js';

export interface SharedPart<Kind extends SharedKind = SharedKind> {
	readonly kind: Kind;
	readonly table: Table<unknown>;
	readonly rules: Pick<ResourceRules, 'isFresh' | 'now'>;
	readonly mark: (pids: readonly string[]) => void;
	/** Resolves when it is known which stored products are outdated; `undefined` if this is not checked. */
	readonly checked: Promise<unknown> | undefined;
}

export interface SharingCounts {
	read: number;
	written: number;
	unwritten: number;
	slow: number;
}

/** Products per round trip. */
const BATCH = 100;

/** From this duration on, a look counts as slow, in milliseconds. Those for several products may take longer. */
const SLOW = 1_000;
const SLOW_PER_PRODUCT = 20;

/** How many slow looks a build puts up with. */
const MOST_SLOW = 10;

export class StoreSharing<Kind extends SharedKind = SharedKind> {
	readonly #part: SharedPart<Kind>;
	readonly #form: SharedForm<Kind>;
	readonly #storage: SharedStorage;
	readonly #counts: SharingCounts;
	readonly #lookUpInBatch = inBatches((pids) => this.lookUp(pids), BATCH, setImmediate);
	readonly #writing = new Set<Promise<void>>();

	constructor(part: SharedPart<Kind>, storage: SharedStorage, counts: SharingCounts) {
		this.#part = part;
		this.#form = SHARED_FORMS[part.kind];
		this.#storage = storage;
		this.#counts = counts;
	}

	/** Takes over what others have of those of these products that are not fresh in the store, in one round trip. */
	async lookUp(pids: readonly string[]): Promise<void> {
		const { kind, table, rules } = this.#part;
		const entries = table.entries(pids);
		const wanted = pids.filter((pid) => !rules.isFresh(pid, entries.get(pid)));
		if (wanted.length === 0 || this.#counts.slow >= MOST_SLOW) return;
		const startedAt = performance.now();
		for (const [pid, entry] of await this.#storage.read(kind, wanted)) this.#adopt(pid, entry);
		const limit = SLOW + SLOW_PER_PRODUCT * wanted.length;
		if (performance.now() - startedAt >= limit) this.#counts.slow += 1;
	}

	/** Requests a product unless another builder has a fresh answer, and shares the answer. */
	async fetch(pid: string, request: () => Promise<void>): Promise<boolean> {
		const { table, rules, checked } = this.#part;
		await this.#lookUpInBatch(pid);
		if (rules.isFresh(pid, table.entry(pid))) await checked;
		if (rules.isFresh(pid, table.entry(pid))) return true;
		const before = table.entry(pid);
		const { lastChange } = this.#storage;
		await request();
		if (lastChange === undefined) return false;
		const writing = this.#write(pid, before, lastChange).finally(() => this.#writing.delete(writing));
		this.#writing.add(writing);
		return false;
	}

	async flush(): Promise<void> {
		await Promise.all(this.#writing);
	}

	#adopt(pid: string, entry: SharedEntry<SharedValues[Kind]>): void {
		const { table, rules, mark } = this.#part;
		const own = table.entry(pid);
		const packed = this.#form.toPacked(entry.value);
		// An outdated answer has to be older than the mark that it gets below, whatever the clocks say.
		const fetchedAt = Math.min(entry.fetchedAt, rules.now() - (entry.isOutdated ? 1 : 0));
		if (!isBetter(own, { ...packed, fetchedAt, isOutdated: entry.isOutdated })) return;
		// What was made of the value stays.
		if (own?.digest === packed.digest) table.change(pid, { fetchedAt, state: 'fetched' });
		else table.put(pid, packed, fetchedAt, writeKnown(entry.known));
		if (entry.isOutdated) mark([pid]);
		else this.#counts.read += 1;
	}

	async #write(pid: string, before: StoredEntry | undefined, lastChange: string): Promise<void> {
		const { kind, table } = this.#part;
		const stored = table.get(pid);
		if (!stored) return;
		const { digest, fetchedAt, validators } = stored;
		const isWritten = await this.#storage.write(kind, pid, {
			value: this.#form.toShared(stored.value, stored),
			known: readKnown(validators),
			fetchedAt,
			changedAt: before?.digest === digest ? before.fetchedAt : fetchedAt,
			lastChange,
		});
		this.#counts[isWritten ? 'written' : 'unwritten'] += 1;
	}
}

/** An answer of the shared storage, as the store would have it. */
type Adoptable = Pick<StoredEntry, 'fetchedAt' | 'summary'> & { readonly isOutdated: boolean };

function isBetter(own: StoredEntry | undefined, shared: Adoptable): boolean {
	if (!own) return true;
	if (shared.isOutdated || shared.fetchedAt <= own.fetchedAt) return false;
	// Whether a product lost all its reviews is decided here, from what the service sends.
	return holdsReviews(shared) || !holdsReviews(own);
}

interface SharedForm<Kind extends SharedKind> {
	toPacked(value: SharedValues[Kind]): Packed;
	toShared(value: unknown, entry: Pick<StoredEntry, 'summary'>): SharedValues[Kind];
}

/** The form of each kind. Packed values are exactly those of an answer of the service. */
export const SHARED_FORMS: { readonly [Kind in SharedKind]: SharedForm<Kind> } = {
	reviews: {
		toPacked: (record) => pack(condenseRecord(record), record.aggregate),
		toShared: (value) => restoreRecord(value as CondensedRecord),
	},
	'review-data': {
		toPacked: (data) => pack(data, { ...data.aggregate, questionCount: data.questionCount }),
		toShared: (value) => value as ReviewData,
	},
	rating: {
		toPacked: ({ aggregate, questionCount }) => packRating({ ...NO_RATING, ...aggregate, questionCount }),
		toShared(_value, { summary }) {
			const { questionCount } = JSON.parse(summary ?? '{}') as Partial<KnownRating>;
			return { aggregate: ratingOf(summary), questionCount };
		},
	},
};
