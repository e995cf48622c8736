import type { Audit } from '../audit/audit.js';
import type { PageTable } from '../cache/review-cache.js';
import {
	changedAtOf,
	fullAddress,
	keyOfAddress,
	nameOfAddress,
	productsOf,
	putPage,
	type StoredPage,
	shownOn,
} from '../pages/page.js';
import { PageHtml } from '../pages/page-html.js';
import type { PageKeys } from '../pages/page-keys.js';
import { PageRecorder, type PageRecording, UNKNOWN_PAGE } from '../pages/recorder.js';
import { PagesByProduct } from '../report/report.js';
import { sharedMap } from '../runtime/page-source.js';

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

/** Pages opened before those that are idle are kept, so that the html of no more than twice as many is in memory. */
const MOST_OPEN = 100;

interface BuildPagesContext {
	readonly table: PageTable<StoredPage>;
	/** @default pages are not audited */
	readonly audit?: Pick<Audit, 'add'> | undefined;
	readonly base: string;
	/** What {@link generationOf} says of this build. */
	readonly generation: string;
	readonly changes: PageChanges | undefined;
	/** The file of a page's reviews as Markdown. @default pages have none */
	readonly twinOf?: ((name: string) => string) | undefined;
	/** Called with each page, again if more is known of it. */
	readonly onPage?: ((page: StoredPage) => void) | undefined;
}

/** The pages of one build, and what they show. The cache keeps a row of each. */
export class BuildPages {
	readonly recorder = new PageRecorder();
	readonly byProduct = new PagesByProduct();
	/** Whether a page has structured data with ratings. */
	hasSchema = false;
	/** Keys of the pages; `undefined` unless the build is incremental. */
	keys: PageKeys | undefined;
	readonly #context: BuildPagesContext;
	readonly #names = new Set<string>();
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
		const { table, changes, onPage } = this.#context;
		for (const [name, page] of this.keys?.reused ?? []) {
			this.#note(page);
			changes?.note(page);
			onPage?.(page);
			this.#names.add(name);
		}
		table.keepOnly(this.#names);
	}

	get names(): ReadonlySet<string> {
		return this.#names;
	}

	#nameOf(address: string): string {
		return address === UNKNOWN_PAGE ? address : nameOfAddress(address, this.#context.base);
	}

	#open(page: PageRecording): void {
		const { address, facts, dependencies } = page;
		const name = this.#nameOf(address);
		const { table, generation } = this.#context;
		const isOpened = this.#names.has(name);
		if (address !== UNKNOWN_PAGE) page.html ??= new PageHtml(table.html(name), generation, isOpened);
		this.#opened += 1;
		if (this.#opened % MOST_OPEN === 0) this.keepIdle();
		const known = isOpened ? table.get(name) : undefined;
		facts.push(...(known?.facts ?? []));
		dependencies.push(...(known?.dependencies ?? []));
	}

	#note({ address, facts }: Pick<StoredPage, 'address' | 'facts'>): void {
		this.byProduct.add(address, productsOf(facts));
		this.hasSchema ||= facts.some(({ component }) => component === 'ReviewSchema');
		this.#context.audit?.add(address, facts);
	}

	#keep({ address, facts, dependencies, html }: PageRecording): void {
		const { table, changes, twinOf, onPage } = this.#context;
		const name = this.#nameOf(address);
		if (html?.hasNews) table.putHtml(name, html.toText(this.#context.generation));
		const isKnown = this.#names.has(name);
		this.#names.add(name);
		if (address !== UNKNOWN_PAGE) this.#note({ address, facts });
		const generation = this.keys?.rendered(name);
		if (generation === undefined && dependencies.length === 0) return;
		const before = changes && table.get(name);
		const changedAt = isKnown
			? before?.changedAt
			: changes && changedAtOf(before, dependencies, changes.now());
		const isShowing = twinOf && address !== UNKNOWN_PAGE && shownOn({ dependencies, facts }).size > 0;
		const twin = isShowing ? twinOf(name) : undefined;
		const page = { generation, address, dependencies, facts, changedAt, twin };
		changes?.note(page);
		onPage?.(page);
		putPage(table, name, page);
	}
}
