import type { Entry } from '../store/review-store.js';
import { areFewVanished } from './limits.js';

/** Products that had reviews, and of which the service says that they have none any more. */
export interface Losses {
	/** Whether it would be a loss to replace what is stored with nothing. */
	isLoss(pid: string, stored: Entry): boolean;
	/** Whether a loss is believed. It may take until {@link Losses.decide}: the others are not known before. */
	isBelieved(pid: string): Promise<boolean>;
	/** No more products come: decides about all that wait, and about later ones as they come. */
	decide(): void;
}

/** What losses are judged by. */
export interface LossContext {
	/** Products that were asked for, or found to be current. */
	readonly seen: () => Iterable<string>;
	/** What is stored of a product. */
	readonly entry: (pid: string) => Entry | undefined;
	/** Whether what is stored holds reviews. */
	readonly holdsReviews: (stored: Entry) => boolean;
	/** Whether somebody said that what the service says of the product now is right. */
	readonly isConfirmed: (pid: string, stored: Entry) => boolean;
	/** Whether {@link Losses.decide} will be called, which losses wait for. */
	readonly waits: boolean;
	/** Calls back after a time, in milliseconds. @default a timer that keeps no process alive */
	readonly schedule?: (callback: () => void, milliseconds: number) => void;
	/** Called with losses that were believed before it was known that they are many. */
	readonly onDoubt: (pid: string) => void;
}

/**
 * How long pages wait for what is known at the end, from the first loss on, in milliseconds. Astro renders one page after the
 * other, so that all wait for the first; after this, losses are judged by the products so far.
 */
const PATIENCE = 60_000;

export function createLosses(context: LossContext): Losses {
	const { seen, entry, holdsReviews, isConfirmed, onDoubt, schedule = startTimer } = context;
	const lost = new Set<string>();
	const believed = new Set<string>();
	const decided = Promise.withResolvers<void>();
	let isOpen = context.waits;
	let areMany = false;
	let products = 0;

	const countProducts = () => {
		let count = lost.size;
		for (const pid of seen()) {
			const stored = lost.has(pid) ? undefined : entry(pid);
			if (stored && holdsReviews(stored)) count += 1;
		}
		return count;
	};
	const judge = () => {
		// There are ever more products: what were few of the last count are few of the next.
		if (areMany || areFewVanished(lost.size, products)) return;
		products = countProducts();
		areMany = !areFewVanished(lost.size, products);
		if (areMany) for (const pid of believed) onDoubt(pid);
	};

	const decide = () => {
		isOpen = false;
		decided.resolve();
	};

	return {
		isLoss: (pid, stored) => holdsReviews(stored) && !isConfirmed(pid, stored),
		async isBelieved(pid) {
			if (isOpen && lost.size === 0) schedule(decide, PATIENCE);
			lost.add(pid);
			if (isOpen) await decided.promise;
			judge();
			if (!areMany) believed.add(pid);
			return !areMany;
		},
		decide,
	};
}

function startTimer(callback: () => void, milliseconds: number): void {
	setTimeout(callback, milliseconds).unref();
}
