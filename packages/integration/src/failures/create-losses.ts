import type { StoredEntry } from '../store/review-store.js';
import { areFewVanished } from './limits.js';

/** Products that had reviews, and have none any more according to the service. */
export interface Losses {
	/** Whether an empty answer would be a loss: there are stored reviews, and nobody confirmed that they are gone. */
	isLoss(pid: string, stored: StoredEntry): boolean;
	/** Whether a loss is believed. May wait for {@link Losses.decide}, since the other products are not known before. */
	isBelieved(pid: string): Promise<boolean>;
	/** There are no more products: decides all waiting losses now, and later ones at once. */
	decide(): void;
}

/** What losses are judged by. */
export interface LossContext {
	/** Products that were asked for or found to be current. */
	readonly seen: () => Iterable<string>;
	/** The stored entry of a product. */
	readonly entry: (pid: string) => StoredEntry | undefined;
	/** Whether a stored value contains reviews. */
	readonly holdsReviews: (stored: StoredEntry) => boolean;
	/** Whether a person confirmed that the service's current answer for the product is right. */
	readonly isConfirmed: (pid: string, stored: StoredEntry) => boolean;
	/** Whether losses wait for {@link Losses.decide}. */
	readonly waits: boolean;
	/** Calls back after a delay, in milliseconds. @default a timer that does not keep the process alive */
	readonly schedule?: (callback: () => void, milliseconds: number) => void;
	/** Called with losses that were believed before there turned out to be many. */
	readonly onDoubt: (pid: string) => void;
}

/**
 * How long pages wait for {@link Losses.decide} after the first loss, in milliseconds. Astro renders one page after another,
 * so all of them wait for the first. After this time, losses are judged by the products known so far.
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
		// The number of products only grows: losses that are few of the last count are few of the next.
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

/** Whether a stored answer contains reviews or questions, according to its summary. */
export function holdsReviews({ summary }: Pick<StoredEntry, 'summary'>): boolean {
	try {
		const { count, questionCount } = JSON.parse(summary ?? '{}') ?? {};
		return count > 0 || questionCount > 0;
	} catch {
		return false;
	}
}
