import type { AstroIntegrationLogger } from 'astro';
import { type Audit, createAudit, describeFindings, type Finding } from '../audit/audit.js';
import { ReviewAuditError } from '../errors.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { PageRecorder, RecordedPage } from '../pages/create-page-recorder.js';
import { createTrial, isSameInTrial, type Marks } from '../pages/marks.js';
import {
	changedAtOf,
	fullAddress,
	keyOfAddress,
	type PlacedFragments,
	productsOf,
	proveFile,
	type StoredPage,
} from '../pages/page.js';
import type { PageKeys } from '../pages/page-keys.js';
import type { ProductFacts } from '../render/parts.js';
import { createPagesByProduct, type PagesByProduct } from '../report/report.js';
import { sharedMap } from '../runtime/page-source.js';
import type { PageTable } from '../store/review-store.js';
import { pack } from '../store/values.js';

/** When the reviews on each page last changed, in milliseconds since 1970, by {@link keyOfAddress}. */
const times = sharedMap<number>('page-changes');

/** Not empty if the times are wanted. */
const wishes = sharedMap<true>('page-changes-wanted');

/** Notes when the reviews on each page of a build last changed. */
export interface PageChanges {
	/** The time for what changed now. */
	now(): number;
	/** Notes a page. Its last call counts. */
	note(page: Pick<StoredPage, 'address' | 'changedAt'>): void;
}

/** Makes the builds of this process note the times. Otherwise they do not, because that takes time and memory. */
export function wantPageChanges(): void {
	wishes().set('', true);
}

/**
 * Starts to note the times of a build.
 * @param site Astro's option: without it, there is no sitemap.
 * @returns `undefined` if nobody wants them.
 */
export function startPageChanges(site: string | undefined, now: () => number): PageChanges | undefined {
	if (site === undefined || wishes().size === 0) return undefined;
	return {
		now,
		note({ address, changedAt }) {
			const key = keyOfAddress(fullAddress(address, site));
			if (key === undefined) return;
			if (changedAt === undefined) times().delete(key);
			else times().set(key, changedAt);
		},
	};
}

/** When the reviews on a page last changed, in milliseconds since 1970; `undefined` if this is unknown. */
export function findPageChange(url: string): number | undefined {
	const key = keyOfAddress(url);
	return key === undefined ? undefined : times().get(key);
}

/** The audit of one `astro build`, from what its components placed on its pages. */
export interface BuildAudit {
	/** Called when something is placed, on a page or before one is rendered. */
	place(facts: ProductFacts): void;
	/** Audits a rendered page. @returns what is wrong with it; `undefined` if the audit is off. */
	add(page: string, facts: readonly ProductFacts[]): readonly Finding[] | undefined;
	/** Adds earlier findings of a page that was not rendered again. */
	addKnown: Audit['addKnown'];
	/** Logs the findings as warnings. */
	describe(): void;
	/** For the report. */
	readonly result: Pick<Audit, 'pages' | 'findings'>;
	/** @throws ReviewAuditError if there are findings and the option `audit` is `'error'`. */
	assertClean(): void;
}

export function startAudit(
	option: ProductReviewsOptions['audit'],
	reportFile: string,
	logger: Pick<AstroIntegrationLogger, 'warn'>,
): BuildAudit {
	const audit = createAudit();
	return {
		place({ component, pid }) {
			if (component === 'own-markup') audit.addOwnMarkup(pid);
		},
		add(page, facts) {
			if (option === 'off') return undefined;
			const before = audit.findings.length;
			audit.add(page, facts);
			return audit.findings.slice(before).map(({ rule, pids }) => ({ rule, pids }));
		},
		addKnown: audit.addKnown,
		describe() {
			for (const line of describeFindings(audit.findings)) logger.warn(line);
		},
		result: audit,
		assertClean() {
			if (option !== 'error' || audit.findings.length === 0) return;
			const pages = new Set(audit.findings.map(({ page }) => page)).size;
			throw new ReviewAuditError(
				`The audit of the reviews found something wrong with ${pages === 1 ? 'one page' : `${pages.toLocaleString('en')} pages`}; the warnings above say what and where.`,
				`All of it is in "${reportFile}". To build all the same, set the option "audit" of productReviews() to "warn".`,
			);
		},
	};
}

/** A page to render. */
interface PageToRender {
	/** Unique within the site. */
	readonly name: string;
	/** The path of its address, in readable form. */
	readonly address: string;
	/** `false` for an endpoint, such as a feed, which shows reviews but is not opened by people. */
	readonly isPage: boolean;
}

/** A page as a prerenderer rendered it. */
export interface RenderedPage<Result> {
	readonly result: Result;
	/** Reads its text. */
	read(): Promise<Buffer>;
	/** The result with another text. */
	with(body: Buffer<ArrayBuffer>): Result;
}

/** The pages of one build, and what they show. */
export interface BuildPages {
	/**
	 * Renders a page and records what it shows.
	 * @param render is called again for a page that changes what components write, or may, if places are recorded.
	 */
	render<Result>(page: PageToRender, render: () => Promise<RenderedPage<Result>>): Promise<Result>;
	/** Called when the page being rendered could not request what it shows. */
	readonly miss: PageRecorder['miss'];
	/** Pages that were built without reviews because they could not reach the build. */
	readonly unreached: readonly string[];
	readonly byProduct: PagesByProduct;
	/** Adds the pages that Astro took from its cache, and forgets those that are no longer part of the site. */
	finish(): void;
}

export interface BuildPagesContext {
	readonly recorder: PageRecorder;
	readonly audit: Pick<BuildAudit, 'add' | 'addKnown'>;
	/** `undefined` if the build is not incremental. */
	readonly keys: PageKeys | undefined;
	/** Puts marks around fragments; `undefined` if their places are not recorded. */
	readonly marks: Marks | undefined;
	/** Notes when the reviews on pages last changed; `undefined` if nobody wants to know. */
	readonly changes: PageChanges | undefined;
	/** Whether some code of the site may read what components wrote. Its pages are tried. @default never */
	readonly mayRead?: (() => boolean) | undefined;
	readonly table: PageTable<StoredPage>;
}

export function createBuildPages(context: BuildPagesContext): BuildPages {
	const { recorder, audit, keys, marks, changes, table } = context;
	const byProduct = createPagesByProduct();
	const unreached: string[] = [];
	const names = new Set<string>();

	const keep = (name: string, page: StoredPage) => {
		// Two pages with the same name cannot be told apart, so neither can be changed later.
		const isKnown = names.has(name);
		names.add(name);
		const other = isKnown ? table.get(name)?.dependencies : undefined;
		const { changedAt: _changedAt, ...untold } = page;
		const kept = other ? { ...untold, file: null, dependencies: [...other, ...page.dependencies] } : page;
		changes?.note(kept);
		table.put(name, pack(kept), productsOf(kept));
	};
	const changeOf = (name: string, { dependencies, isMissing }: RecordedPage) =>
		changes && !isMissing ? changedAtOf(table.get(name), dependencies, changes.now()) : undefined;
	return {
		async render({ name, address, isPage }, render) {
			const { result, page, file } = await renderPage(address, render, context);
			const { facts, isMissing } = page;
			byProduct.add(
				address,
				facts.map(({ pid }) => pid),
			);
			if (isMissing) unreached.push(address);
			const findings = isPage ? audit.add(address, facts) : [];
			const generation = keys?.rendered(name, !isMissing);
			const dependencies = isMissing ? [] : page.dependencies;
			if (generation !== undefined || ((marks || changes) && dependencies.length > 0)) {
				const changedAt = changeOf(name, page);
				const noted = marks && { file: file ?? null };
				keep(name, { generation, address, dependencies, changedAt, findings, ...noted });
			}
			return result;
		},
		miss: recorder.miss,
		unreached,
		byProduct,
		finish() {
			for (const { name, address, pids, findings } of keys?.reused ?? []) {
				byProduct.add(address, pids);
				audit.addKnown(address, findings);
				names.add(name);
			}
			if (keys || marks || changes) table.keepOnly(names);
		},
	};
}

/** Renders a page with marks, and without them if it does not leave them as they are. */
async function renderPage<Result>(
	address: string,
	render: () => Promise<RenderedPage<Result>>,
	{ recorder, marks, mayRead }: BuildPagesContext,
): Promise<{ result: Result; page: RecordedPage; file?: PlacedFragments }> {
	const { result: rendered, page } = await recorder.record(address, render, marks);
	if (!marks || !showsFragments(page)) return { result: rendered.result, page };
	const take = async (given: typeof rendered, { marked }: RecordedPage) =>
		marks.take(await given.read(), marked);
	const taken = await take(rendered, page);
	if (taken && !mayRead?.()) {
		return {
			result: rendered.with(taken.body),
			page,
			file: { ...proveFile(taken.body), places: taken.places },
		};
	}
	const plain = await recorder.record(address, render);
	if (!taken) return { result: plain.result.result, page: plain.page };
	const body = Buffer.from(await plain.result.read());
	const tried = await recorder.record(address, render, createTrial(marks));
	const other = await take(tried.result, tried.page);
	const isAsGiven =
		body.equals(taken.body) &&
		other !== undefined &&
		isSameInTrial({ ...page, ...taken }, { ...tried.page, ...other });
	return {
		result: plain.result.with(body),
		page,
		...(isAsGiven && { file: { ...proveFile(body), places: taken.places } }),
	};
}

function showsFragments({ dependencies }: RecordedPage): boolean {
	return dependencies.some(({ request }) => request !== undefined);
}
