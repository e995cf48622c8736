import { nameProducts } from '../prefetch/name-products.js';
import { type AuditRule, auditPage } from './audit-page.js';
import type { Placement } from './placement.js';

/** One thing that is wrong with one page. */
export interface PageFinding {
	readonly rule: AuditRule;
	/** Path of the page's address. */
	readonly page: string;
	/** The products that it is about. */
	readonly pids: readonly string[];
}

/** The audit of one build. */
export interface Audit {
	/** Own markup of a product is somewhere: a page may show it though another, or none, asked for it. */
	addOwnMarkup(pid: string): void;
	/** Audits a page that was rendered. @returns whether nothing is wrong with it. */
	add(page: string, placements: readonly Placement[]): boolean;
	/** Pages that were audited. */
	readonly pages: number;
	readonly findings: readonly PageFinding[];
}

export function createAudit(): Audit {
	const findings: PageFinding[] = [];
	const ownMarkup = new Set<string>();
	let pages = 0;
	return {
		addOwnMarkup: (pid) => ownMarkup.add(pid),
		add(page, placements) {
			pages += 1;
			const pids = new Set(placements.map(({ pid }) => pid));
			const own = [...pids].filter((pid) => ownMarkup.has(pid));
			const found = auditPage([
				...placements,
				...own.map((pid) => ({ component: 'own-markup' as const, pid })),
			]);
			for (const { rule, pids } of found) findings.push({ rule, page, pids });
			return found.length === 0;
		},
		get pages() {
			return pages;
		},
		findings,
	};
}

/** Pages that a line names; the report has all. */
const MOST_NAMED = 5;

/** A line for each rule that pages break: what is wrong, where, what to do. */
export function describeFindings(findings: readonly PageFinding[]): string[] {
	return [...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, found]) => {
		const pages = [...new Set(found.map(({ page }) => page))];
		const [wrong, remedy] = DESCRIPTIONS[rule];
		const number = pages.length === 1 ? 'One page' : `${pages.length.toLocaleString('en')} pages`;
		return `${number}: ${wrong}: ${nameProducts(pages, MOST_NAMED)}. ${remedy}`;
	});
}

const DESCRIPTIONS: Readonly<Record<AuditRule, readonly [wrong: string, remedy: string]>> = {
	'schema-without-reviews': [
		'<ReviewSchema> marks up reviews that the page does not hold',
		'Add <ProductReviews> or <ReviewList> of the same product.',
	],
	'schema-lists-more': [
		'<ReviewSchema> lists reviews that the list of reviews does not show',
		'Give both the same `limit` and `sort`.',
	],
	'counts-differ': [
		'the counts of a product contradict each other',
		'Build again; if it stays, look at what the service sends as "dataCount".',
	],
	'schema-twice': ['<ReviewSchema> stands there twice for the same product', 'Remove one.'],
	'several-products': [
		'<ReviewSchema> stands there for more than one product',
		'Search engines want one product a page: keep that of the page, and <StarRating> for the others.',
	],
	'different-ids': [
		'<ReviewSchema> gives one product two different `@id`',
		'Give both the same `id`, or keep one of them.',
	],
	'hidden-only': [
		'reviews are hidden, and people see no rating',
		'Search engines may take that for hidden text: add <StarRating>, or set `display` to "visible" or "details".',
	],
};
