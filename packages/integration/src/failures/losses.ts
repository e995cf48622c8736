import type { Part, ReviewStore, StoredPart } from '../reviews/parts.js';
import { areFewVanished } from './policy.js';

interface LossContext {
	/** Products that were asked for or found to be current. */
	readonly seen: () => Iterable<string>;
	readonly store: ReviewStore;
	readonly part: Part;
	/** Whether losses wait for {@link Losses.decide}. */
	readonly waits: boolean;
}

/**
 * How long pages wait for {@link Losses.decide} after the first loss, in milliseconds. Astro renders one page after another,
 * so all of them wait for the first. After this time, losses are judged by the products known so far.
 */
const PATIENCE = 60_000;

/** Products that had reviews, and have none any more according to the service. */
export class Losses {
	readonly #context: LossContext;
	readonly #lost = new Set<string>();
	readonly #believed = new Set<string>();
	readonly #decided = Promise.withResolvers<void>();
	#isOpen: boolean;
	#areMany = false;
	#products = 0;

	constructor(context: LossContext) {
		this.#context = context;
		this.#isOpen = context.waits;
	}

	/** Whether an empty answer would be a loss: there are stored reviews, and nobody confirmed that they are gone. */
	isLoss(pid: string, stored: StoredPart): boolean {
		return holdsReviews(stored) && this.#context.store.markOf(pid).confirmed <= stored.revision;
	}

	/** Whether a loss is believed. May wait for {@link Losses.decide}, since the other products are not known before. */
	async isBelieved(pid: string): Promise<boolean> {
		if (this.#isOpen && this.#lost.size === 0) setTimeout(() => this.decide(), PATIENCE).unref();
		this.#lost.add(pid);
		if (this.#isOpen) await this.#decided.promise;
		this.#judge();
		if (!this.#areMany) this.#believed.add(pid);
		// The answers of a list come at the same moment, and the last of them may show that they are many.
		await Promise.resolve();
		return this.#believed.has(pid);
	}

	/** There are no more products: decides all waiting losses now, and later ones at once. */
	decide(): void {
		this.#isOpen = false;
		this.#decided.resolve();
	}

	#judge(): void {
		// The number of products only grows: losses that are few of the last count are few of the next.
		if (this.#areMany || areFewVanished(this.#lost.size, this.#products)) return;
		const { seen, store, part } = this.#context;
		const others = [...seen()].filter((pid) => !this.#lost.has(pid)).map((pid) => store.entry(pid, part));
		this.#products = this.#lost.size + others.filter((stored) => stored && holdsReviews(stored)).length;
		this.#areMany = !areFewVanished(this.#lost.size, this.#products);
		if (!this.#areMany) return;
		// The next build requests them again.
		for (const pid of this.#believed) store.touch(pid, part, { fetchedAt: 0 });
		this.#believed.clear();
	}
}

export function holdsReviews({ summary }: Pick<StoredPart, 'summary'>): boolean {
	try {
		const { count, questionCount } = JSON.parse(summary ?? '{}') ?? {};
		return count > 0 || questionCount > 0;
	} catch {
		return false;
	}
}
