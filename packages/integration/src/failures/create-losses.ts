import { ReviewServiceError } from '../errors.js';
import type { StoredEntry } from '../store/review-store.js';
import { areFewVanished } from './policy.js';

export interface Losses<Stored = StoredEntry> {
	/** Whether an empty answer would be a loss: there are stored reviews, and nobody confirmed that they are gone. */
	isLoss(pid: string, stored: Stored): boolean;
	/** Whether a loss is believed. May wait for {@link Losses.decide}, since the other products are not known before. */
	isBelieved(pid: string): Promise<boolean>;
	found(pid: string): void;
	/** There are no more products: decides all waiting losses now, and later ones at once. */
	decide(): void;
}

export interface LossContext<Stored = StoredEntry> {
	readonly seen: () => Iterable<string>;
	readonly entry: (pid: string) => Stored | undefined;
	readonly holdsReviews: (stored: Stored) => boolean;
	readonly isConfirmed: (pid: string, stored: Stored) => boolean;
	readonly waits: boolean;
	readonly onDoubt: (pid: string) => void;
	/** For a process that lives long. @default all losses count, and many stay many */
	readonly window?: LossWindow;
}

interface LossWindow {
	readonly length: number;
	readonly monotonicNow: () => number;
	readonly onEnd: (pid: string) => void;
	/** Called when a loss is not believed, with all that count. */
	readonly onMany: (lost: ReadonlySet<string>, products: number) => void;
}

/**
 * How long pages wait for {@link Losses.decide} after the first loss, in milliseconds. Astro renders one page after another,
 * so all of them wait for the first. After this time, losses are judged by the products known so far.
 */
const PATIENCE = 60_000;

export function createLosses<Stored = StoredEntry>(context: LossContext<Stored>): Losses<Stored> {
	const { seen, entry, holdsReviews, isConfirmed, onDoubt, window } = context;
	const lost = new Set<string>();
	const believed = new Map<string, number>();
	const decided = Promise.withResolvers<void>();
	let isOpen = context.waits;
	let areMany = false;
	let products = 0;

	const forget = (pid: string) => {
		lost.delete(pid);
		if (believed.delete(pid)) window?.onEnd(pid);
	};
	const judge = () => {
		for (const pid of window ? lost : []) {
			const since = believed.get(pid);
			// A loss that is not believed counts for as long as there are reviews to lose.
			const counts = since === undefined ? entry(pid) : now() - since < (window?.length ?? 0);
			if (!counts) forget(pid);
		}
		// The number of products of a build only grows: losses that are few of the last count are few of the next.
		if (!window && (areMany || areFewVanished(lost.size, products))) return;
		const others = [...seen()].filter((pid) => !lost.has(pid)).map(entry);
		products = lost.size + others.filter((stored) => stored && holdsReviews(stored)).length;
		areMany = !areFewVanished(lost.size, products);
		if (!areMany) return;
		for (const pid of believed.keys()) onDoubt(pid);
		believed.clear();
		window?.onMany(lost, products);
	};
	const now = () => window?.monotonicNow() ?? 0;
	const decide = () => {
		isOpen = false;
		decided.resolve();
	};

	return {
		isLoss: (pid, stored) => holdsReviews(stored) && !isConfirmed(pid, stored),
		async isBelieved(pid) {
			if (isOpen && lost.size === 0) setTimeout(decide, PATIENCE).unref();
			lost.add(pid);
			if (isOpen) await decided.promise;
			judge();
			if (!areMany) believed.set(pid, now());
			// The answers of a list come at the same moment, and the last of them may show that they are many.
			await Promise.resolve();
			return believed.has(pid);
		},
		found: forget,
		decide,
	};
}

/** The failure of a product whose loss is not believed. */
export function vanished(): ReviewServiceError {
	return new ReviewServiceError(
		'the service reports that all its reviews are gone, along with those of many other products. If this is correct, run "npx astro-product-reviews cache invalidate --all".',
		'Run that command only if the reviews are really gone, and build again.',
		{ kind: 'vanished' },
	);
}

export function holdsReviews({ summary }: Pick<StoredEntry, 'summary'>): boolean {
	try {
		const { count, questionCount } = JSON.parse(summary ?? '{}') ?? {};
		return count > 0 || questionCount > 0;
	} catch {
		return false;
	}
}
