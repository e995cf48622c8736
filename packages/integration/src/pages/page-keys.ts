import { randomBytes } from 'node:crypto';
import type { Dependency, KnownPage, StoredPage } from '../cache/page-store.js';
import { UNKNOWN_PAGE } from './page-tracker.js';

export interface KeyCounts {
	keyed: number;
	/** Rendered again because reviews that they show have changed. */
	changed: number;
	rendered: number;
}

/**
 * Keys for Astro's incremental builds. A key identifies the last rendering of a page. It changes exactly if something
 * that the page showed has changed since, or if nothing is known about the page. So a page from Astro's cache is never
 * older than its reviews, even if one of the two caches was lost.
 */
export function createPageKeys(
	store: { get(name: string): KnownPage | undefined },
	isCurrent: (dependency: Dependency) => Promise<boolean>,
) {
	const generations = new Map<string, string>();
	/** Pages that were taken from Astro's cache, by name. */
	const reused = new Map<string, StoredPage>();
	const counts: KeyCounts = { keyed: 0, changed: 0, rendered: 0 };
	const areCurrent = async (page: StoredPage | undefined) =>
		!(await Promise.all((page?.dependencies ?? []).map(isCurrent))).includes(false);
	// What was asked for without a page may be on any of them.
	let areOthersCurrent: Promise<boolean> | undefined;

	const generationOf = async (name: string): Promise<string> => {
		const { row: known, next } = store.get(name) ?? {};
		// What an unfinished update wrote is not what Astro's cache has.
		if (!known?.generation || next) return newGeneration();
		areOthersCurrent ??= areCurrent(store.get(UNKNOWN_PAGE)?.row);
		if (!(await areCurrent(known)) || !(await areOthersCurrent)) {
			counts.changed += 1;
			return newGeneration();
		}
		reused.set(name, known);
		return known.generation;
	};

	return {
		counts,
		reused,
		/** The key of a page: its own combined with ours. */
		async keyOf(page: string, own: string): Promise<string> {
			counts.keyed += 1;
			// Two pages with the same name cannot be told apart, so neither is taken from the cache.
			const isKnown = generations.has(page);
			const fresh = newGeneration();
			generations.set(page, fresh);
			const generation = isKnown ? fresh : await generationOf(page);
			if (generations.get(page) === fresh) generations.set(page, generation);
			return `${own} reviews:${generations.get(page) === generation ? generation : newGeneration()}`;
		},
		rendered(page: string): string | undefined {
			const generation = generations.get(page);
			if (generation === undefined) return undefined;
			counts.rendered += 1;
			reused.delete(page);
			return generation;
		},
	};
}

export type PageKeys = ReturnType<typeof createPageKeys>;

export function newGeneration(): string {
	return randomBytes(9).toString('base64url');
}
