import type { PageFinding } from '../../audit/audit.js';
import type { KeyCounts } from '../../pages/page-keys.js';
import {
	addParts,
	type BuildReport,
	type ProductReport,
	type ResourceReport,
	type Totals,
} from '../../report/report.js';

/** The report of a whole site. The size of its store is not known yet. */
export interface JoinedReport extends BuildReport {
	readonly products: readonly ProductReport[];
}

/**
 * The report of a site from those of its shards. Requests and bytes are sums. Times are those of the shard that took
 * longest, because shards are built beside each other. Products and findings that several shards report are there once.
 */
export function joinReports(reports: readonly BuildReport[]): JoinedReport {
	const products = joinProducts(reports);
	const sum = (of: (report: BuildReport) => number) => reports.reduce((all, report) => all + of(report), 0);
	const fetched = reports.flatMap(({ fetchMs }) => (fetchMs === undefined ? [] : [fetchMs]));
	const keyed = reports.flatMap(({ pages }) => (pages.incremental ? [pages.incremental] : []));
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
			...(keyed.length > 0 && { incremental: sumOfKeys(keyed) }),
		},
		store: { bytes: undefined, pruned: sum(({ store }) => store.pruned) },
		audit: { pages: sum(({ audit }) => audit.pages), findings: joinFindings(reports) },
		totals: countProducts(products.map(({ status }) => status)),
		reviewData: countProducts(products.map(({ reviewData }) => reviewData?.status)),
		requests: {
			total: sum(({ requests }) => requests.total),
			retries: sum(({ requests }) => requests.retries),
			bytes: sum(({ requests }) => requests.bytes),
			operations: {
				starRating: sum(({ requests }) => requests.operations.starRating),
				productReviewData: sum(({ requests }) => requests.operations.productReviewData),
				crawlerReviews: sum(({ requests }) => requests.operations.crawlerReviews),
			},
		},
		products,
	};
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
	const { dropped, reviewData } = one;
	const parts = dropped && other.dropped ? addParts(dropped, other.dropped) : (dropped ?? other.dropped);
	const data = reviewData && other.reviewData ? joinResource(reviewData, other.reviewData) : undefined;
	const joinedData = data ?? reviewData ?? other.reviewData;
	return {
		pid: one.pid,
		...joinResource(one, other),
		pages: [...new Set([...one.pages, ...other.pages])],
		...(parts && { dropped: parts }),
		...(joinedData && { reviewData: joinedData }),
	};
}

/** Outcomes, from the one that most needs attention to the one that least does. */
const OUTCOMES = ['failed', 'unreadable', 'stale', 'missing', 'fetched', 'unchanged', undefined] as const;

function joinResource(one: ResourceReport, other: ResourceReport): ResourceReport {
	const [worse] = [one, other].toSorted(
		(a, b) => OUTCOMES.indexOf(a.status) - OUTCOMES.indexOf(b.status),
	) as [ResourceReport];
	return {
		...(worse.status && { status: worse.status }),
		...(worse.reason !== undefined && { reason: worse.reason }),
		ms: one.ms + other.ms,
		bytes: one.bytes + other.bytes,
	};
}

function countProducts(statuses: readonly ResourceReport['status'][]): Totals {
	const totals = { products: 0, fetched: 0, unchanged: 0, missing: 0, stale: 0, failed: 0 };
	let unreadable = 0;
	for (const status of statuses) {
		if (!status) continue;
		totals.products += 1;
		if (status === 'unreadable') unreadable += 1;
		else totals[status] += 1;
	}
	return unreadable === 0 ? totals : { ...totals, unreadable };
}

function sumOfKeys(counts: readonly Readonly<KeyCounts>[]): KeyCounts {
	const sum: KeyCounts = { keyed: 0, changed: 0, rendered: 0 };
	for (const { keyed, changed, rendered } of counts) {
		sum.keyed += keyed;
		sum.changed += changed;
		sum.rendered += rendered;
	}
	return sum;
}

function joinFindings(reports: readonly BuildReport[]): readonly PageFinding[] {
	const all = reports.flatMap(({ audit }) => audit.findings);
	return [...new Map(all.map((finding) => [JSON.stringify(finding), finding])).values()];
}
