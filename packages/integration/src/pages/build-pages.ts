import { AsyncLocalStorage } from 'node:async_hooks';
import { fullAddress, keyOfAddress, nameOfAddress, withoutIndex } from '../base/paths.js';
import { sharedMap } from '../base/shared-map.js';
import type { BuildId, Dependency, KnownPage, PageStore, ShopPids, StoredPage } from '../cache/page-store.js';
import type { ProductFacts } from '../render/fragment.js';
import type { Audit } from './audit.js';
import { matchFiles, withKey } from './match-files.js';
import { changedAtOf, newGeneration, productsOf } from './page-row.js';
import { NO_PAGE, UNKNOWN_PAGE } from './page-source.js';

/** Holds the time when the reviews of a page last changed, by what identifies the page. */
const times = sharedMap<number>('page-changes');

const wishes = sharedMap<true>('page-changes-wanted');

export type PageChanges = NonNullable<ReturnType<typeof startPageChanges>>;

/** Makes the builds of this process note the times. Otherwise they do not, because that takes time and memory. */
export function wantPageChanges(): void {
	wishes().set('', true);
}

export function startPageChanges(site: string | undefined, now: () => number) {
	if (site === undefined || wishes().size === 0) return undefined;
	return {
		now,
		/** Notes a page. Its last call counts. */
		note({ address, changedAt }: Pick<StoredPage, 'address' | 'changedAt'>): void {
			const key = keyOfAddress(fullAddress(address, site));
			if (key === undefined) return;
			if (changedAt === undefined) times().delete(key);
			else times().set(key, changedAt);
		},
	};
}

export function findPageChange(url: string): number | undefined {
	const key = keyOfAddress(url);
	return key === undefined ? undefined : times().get(key);
}

export interface PageRecording {
	/** Path of its address, in readable form; {@link UNKNOWN_PAGE} for calls that did not say for which page they are. */
	readonly address: string;
	readonly facts: ProductFacts[];
	readonly dependencies: Dependency[];
	waiting: number;
	isActive: boolean;
}

/**
 * Collects what pages show. A page is known by the address that its components and calls pass, and, where this process
 * renders it with {@link PageRecorder.record}, also by the call being a part of that.
 */
export class PageRecorder {
	readonly #rendering = new AsyncLocalStorage<PageRecording>();
	readonly #open = new Map<string, PageRecording>();

	of(address = UNKNOWN_PAGE): PageRecording {
		if (address === NO_PAGE) return newRecording(address);
		const page = this.#rendering.getStore() ?? this.#open.get(address) ?? this.#begin(address);
		page.isActive = true;
		return page;
	}

	/** Renders a page, and records all that is asked for meanwhile. Pages may be rendered concurrently. */
	async record<Result>(
		address: string,
		render: () => Promise<Result>,
	): Promise<{ readonly result: Result; readonly page: PageRecording }> {
		const page = this.#begin(address);
		try {
			return { result: await this.#rendering.run(page, render), page };
		} finally {
			if (this.#open.get(address) === page) this.#open.delete(address);
		}
	}

	takeIdle(): PageRecording[] {
		const pages = [...this.#open.values()];
		const idle = pages.filter(({ isActive, waiting }) => !isActive && waiting === 0);
		for (const page of pages) page.isActive = false;
		for (const { address } of idle) this.#open.delete(address);
		return idle;
	}

	takeAll(): PageRecording[] {
		const pages = [...this.#open.values()];
		this.#open.clear();
		return pages;
	}

	#begin(address: string): PageRecording {
		const page = newRecording(address);
		this.#open.set(address, page);
		return page;
	}
}

function newRecording(address: string): PageRecording {
	return { address, facts: [], dependencies: [], waiting: 0, isActive: true };
}

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

/** Pages opened before those that are idle are kept, so that no more than twice as many are in memory. */
const MOST_OPEN = 20;

interface BuildPagesContext {
	readonly store: PageStore;
	/** @default pages are not audited */
	readonly audit?: Pick<Audit, 'add'> | undefined;
	readonly base: string;
	readonly changes: PageChanges | undefined;
}

/** The pages of one build, and what they show. The cache keeps a row of each. */
export class BuildPages {
	readonly recorder = new PageRecorder();
	readonly byProduct = new PagesByProduct();
	/** `true` if a page has structured data with ratings. */
	hasSchema = false;
	/** Keys of the pages; `undefined` unless the build is incremental. */
	keys: PageKeys | undefined;
	readonly #context: BuildPagesContext;
	readonly names = new Set<string>();
	#opened = 0;

	constructor(context: BuildPagesContext) {
		this.#context = context;
	}

	of(address: string | undefined): PageRecording {
		const page = this.recorder.of(address);
		// A page that waited long for something else goes on with what is known of it.
		if (page.facts.length === 0 && page.dependencies.length === 0) this.#open(page);
		return page;
	}

	async render<Result>(address: string, render: () => Promise<Result>): Promise<Result> {
		const { result, page } = await this.recorder.record(address, render);
		this.#keep(page);
		return result;
	}

	/** Keeps the pages that are probably complete: nothing asked for them since the last time. */
	keepIdle(): void {
		for (const page of this.recorder.takeIdle()) this.#keep(page);
	}

	/**
	 * Keeps all pages, adds those that Astro took from its cache, and forgets those that are no longer part of the
	 * site. Call it again if more was asked for.
	 */
	finish(): void {
		for (const page of this.recorder.takeAll()) this.#keep(page);
		const { store, changes } = this.#context;
		for (const [name, page] of this.keys?.reused ?? []) {
			if (!this.names.has(name)) store.keep(name, page);
			this.#note(page);
			changes?.note(page);
			this.names.add(name);
		}
		store.flush();
	}

	/**
	 * Compares the pages with the files of the build, which may hold more.
	 * @param files that Astro wrote, relative to the folder of the pages.
	 * @param versionOf returns the version of a product's reviews, if there are any.
	 */
	async match(
		files: readonly string[],
		folder: string,
		versionOf: (pid: string) => string | undefined,
	): Promise<void> {
		const { store, base } = this.#context;
		const pages = files.filter((file) => file.endsWith('.html'));
		const addressOf = (file: string) => `${base.replace(/\/$/, '')}/${withoutIndex(file)}`;
		const get = (name: string) => store.get(name)?.row;
		const find = (pid: string, key: string) => {
			for (const name of store.showing(pid)) {
				const found = get(name)?.dependencies.find((one) => one.pid === pid && withKey(one).key === key);
				if (found) return found;
			}
			return { pid, from: 'reviews' as const, version: versionOf(pid), held: [] };
		};
		const known = [...this.names];
		for await (const [name, page] of matchFiles(pages, known, { folder, get, find, addressOf })) {
			if (page) store.put(name, page);
			else store.remove(name);
			if (page) this.names.add(name);
			else this.names.delete(name);
		}
	}

	/**
	 * Ends a build that is whole: its pages can be updated from now on.
	 * @param others names of pages that Astro did not write.
	 * @param hasCollection whether a content collection has review data of the account.
	 * @param shop products whose latest reviews pages show.
	 */
	end(others: readonly string[], build: BuildId, hasCollection: boolean, shop: ShopPids): void {
		this.#context.store.finish(new Set([...this.names, ...others]), build, hasCollection, shop);
	}

	#nameOf(address: string): string {
		return address === UNKNOWN_PAGE ? address : nameOfAddress(address, this.#context.base);
	}

	#open(page: PageRecording): void {
		const { address, facts, dependencies } = page;
		const name = this.#nameOf(address);
		this.#opened += 1;
		if (this.#opened % MOST_OPEN === 0) this.keepIdle();
		const known = this.names.has(name) ? this.#context.store.get(name)?.row : undefined;
		facts.push(...(known?.facts ?? []));
		dependencies.push(...(known?.dependencies ?? []));
	}

	#note({ address, facts }: Pick<StoredPage, 'address' | 'facts'>): void {
		// What uses a product may have nothing to show of it.
		this.byProduct.add(address, productsOf(facts.filter(({ component }) => component !== 'use')));
		this.hasSchema ||= facts.some(({ component }) => component === 'ReviewSchema');
		this.#context.audit?.add(address, facts);
	}

	#keep({ address, facts, dependencies }: PageRecording): void {
		const { store, changes } = this.#context;
		const name = this.#nameOf(address);
		const isKnown = this.names.has(name);
		this.names.add(name);
		if (address !== UNKNOWN_PAGE) this.#note({ address, facts });
		const generation = this.keys?.rendered(name);
		if (generation === undefined && dependencies.length === 0) return;
		const before = changes && store.get(name)?.row;
		const changedAt = isKnown
			? before?.changedAt
			: changes && changedAtOf(before, dependencies, changes.now());
		const page = { generation, address, dependencies, facts, changedAt };
		changes?.note(page);
		store.put(name, page);
	}
}

/** The pages of a build by the products that they show. */
export class PagesByProduct {
	readonly #pages = new Set<string>();
	/** Lists, because 100,000 sets would take 30 MB. A page that is added again may be in one twice. */
	readonly #pagesOf = new Map<string, string[]>();

	get count(): number {
		return this.#pages.size;
	}

	add(address: string, pids: Iterable<string>): void {
		for (const pid of pids) {
			this.#pages.add(address);
			const pages = this.#pagesOf.get(pid);
			if (!pages) this.#pagesOf.set(pid, [address]);
			else if (pages.at(-1) !== address) pages.push(address);
		}
	}

	/** Returns the addresses of the pages that show a product, in the order of the build. */
	pagesOf(pid: string): readonly string[] {
		return [...new Set(this.#pagesOf.get(pid))];
	}
}
