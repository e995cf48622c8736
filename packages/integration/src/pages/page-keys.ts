import { randomBytes } from 'node:crypto';
import type { Finding } from '../audit/audit.js';
import type { PageTable } from '../store/review-store.js';
import type { Dependency, StoredPage } from './page.js';

/** A page that was not rendered because nothing that it shows has changed. */
interface ReusedPage {
	readonly name: string;
	readonly address: string;
	readonly pids: readonly string[];
	/** Findings that still apply. */
	readonly findings: readonly Finding[];
}

/** Number of keyed pages, by what happened to them. */
export interface KeyCounts {
	keyed: number;
	/** Rendered again because reviews that they show have changed. */
	changed: number;
	/** Rendered, for whatever reason. */
	rendered: number;
}

/**
 * Keys for Astro's incremental builds. A key identifies the last rendering of a page. It changes exactly if something
 * that the page showed has changed since, or if nothing is known about the page. So a page from Astro's cache is never
 * older than its reviews, even if one of the two caches was lost.
 */
export interface PageKeys {
	/** The page's key: its own combined with ours. */
	keyOf(page: string, own: string): Promise<string>;
	/**
	 * Call when a page was rendered.
	 * @param isComplete `false` to render it again next time.
	 * @returns what identifies this rendering in the store; `undefined` if the page has no key.
	 */
	rendered(page: string, isComplete: boolean): string | undefined;
	/** Pages that were taken from the cache. */
	readonly reused: Iterable<ReusedPage>;
	readonly counts: Readonly<KeyCounts>;
}

/** What has to be known of a page besides what it shows. A page of which it is not known is rendered again. */
export interface KeysContext {
	/** What the audit finds. @default not */
	readonly isAudited?: boolean;
	/** Where its fragments are. @default not */
	readonly isNoted?: boolean;
	/** Called with each page that may be taken from the cache. */
	readonly onReuse?: ((page: StoredPage) => void) | undefined;
}

/** @param isCurrent returns whether a page rendered now would still show the same. */
export function createPageKeys(
	table: PageTable<StoredPage>,
	isCurrent: (dependency: Dependency) => Promise<boolean>,
	{ isAudited = false, isNoted = false, onReuse = () => {} }: KeysContext = {},
): PageKeys {
	const generations = new Map<string, string>();
	const reused = new Map<string, ReusedPage>();
	const counts: KeyCounts = { keyed: 0, changed: 0, rendered: 0 };

	const generationOf = async (page: string): Promise<string> => {
		const known = table.get(page);
		if (!known?.generation || (isAudited && !known.findings)) return newGeneration();
		if (isNoted && known.file === undefined && hasFragments(known)) return newGeneration();
		const { generation, address, dependencies, findings = [] } = known;
		const areCurrent = await Promise.all(dependencies.map(isCurrent));
		if (areCurrent.includes(false)) {
			counts.changed += 1;
			return newGeneration();
		}
		onReuse(known);
		const pids = dependencies.map(({ pid }) => pid);
		reused.set(page, { name: page, address, pids, findings: isAudited ? findings : [] });
		return generation;
	};

	return {
		counts,
		async keyOf(page, own) {
			counts.keyed += 1;
			// Two pages with the same name cannot be told apart, so neither is taken from the cache.
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
		rendered(page, isComplete) {
			const generation = generations.get(page);
			if (generation === undefined) return undefined;
			counts.rendered += 1;
			reused.delete(page);
			// Storing another generation makes the next key a different one.
			return isComplete ? generation : newGeneration();
		},
	};
}

function hasFragments({ dependencies }: StoredPage): boolean {
	return dependencies.some(({ request }) => request !== undefined);
}

/** What identifies one rendering of a page. */
export function newGeneration(): string {
	return randomBytes(9).toString('base64url');
}
