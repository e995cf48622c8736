import { ReviewServiceError } from '../errors.js';
import type { Part, Records } from '../records/parts.js';
import type { MemoryStore } from './memory-store.js';
import { holdsReviews, type ReviewStore, type StoredPart } from './parts.js';

/**
 * Products that may lose all their reviews in one build: fewer than 5, or at most 20 % of the products that had
 * reviews. A merchant may delete the reviews of a few products. If a fifth of a store loses all of them between two builds,
 * a database or gateway of the service is probably broken.
 */
export const FEW_VANISHED = { products: 5, share: 0.2 } as const;

/**
 * Time for which a loss counts in a server, which has no builds to compare, in milliseconds: a day. Losses that were not
 * believed count until the product has reviews again.
 */
const VANISHED_WITHIN = 86_400_000;

export function areFewVanished(vanished: number, products: number): boolean {
	return vanished < FEW_VANISHED.products || vanished <= FEW_VANISHED.share * products;
}

/** The failure of a product whose loss is not believed. */
export function vanished(): ReviewServiceError {
	return new ReviewServiceError(
		'the service reports that all its reviews are gone, along with those of many other products. If this is correct, run "npx astro-product-reviews cache invalidate --all".',
		'Run that command only if the reviews are really gone, and build again.',
		{ kind: 'vanished' },
	);
}

/** Guards against a service that wrongly says of many products that they have no reviews any more. */
export interface VanishGuard {
	/** Returns whether an empty answer would take reviews away, and nobody confirmed that they are gone. */
	looksVanished(pid: string, stored: StoredPart): boolean;
	/**
	 * Returns whether to believe that the reviews are gone.
	 * @param onRestored called with products whose reviews are shown again, because there turned out to be many.
	 */
	accept(pid: string, onRestored: (pid: string) => void): boolean | Promise<boolean>;
	/** Notes that a product has reviews. */
	clear(pid: string): void;
}

interface BuildGuardContext {
	/** Products that were asked for or found to be current. */
	readonly seen: () => Iterable<string>;
	readonly store: ReviewStore;
	readonly part: Part;
	/** `true` if losses wait for {@link BuildGuard.decide}. */
	readonly waits: boolean;
}

/**
 * Longest wait of pages for {@link BuildGuard.decide} after the first loss, in milliseconds. Astro renders one page after
 * another, so all of them wait for the first. After this time, losses are judged by the products known so far.
 */
const PATIENCE = 60_000;

/** Believes losses when all products are known. */
export class BuildGuard implements VanishGuard {
	readonly #context: BuildGuardContext;
	readonly #lost = new Set<string>();
	readonly #believed = new Set<string>();
	readonly #decided = Promise.withResolvers<void>();
	#isOpen: boolean;
	#areMany = false;
	#products = 0;

	constructor(context: BuildGuardContext) {
		this.#context = context;
		this.#isOpen = context.waits;
	}

	looksVanished(pid: string, stored: StoredPart): boolean {
		return holdsReviews(stored) && this.#context.store.markOf(pid).confirmed <= stored.revision;
	}

	/** May wait for {@link BuildGuard.decide}, since the other products are not known before. */
	async accept(pid: string): Promise<boolean> {
		if (this.#isOpen && this.#lost.size === 0) setTimeout(() => this.decide(), PATIENCE).unref();
		this.#lost.add(pid);
		if (this.#isOpen) await this.#decided.promise;
		this.#judge();
		if (!this.#areMany) this.#believed.add(pid);
		// The answers of a list come at the same moment, and the last of them may show that they are many.
		await Promise.resolve();
		return this.#believed.has(pid);
	}

	clear(pid: string): void {
		this.#lost.delete(pid);
		this.#believed.delete(pid);
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

/** A product that had something to show, and has nothing any more according to the service. */
interface Loss<Of extends Part> {
	readonly at: number;
	readonly stored: StoredPart;
	readonly record: Records[Of];
	isBelieved: boolean;
}

interface ServerGuardContext<Of extends Part> {
	readonly store: MemoryStore;
	readonly part: Of;
	/** Called with products that had something to show, and for which an empty answer is not believed: they are too many. */
	readonly onVanished: (lost: ReadonlySet<string>, products: number) => void;
}

/** Believes losses at once, since a server has no list. If there turn out to be many, takes all of them back. */
export class ServerGuard<Of extends Part> implements VanishGuard {
	readonly #context: ServerGuardContext<Of>;
	readonly #losses = new Map<string, Loss<Of>>();

	constructor(context: ServerGuardContext<Of>) {
		this.#context = context;
	}

	looksVanished(pid: string): boolean {
		const { store, part } = this.#context;
		return store.shows(pid, part);
	}

	accept(pid: string, onRestored: (pid: string) => void): boolean {
		const { store, part, onVanished } = this.#context;
		const stored = store.entry(pid, part);
		const record = store.read(pid, part)?.record;
		if (!stored || record === undefined) return true;
		const now = store.now();
		for (const [other, { at, isBelieved }] of this.#losses) {
			// One that is not believed counts for as long as there is something to lose.
			if (isBelieved ? now - at >= VANISHED_WITHIN : !store.shows(other, part)) this.#losses.delete(other);
		}
		this.#losses.set(pid, { at: now, stored, record, isBelieved: true });
		const products = new Set([...store.shown(part), ...this.#losses.keys()]).size;
		if (areFewVanished(this.#losses.size, products)) return true;
		for (const [other, loss] of this.#losses) {
			loss.isBelieved = false;
			if (store.shows(other, part)) continue;
			store.put(other, part, { record: loss.record }, { ...loss.stored, changedAt: Date.now() });
			onRestored(other);
		}
		onVanished(new Set(this.#losses.keys()), products);
		return false;
	}

	clear(pid: string): void {
		this.#losses.delete(pid);
	}
}
