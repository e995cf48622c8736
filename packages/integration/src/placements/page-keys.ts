import { randomBytes } from 'node:crypto';
import { pack } from '../store/pack.js';
import type { Resource, Table } from '../store/review-store.js';

/** Something that a page showed of a product, when it was rendered last. */
export interface Shown {
	readonly resource: Resource;
	readonly pid: string;
	/** Of everything that is stored of the product; `undefined` where there was nothing to show. */
	readonly digest: string | undefined;
	/** Digests of the parts that the page showed, by the part's description. */
	readonly parts: Readonly<Record<string, string>>;
}

/** What the store keeps of a page that has a key. */
export interface KeyedPage {
	/** Names the last rendering. */
	readonly generation: string;
	readonly shown: readonly Shown[];
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
 * Keys for Astro's incremental builds. A key names the last rendering of a page; it is a new one exactly when something
 * that the page showed then has changed since, or when nothing is known of the page. So a page that Astro takes from
 * its cache is never older than its reviews, whichever of the two caches was lost.
 */
export interface PageKeys {
	/** The page's key: its own, and ours. */
	keyOf(page: string, own: string): Promise<string>;
	/** A page was rendered, and showed this. `undefined`: it is to be rendered next time, too. */
	rendered(page: string, shown: readonly Shown[] | undefined): void;
	readonly counts: Readonly<KeyCounts>;
}

/** @param isChanged whether something that a page showed is another now. */
export function createPageKeys(
	table: Table<KeyedPage>,
	isChanged: (shown: Shown) => Promise<boolean>,
	now: () => number,
): PageKeys {
	const generations = new Map<string, string>();
	const counts: KeyCounts = { keyed: 0, changed: 0, rendered: 0 };

	const generationOf = async (page: string): Promise<string> => {
		const known = table.get(page)?.value;
		if (!known) return newGeneration();
		const changes = await Promise.all(known.shown.map(isChanged));
		if (!changes.includes(true)) return known.generation;
		counts.changed += 1;
		return newGeneration();
	};

	return {
		counts,
		async keyOf(page, own) {
			counts.keyed += 1;
			// Two pages of one name cannot be told apart: neither is ever taken from the cache.
			const generation = generations.has(page) ? newGeneration() : await generationOf(page);
			generations.set(page, generation);
			return `${own} reviews:${generation}`;
		},
		rendered(page, shown) {
			const generation = generations.get(page);
			if (generation === undefined) return;
			counts.rendered += 1;
			// Without a row of this generation the next key is another one.
			const generationToKeep = shown ? generation : newGeneration();
			table.put(page, pack({ generation: generationToKeep, shown: shown ?? [] } satisfies KeyedPage), now());
		},
	};
}

/** One line for the log. */
export function describeKeys({ keyed, changed, rendered }: Readonly<KeyCounts>): string {
	const amount = (value: number) => value.toLocaleString('en');
	return `${amount(keyed)} ${keyed === 1 ? 'page' : 'pages'} with a cacheKey: ${amount(keyed - rendered)} reused, ${amount(rendered)} rendered, ${amount(changed)} for changed reviews`;
}

function newGeneration(): string {
	return randomBytes(9).toString('base64url');
}
