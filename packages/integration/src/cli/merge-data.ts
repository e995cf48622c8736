import { renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { fromElsewhere } from '../cache/brought-rows.js';
import type { BuildReport, ProductReport, ResourceReport, Totals } from '../report/report.js';
import { mergeStore } from '../store/merge-store.js';
import { isUnusable, openDatabase, openExistingFile } from '../store/open-database.js';
import type { Kind } from '../store/review-store.js';

/**
 * What is taken from shards. Ratings for lists are not: one that a shard asked for after another one had fetched the reviews
 * would look as if these had changed since.
 */
const TAKEN: readonly Kind[] = ['reviews', 'review-data', 'mark', 'page'];

/** The cache of a shard. */
interface Source {
	readonly file: string;
	/** The shard's folder, for messages. */
	readonly name: string;
}

/** The cache of the whole site, beside the place that it takes. */
export interface NewCache {
	/** Puts it in its place, with everything that was marked in the former one meanwhile. */
	replace(): void;
	/** Closes it, and deletes it if it did not take its place. */
	close(): void;
}

/**
 * Joins the caches of shards: everything that the site has of products, and everything of the shards. Of two values, the one
 * that was fetched last stays. Only rows that are whole, of this account, and as this version writes them are taken. If a
 * damaged row may have said that a product changed, all products count as changed.
 * @param explain makes an error of a shard's cache that is damaged.
 */
export function joinCaches(
	file: string,
	sources: readonly Source[],
	account: string,
	explain: (name: string, cause: unknown) => Error,
): NewCache {
	const made = `${file}.merging`;
	const former = openFormer(file);
	const remove = () => {
		for (const end of ['', '-journal', '-wal', '-shm']) rmSync(made + end, { force: true });
	};
	remove();
	const cache = copyOf(former, made);
	try {
		cache.exec(`PRAGMA synchronous = OFF; DELETE FROM shown;
			DELETE FROM entries WHERE kind = 'page'; DELETE FROM contents WHERE kind = 'page'`);
		for (const source of sources) takeFrom(cache, source, account, explain);
		// From here on, the file is on disk before it is renamed.
		cache.exec(`PRAGMA synchronous = FULL; ${FOLD_LOG}`);
	} catch (error) {
		former?.close();
		cache.close();
		remove();
		throw error;
	}
	cache.close();
	return {
		replace() {
			// A log would be taken for that of the new file.
			former?.exec(FOLD_LOG);
			for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
			renameSync(made, file);
			if (!former) return;
			const replaced = openDatabase(file, () => {});
			mergeStore(former, replaced, { now: Date.now(), kinds: ['mark'] });
			replaced.exec(FOLD_LOG);
			replaced.close();
		},
		close() {
			former?.close();
			remove();
		},
	};
}

const FOLD_LOG = 'PRAGMA wal_checkpoint(TRUNCATE)';

/** Opens the cache that the site has, if it can be used. It can be read even when it is replaced. */
function openFormer(file: string): DatabaseSync | undefined {
	try {
		return openExistingFile(file);
	} catch {
		return undefined;
	}
}

function copyOf(former: DatabaseSync | undefined, to: string): DatabaseSync {
	try {
		former?.prepare('VACUUM INTO ?').run(to);
	} catch (cause) {
		// Everything that is lost is fetched again.
		if (!isUnusable(cause)) throw cause;
		rmSync(to, { force: true });
	}
	return openDatabase(to, () => {});
}

function takeFrom(
	cache: DatabaseSync,
	{ file, name }: Source,
	account: string,
	explain: (name: string, cause: unknown) => Error,
): void {
	let source: DatabaseSync | undefined;
	try {
		source = openExistingFile(file);
		const now = Date.now();
		mergeStore(source, cache, { now, ...fromElsewhere(account), kinds: TAKEN });
	} catch (cause) {
		throw isUnusable(cause) ? explain(name, cause) : cause;
	} finally {
		source?.close();
	}
}

/**
 * The report of a site from those of its shards. Requests and bytes are sums. Times are those of the shard that took
 * longest, because shards are built beside each other. Products and findings that several shards report are there once.
 */
export function joinReports(
	reports: readonly BuildReport[],
): BuildReport & { products: readonly ProductReport[] } {
	const products = joinProducts(reports);
	const fetched = reports.flatMap(({ fetchMs }) => (fetchMs === undefined ? [] : [fetchMs]));
	const incremental = reports.flatMap(({ pages }) => (pages.incremental ? [pages.incremental] : []));
	const findings = reports.flatMap(({ audit }) => audit.findings);
	return {
		version: reports[0]?.version ?? '',
		builtAt:
			reports
				.map(({ builtAt }) => builtAt)
				.toSorted()
				.at(-1) ?? '',
		ms: Math.max(...reports.map(({ ms }) => ms)),
		...(fetched.length > 0 && { fetchMs: Math.max(...fetched) }),
		pages: {
			withReviews: new Set(products.flatMap(({ pages }) => pages)).size,
			...(incremental.length > 0 && { incremental: incremental.reduce(add) }),
		},
		// Its size is not known yet.
		store: { bytes: undefined, pruned: reports.reduce((sum, { store }) => sum + store.pruned, 0) },
		audit: {
			pages: reports.reduce((sum, { audit }) => sum + audit.pages, 0),
			findings: [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()],
		},
		totals: countProducts(products.map(({ status }) => status)),
		reviewData: countProducts(products.map(({ reviewData }) => reviewData?.status)),
		requests: reports.map(({ requests }) => requests).reduce(add),
		products,
	};
}

/** The sum of two objects of numbers, and of objects of numbers. */
function add<Counts extends object>(one: Counts, other: Counts): Counts {
	const [ours, theirs] = [one, other] as unknown as Readonly<Record<string, number | object>>[];
	const names = new Set([...Object.keys(one), ...Object.keys(other)]);
	const sums = [...names].map((name) => {
		const [left = 0, right = 0] = [ours?.[name], theirs?.[name]];
		return [
			name,
			typeof left === 'object' && typeof right === 'object' ? add(left, right) : Number(left) + Number(right),
		];
	});
	return Object.fromEntries(sums) as Counts;
}

function joinProducts(reports: readonly BuildReport[]): readonly ProductReport[] {
	const byPid = new Map<string, ProductReport>();
	for (const { products } of reports) {
		for (const product of products) {
			const known = byPid.get(product.pid);
			byPid.set(product.pid, known ? joinProduct(known, product) : product);
		}
	}
	return [...byPid.values()];
}

function joinProduct(one: ProductReport, other: ProductReport): ProductReport {
	const both = <Part>(join: (one: Part, other: Part) => Part, ours?: Part, theirs?: Part) =>
		ours && theirs ? join(ours, theirs) : (ours ?? theirs);
	const dropped = both(add, one.dropped, other.dropped);
	const reviewData = both(joinResource, one.reviewData, other.reviewData);
	return {
		pid: one.pid,
		...joinResource(one, other),
		pages: [...new Set([...one.pages, ...other.pages])],
		...(dropped && { dropped }),
		...(reviewData && { reviewData }),
	};
}

/** Outcomes, from the one that most needs attention to the one that least does. */
const OUTCOMES = ['failed', 'unreadable', 'stale', 'missing', 'fetched', 'unchanged', undefined] as const;

function joinResource(one: ResourceReport, other: ResourceReport): ResourceReport {
	const { status, reason } = OUTCOMES.indexOf(one.status) <= OUTCOMES.indexOf(other.status) ? one : other;
	return {
		...(status && { status }),
		...(reason !== undefined && { reason }),
		ms: one.ms + other.ms,
		bytes: one.bytes + other.bytes,
	};
}

function countProducts(statuses: readonly ResourceReport['status'][]): Totals {
	const totals = { products: 0, fetched: 0, unchanged: 0, missing: 0, stale: 0, failed: 0, unreadable: 0 };
	for (const status of statuses) {
		if (!status) continue;
		totals.products += 1;
		totals[status] += 1;
	}
	const { unreadable, ...others } = totals;
	return unreadable === 0 ? others : totals;
}
