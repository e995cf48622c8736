import { holdsReviews } from '../failures/create-losses.js';
import type {
	SharedEntry,
	SharedKind,
	SharedRead,
	SharedValues,
	Stamp,
} from '../shared-storage/shared-values.js';
import type { StoredEntry } from '../store/review-store.js';
import type { StoreSharingContext } from './build-storage.js';
import { type SharedForm, validatorsOf } from './shared-forms.js';

/** Takes answers of the shared storage over into the store. */
export interface Adoption<Kind extends SharedKind> {
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

export function createAdoption<Kind extends SharedKind>(
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
