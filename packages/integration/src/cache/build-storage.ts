import type { SharedKind, SharedStorage } from '../shared-storage/shared-storage.js';
import type { Table } from '../store/review-store.js';
import type { ResourceRules } from './resource-rules.js';
import type { WriteBack } from './write-back.js';

/** What builders share of one resource. */
export interface StoreSharing {
	/** Looks up those of these products that are not fresh in the store, in one round trip, and stores what is newer. */
	lookUp(pids: readonly string[]): Promise<void>;
	/**
	 * Waits while another builder requests the product.
	 * @returns `undefined` if that brought a fresh answer into the store.
	 */
	begin(pid: string): Promise<SharingTurn | undefined>;
	/** A page waits for the product. */
	hurry(pid: string): void;
}

/** The time in which this builder requests a product. */
export interface SharingTurn {
	/** The service has answered, so that another product can be requested. */
	answered(): void;
	/** Shares what the store has now. */
	share(): void;
	/** Lets another builder request the product, if nothing was shared. */
	end(): void;
}

/** What is shared, and where it is kept here. */
export interface SharedPart<Kind extends SharedKind = SharedKind> {
	readonly kind: Kind;
	readonly table: Table<unknown>;
	readonly rules: Pick<ResourceRules, 'isFresh' | 'now'>;
	/** Marks products that changed since their stored answer was sent. */
	readonly mark: (pids: readonly string[]) => void;
	/** Resolves when it is known which stored products are outdated; `undefined` if this is not checked. */
	readonly checked: Promise<unknown> | undefined;
}

/** The storage that a build shares with others. */
export interface BuildStorage {
	sharingOf(part: SharedPart): StoreSharing;
	/**
	 * Makes what is stored of products outdated, for other builders and servers as well. In the background.
	 * @param pids `undefined` for all products.
	 */
	outdate(pids: readonly string[] | undefined): void;
}

/** What sharing one resource works with. */
export interface StoreSharingContext<Kind extends SharedKind = SharedKind> extends SharedPart<Kind> {
	readonly storage: Pick<SharedStorage, 'read' | 'lock' | 'now'>;
	readonly writeBack: Pick<WriteBack, 'add'>;
	/** How many products of a kind are locked at once. The others are left to other builders. */
	readonly slots: number;
	/** Monotonic clock, in milliseconds. */
	readonly monotonicNow: () => number;
	/** Waits without keeping the process alive. */
	readonly pause: (milliseconds: number) => Promise<void>;
	/** Called with the number of answers that were taken from the storage. */
	readonly onAdopted: (count: number) => void;
}
