import { setImmediate } from 'node:timers/promises';
import { holdsReviews } from '../failures/create-losses.js';
import { type CondensedRecord, condenseRecord, type ReviewData, restoreRecord } from '../parse/record.js';
import { readKnown, writeKnown } from '../service/review-service.js';
import type {
	SharedEntry,
	SharedKind,
	SharedRead,
	SharedValues,
	SharedWrite,
	Stamp,
} from '../shared-storage/shared-storage.js';
import type { StoredEntry } from '../store/review-store.js';
import { type Packed, pack } from '../store/values.js';
import type { SharingTurn, StoreSharing, StoreSharingContext } from './build-storage.js';
import { inBatches } from './in-batches.js';
import { type KnownRating, NO_RATING, packRating, ratingOf } from './known-rating.js';

/** Products per round trip. */
const BATCH = 100;
/** How long one builder may request a product before another one does, in milliseconds. One that dies leaves products locked for that long. */
const BUILD_LOCK_TIME = 10_000;
/** How long to wait before looking again whether another builder has the answer, in milliseconds. */
const WAIT = 100;

export function createStoreSharing<Kind extends SharedKind>(
	context: StoreSharingContext<Kind>,
): StoreSharing {
	const { kind, table, rules, storage, checked, monotonicNow, pause } = context;
	const form: SharedForm<Kind> = SHARED_FORMS[kind];
	const adoption = createAdoption(context, form);
	// Ratings are requested in lists.
	const slots = createSlots(kind === 'rating' ? Number.POSITIVE_INFINITY : context.slots);
	const isFresh = (pid: string) => rules.isFresh(pid, table.entry(pid));

	async function lookUp(pids: readonly string[], isRequest: boolean): Promise<void> {
		const entries = table.entries(pids);
		const wanted = pids.filter((pid) => !rules.isFresh(pid, entries.get(pid)));
		if (wanted.length > 0) adoption.adopt(await storage.read(kind, wanted), isRequest);
	}
	const look = inBatches((pids) => lookUp(pids, true), BATCH, setImmediate);

	const turnOf = createSharingTurns(context, form, adoption, { onAnswer: slots.free, onEnd: slots.calm });

	/** @returns whether the store has a fresh answer of another builder by now. */
	async function hasCome(pid: string): Promise<boolean> {
		await look(pid);
		if (isFresh(pid)) await checked;
		if (!isFresh(pid)) return false;
		slots.calm(pid);
		return true;
	}

	/** Tries once. @returns `'taken'` if another builder requests the product. */
	async function tryTurn(pid: string, insists: boolean): Promise<SharingTurn | 'taken' | undefined> {
		await slots.take(pid);
		const lock = await storage.lock(kind, pid, BUILD_LOCK_TIME);
		const isTaken = lock === 'taken' && !insists;
		if (isTaken) slots.free();
		// Another builder may have ended just before.
		const isFound = await hasCome(pid);
		const release = lock === 'taken' ? async () => {} : lock;
		if (isFound && !isTaken) {
			slots.free();
			void release();
		}
		if (isFound) return undefined;
		return isTaken ? 'taken' : turnOf(pid, release);
	}

	return {
		lookUp: (pids) => lookUp(pids, false),
		hurry: slots.hurry,
		async begin(pid) {
			const until = monotonicNow() + BUILD_LOCK_TIME;
			for (;;) {
				const turn = await tryTurn(pid, monotonicNow() >= until);
				if (turn !== 'taken') return turn;
				await pause(WAIT);
				if (await hasCome(pid)) return undefined;
			}
		},
	};
}

/** Limits how many products are requested at once, in the order in which they come. */
interface Slots {
	/** Waits for a slot. */
	take(pid: string): Promise<void>;
	free(): void;
	/** Gives a product a slot at once, now and whenever it asks for one, because a page waits for it. */
	hurry(pid: string): void;
	/** The page no longer waits. */
	calm(pid: string): void;
}

function createSlots(most: number): Slots {
	const waiting = new Map<string, () => void>();
	const urgent = new Set<string>();
	let taken = 0;
	return {
		async take(pid) {
			const isFull = taken >= most && !urgent.has(pid);
			if (isFull) await new Promise<void>((resolve) => waiting.set(pid, resolve));
			else taken += 1;
		},
		free() {
			const [next] = waiting;
			if (!next || taken > most) {
				taken -= 1;
				return;
			}
			// The slot is passed on.
			waiting.delete(next[0]);
			next[1]();
		},
		hurry(pid) {
			urgent.add(pid);
			const go = waiting.get(pid);
			if (!go) return;
			waiting.delete(pid);
			taken += 1;
			go();
		},
		calm: (pid) => void urgent.delete(pid),
	};
}

/** Starts the time in which this builder requests a product. @param release releases its lock. */
type Turns = (pid: string, release: () => Promise<void>) => SharingTurn;

/** What happens during a turn. */
interface TurnEvents {
	/** Called once, when the service has answered or failed. */
	readonly onAnswer: () => void;
	readonly onEnd: (pid: string) => void;
}

function createSharingTurns<Kind extends SharedKind>(
	{ kind, table, rules, storage, writeBack }: StoreSharingContext<Kind>,
	form: SharedForm<Kind>,
	adoption: Omit<Adoption<Kind>, 'adopt'>,
	{ onAnswer, onEnd }: TurnEvents,
): Turns {
	return (pid, release) => {
		const stamp = adoption.stampOf(pid);
		const before = table.entry(pid);
		let isShared = false;
		const read = (): SharedWrite | undefined => {
			const stored = table.get(pid);
			if (!stored) return undefined;
			const value = form.toShared(stored.value, stored);
			const fetchedAt = storage.now() - (rules.now() - stored.fetchedAt);
			const changedAt = adoption.changedAt(pid, stored.digest) ?? sameSince(before, stored) ?? fetchedAt;
			return { kind, pid, value, known: knownOf(stored), fetchedAt, changedAt, stamp } as SharedWrite;
		};
		const finish = () => {
			adoption.forget(pid);
			void release();
		};
		let isAnswered = false;
		const answered = () => {
			if (!isAnswered) onAnswer();
			isAnswered = true;
		};
		return {
			answered,
			share() {
				isShared = true;
				writeBack.add(read, finish);
			},
			end() {
				answered();
				onEnd(pid);
				if (!isShared) finish();
			},
		};
	};
}

/** Since when the store has had the same value, as far as it knows. */
function sameSince(
	before: { readonly digest: string; readonly fetchedAt: number } | undefined,
	{ digest }: { readonly digest: string },
): number | undefined {
	return before?.digest === digest ? before.fetchedAt : undefined;
}

/** Takes answers of the shared storage over into the store. */
interface Adoption<Kind extends SharedKind> {
	/** @param isRequest whether those that are not fresh now are about to be requested. */
	adopt(found: ReadonlyMap<string, SharedRead<SharedValues[Kind]>>, isRequest: boolean): void;
	/** For an answer that is requested now; `undefined` if the storage could not be read. */
	stampOf(pid: string): Stamp | undefined;
	/** When the value with this digest was first seen, if the storage knows, in milliseconds since 1970. */
	changedAt(pid: string, digest: string): number | undefined;
	/** Nothing more will be asked about a product. */
	forget(pid: string): void;
}

/** What the storage had of a product that is being requested. */
interface Seen {
	readonly stamp: Stamp;
	readonly digest: string | undefined;
	readonly changedAt: number | undefined;
}

type Context<Kind extends SharedKind> = Pick<
	StoreSharingContext<Kind>,
	'table' | 'rules' | 'storage' | 'mark' | 'onAdopted'
>;

function createAdoption<Kind extends SharedKind>(
	{ table, rules, storage, mark, onAdopted }: Context<Kind>,
	form: SharedForm<Kind>,
): Adoption<Kind> {
	const seen = new Map<string, Seen>();

	/** @returns the digest of the answer. */
	function store(pid: string, entry: SharedEntry<SharedValues[Kind]>): string {
		const own = table.entry(pid);
		const packed = form.toPacked(entry.value);
		// An outdated answer has to be older than the mark that it gets below, whatever the clocks say.
		const fetchedAt = rules.now() - Math.max(entry.isOutdated ? 1 : 0, storage.now() - entry.fetchedAt);
		if (!isBetter(own, { ...packed, fetchedAt, isOutdated: entry.isOutdated })) return packed.digest;
		// What was made of the value stays.
		if (own?.digest === packed.digest) table.change(pid, { fetchedAt, state: 'fetched' });
		else table.put(pid, packed, fetchedAt, validatorsOf(entry));
		if (entry.isOutdated) mark([pid]);
		else onAdopted(1);
		return packed.digest;
	}

	return {
		adopt(found, isRequest) {
			for (const [pid, { entry, stamp }] of found) {
				const digest = entry && store(pid, entry);
				if (rules.isFresh(pid, table.entry(pid))) seen.delete(pid);
				else if (isRequest) seen.set(pid, { stamp, digest, changedAt: entry?.changedAt });
			}
		},
		stampOf: (pid) => seen.get(pid)?.stamp,
		changedAt(pid, digest) {
			const known = seen.get(pid);
			return known?.digest === digest ? known.changedAt : undefined;
		},
		forget: (pid) => void seen.delete(pid),
	};
}

/** An answer of the shared storage, as the store would have it. */
type Adoptable = Pick<StoredEntry, 'fetchedAt' | 'summary'> & { readonly isOutdated: boolean };

/** Whether an answer of another builder is better than the store's own. */
function isBetter(own: StoredEntry | undefined, shared: Adoptable): boolean {
	if (!own) return true;
	if (shared.isOutdated || shared.fetchedAt <= own.fetchedAt) return false;
	// Whether a product lost all its reviews is decided here, from what the service sends.
	return holdsReviews(shared) || !holdsReviews(own);
}

/** How values of one kind are kept in the store and in the shared storage. */
interface SharedForm<Kind extends SharedKind> {
	toPacked(value: SharedValues[Kind]): Packed;
	/** @param value from the store. */
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

/** The validators of a shared answer, as the store keeps them. */
function validatorsOf({ known }: Pick<SharedEntry<unknown>, 'known'>): string | undefined {
	return writeKnown(known);
}

/** The validators of a stored value, as they are shared. */
function knownOf({ validators }: Pick<StoredEntry, 'validators'>) {
	return readKnown(validators);
}
