import type { SharedKind, SharedRead, SharedValues, SharedWrite } from './shared-values.js';

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
