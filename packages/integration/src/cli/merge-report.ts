import {
	addNumbers,
	type BuildReport,
	countStatuses,
	type ProductReport,
	type ResourceReport,
} from '../report/report.js';

/**
 * The report of a site from those of its shards. Requests and bytes are sums. Times are those of the shard that took
 * longest, because shards are built beside each other. Products and findings that several shards report are there once.
 */
export function joinReports(
	reports: readonly BuildReport[],
): BuildReport & { products: readonly ProductReport[] } {
	const products = joinProducts(reports);
	const fetched = reports.flatMap(({ fetchMs }) => fetchMs ?? []);
	const incremental = reports.flatMap(({ pages }) => pages.incremental ?? []);
	const findings = reports.flatMap(({ audit }) => audit.findings);
	const times = reports.map(({ builtAt }) => builtAt).toSorted();
	return {
		version: reports[0]?.version ?? '',
		builtAt: times.at(-1) ?? '',
		ms: Math.max(...reports.map(({ ms }) => ms)),
		...(fetched.length > 0 && { fetchMs: Math.max(...fetched) }),
		pages: {
			withReviews: new Set(products.flatMap(({ pages }) => pages)).size,
			...(incremental.length > 0 && { incremental: incremental.reduce(addNumbers) }),
		},
		// Its size is not known yet.
		store: { bytes: undefined, pruned: reports.reduce((sum, { store }) => sum + store.pruned, 0) },
		audit: {
			pages: reports.reduce((sum, { audit }) => sum + audit.pages, 0),
			findings: [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()],
		},
		totals: countStatuses(products),
		reviewData: countStatuses(products.flatMap(({ reviewData }) => reviewData ?? [])),
		requests: reports.map(({ requests }) => requests).reduce(addNumbers),
		products,
	};
}

function joinProducts(reports: readonly BuildReport[]): readonly ProductReport[] {
	const byPid = new Map<string, ProductReport>();
	for (const product of reports.flatMap(({ products }) => [...products])) {
		const known = byPid.get(product.pid) ?? product;
		const reviewData = worst(known.reviewData, product.reviewData);
		byPid.set(product.pid, {
			...worst(known, product),
			pages: [...new Set([...known.pages, ...product.pages])],
			...(reviewData && { reviewData }),
		});
	}
	return [...byPid.values()];
}

/** Outcomes, from the one that most needs attention to the one that least does. */
const OUTCOMES = ['failed', 'unreadable', 'stale', 'missing', 'fetched', 'unchanged', undefined] as const;

function worst<Report extends ResourceReport | undefined>(one: Report, other: Report): Report {
	return OUTCOMES.indexOf(one?.status) <= OUTCOMES.indexOf(other?.status) ? one : other;
}
