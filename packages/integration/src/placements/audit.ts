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
	/** Audits a page that was rendered. */
	add(page: string, placements: readonly Placement[]): void;
	/** Pages that were audited. */
	readonly pages: number;
	readonly findings: readonly PageFinding[];
}

export function createAudit(): Audit {
	const findings: PageFinding[] = [];
	let pages = 0;
	return {
		add(page, placements) {
			pages += 1;
			for (const { rule, pids } of auditPage(placements)) findings.push({ rule, page, pids });
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
		'Add <ProductReviews> of the same product.',
	],
	'schema-lists-more': [
		'<ReviewSchema> lists more reviews than <ProductReviews> shows',
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
