import { randomBytes } from 'node:crypto';
import type { Finding } from '../audit/audit.js';
import { pack } from '../store/pack.js';
import type { Table } from '../store/review-store.js';
import type { Dependency } from './dependency.js';

/** What the store keeps of a page that has a key. */
export interface KeyedPage {
	/** Names the last rendering. */
	readonly generation: string;
	/** Path of the page's address, for people. */
	readonly address: string;
	readonly dependencies: readonly Dependency[];
	/** What the audit found wrong with it; left out if it was not audited. */
	readonly findings?: readonly Finding[] | undefined;
}

/** A page that was not rendered, since nothing that it shows changed. */
interface ReusedPage {
	readonly address: string;
	readonly pids: readonly string[];
	/** What is still wrong with it. */
	readonly findings: readonly Finding[];
}

/** How many keyed pages there are, and what became of them. */
export interface KeyCounts {
	keyed: number;
	/** Rendered again because reviews that they showed changed. */
	changed: number;
	/** Rendered, for whatever reason. */
	rendered: number;
}

/**
 * Keys for Astro's incremental builds. A key names the last rendering of a page; it is a new one exactly if something that
 * the page showed then has changed since, or if nothing is known about the page. So a page that Astro takes from its cache
 * is never older than its reviews, whichever of the two caches was lost.
 */
export interface PageKeys {
	/** The page's key: its own, and ours. */
	keyOf(page: string, own: string): Promise<string>;
	/**
	 * A page was rendered, and depends on this. `undefined`: it is to be rendered next time, too.
	 * @param address of the page, for people.
	 * @param findings of the audit, which are reported again when the page is taken from the cache.
	 */
	rendered(
		page: string,
		address: string,
		dependencies: readonly Dependency[] | undefined,
		findings?: readonly Finding[],
	): void;
	/** Pages that were taken from the cache, as far as they show products. */
	readonly reused: Iterable<ReusedPage>;
	readonly counts: Readonly<KeyCounts>;
}

/**
 * @param isCurrent whether a page would show the same again.
 * @param isAudited whether pages are audited: one that never was is rendered again.
 */
export function createPageKeys(
	table: Table<KeyedPage>,
	isCurrent: (dependency: Dependency) => Promise<boolean>,
	now: () => number,
	isAudited = false,
): PageKeys {
	const generations = new Map<string, string>();
	const reused = new Map<string, ReusedPage>();
	const counts: KeyCounts = { keyed: 0, changed: 0, rendered: 0 };

	const generationOf = async (page: string): Promise<string> => {
		const known = table.get(page)?.value;
		if (!known || (isAudited && !known.findings)) return newGeneration();
		const { generation, address, dependencies, findings = [] } = known;
		const areCurrent = await Promise.all(dependencies.map(isCurrent));
		if (areCurrent.includes(false)) {
			counts.changed += 1;
			return newGeneration();
		}
		const pids = dependencies.map(({ pid }) => pid);
		reused.set(page, { address, pids, findings: isAudited ? findings : [] });
		return generation;
	};

	return {
		counts,
		async keyOf(page, own) {
			counts.keyed += 1;
			// Two pages of one name cannot be told apart: neither is ever taken from the cache.
			const isKnown = generations.has(page);
			const fresh = newGeneration();
			generations.set(page, fresh);
			const generation = isKnown ? fresh : await generationOf(page);
			if (generations.get(page) === fresh) generations.set(page, generation);
			return `${own} reviews:${generations.get(page) === generation ? generation : newGeneration()}`;
		},
		get reused() {
			return reused.values();
		},
		rendered(page, address, dependencies, findings) {
			const generation = generations.get(page);
			if (generation === undefined) return;
			counts.rendered += 1;
			reused.delete(page);
			// Without a row of this generation the next key is another one.
			const generationToKeep = dependencies ? generation : newGeneration();
			const row: KeyedPage = {
				generation: generationToKeep,
				address,
				dependencies: dependencies ?? [],
				findings,
			};
			table.put(page, pack(row), now());
		},
	};
}

function newGeneration(): string {
	return randomBytes(9).toString('base64url');
}
