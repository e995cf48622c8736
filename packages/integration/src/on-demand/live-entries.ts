import { createRecentMap } from './create-recent-map.js';

/** A value that the service sent. Times are of the monotonic clock, except `changedAt`: milliseconds since 1970. */
export interface Good<Value, Known> {
	readonly value: Value;
	readonly known?: Known | undefined;
	readonly fetchedAt: number;
	readonly changedAt: number;
}

/** The remembered state of a product. */
export interface Entry<Value, Known> {
	good?: Good<Value, Known>;
	failedAt?: number;
	/** The product is known to have changed since. */
	isOutdated?: boolean;
	/** It may have changed since: this instance missed events. */
	isUnsure?: boolean;
}

/** The remembered state of all products. */
export interface Entries<Value, Known> {
	/** @param isUse whether it counts as a use. The least recently used products are forgotten first. */
	get(pid: string, isUse?: boolean): Entry<Value, Known> | undefined;
	/** Whether a product has something to show. */
	has(pid: string): boolean;
	/** Products that have something to show. */
	shown(): Iterable<string>;
	setGood(pid: string, entry: Entry<Value, Known>, isEmpty: boolean): void;
	setFailed(pid: string, failedAt: number): void;
	outdate(pid: string): void;
	outdateAll(): void;
	/** Makes all of them unsure. */
	doubtAll(): void;
}

/** How many products without reviews, or that failed, are remembered for each product with something to show. */
const OTHERS_SHARE = 0.5;

/**
 * Ids come from addresses, and so from anybody. Products without anything to show, and those that failed, are remembered
 * separately: made-up ids, however many, never push out a real product. Their entries are empty, and take little memory.
 *
 * @param most products with something to show.
 */
export function createEntries<Value, Known>(most: number): Entries<Value, Known> {
	const shown = createRecentMap<Entry<Value, Known>>(most);
	const others = createRecentMap<Entry<Value, Known>>(Math.max(1, Math.floor(most * OTHERS_SHARE)));
	return {
		get: (pid, isUse = false) =>
			isUse ? (shown.get(pid) ?? others.get(pid)) : (shown.peek(pid) ?? others.peek(pid)),
		has: (pid) => shown.peek(pid) !== undefined,
		shown: shown.keys,
		setGood(pid, entry, isEmpty) {
			const [to, from] = isEmpty ? [others, shown] : [shown, others];
			from.delete(pid);
			to.set(pid, entry);
		},
		setFailed(pid, failedAt) {
			const remembered = shown.peek(pid);
			if (remembered) remembered.failedAt = failedAt;
			else others.set(pid, { ...others.peek(pid), failedAt });
		},
		outdate(pid) {
			outdate(shown.peek(pid) ?? others.peek(pid));
		},
		outdateAll() {
			for (const entry of shown.values()) outdate(entry);
			for (const entry of others.values()) outdate(entry);
		},
		doubtAll() {
			for (const entry of shown.values()) entry.isUnsure = true;
			for (const entry of others.values()) entry.isUnsure = true;
		},
	};
}

function outdate<Value, Known>(entry: Entry<Value, Known> | undefined): void {
	if (!entry) return;
	entry.isOutdated = true;
	delete entry.failedAt;
}
