import type { Placement, ReviewsPlacement, SchemaPlacement } from './placement.js';

/** What search engines hold against a page. */
export type AuditRule =
	| 'schema-without-reviews'
	| 'schema-lists-more'
	| 'counts-differ'
	| 'schema-twice'
	| 'several-products'
	| 'different-ids'
	| 'hidden-only';

/** One thing that is wrong with a page. */
export interface Finding {
	readonly rule: AuditRule;
	/** The products that it is about. */
	readonly pids: readonly string[];
}

/**
 * What is wrong with a page, from what was placed on it.
 * @see https://developers.google.com/search/docs/appearance/structured-data/sd-policies
 */
export function auditPage(placements: readonly Placement[]): Finding[] {
	const found = new Map<AuditRule, string[]>();
	for (const [pid, ofProduct] of Map.groupBy(placements, (placement) => placement.pid)) {
		for (const rule of auditProduct(ofProduct)) found.set(rule, [...(found.get(rule) ?? []), pid]);
	}
	const stated = [...new Set(schemasOf(placements).map(({ pid }) => pid))];
	if (stated.length > 1) found.set('several-products', stated);
	return [...found].map(([rule, pids]) => ({ rule, pids }));
}

/** What is wrong with one product's part of a page. */
function auditProduct(placements: readonly Placement[]): AuditRule[] {
	const schemas = schemasOf(placements);
	const blocks = placements.filter((placement) => 'shown' in placement);
	// What own markup shows is not known: it gets the benefit of the doubt.
	const hasOwnMarkup = placements.some(({ component }) => component === 'own-markup');
	const hasStars = placements.some(
		({ component }) => component === 'StarRating' || component === 'RatingSummary',
	);
	const listed = Math.max(0, ...schemas.map((schema) => schema.listed));
	const counts = new Set(
		placements.flatMap((placement) => ('count' in placement ? (placement.count ?? []) : [])),
	);
	const ids = new Set(schemas.flatMap(({ id }) => id ?? []));
	const isOnlyHidden = blocks.length > 0 && blocks.every(({ display }) => display === 'hidden');

	const broken: Partial<Record<AuditRule, boolean>> = {
		'schema-without-reviews': schemas.length > 0 && blocks.length === 0 && !hasOwnMarkup,
		'schema-lists-more': blocks.length > 0 && schemas.some((schema) => !blocks.some(showsAllOf(schema))),
		'counts-differ': counts.size > 1 || [...counts].some((count) => listed > count),
		'schema-twice': schemas.length > 1,
		'different-ids': ids.size > 1,
		'hidden-only': isOnlyHidden && !hasStars && !hasOwnMarkup,
	};
	return RULES.filter((rule) => broken[rule]);
}

/** Reviews that the service left out of the one and not of the other are no fault of the page. */
function showsAllOf({ listed, sort }: SchemaPlacement): (block: ReviewsPlacement) => boolean {
	return (block) => block.isAll || (block.sort === sort && listed <= block.shown);
}

const RULES: readonly AuditRule[] = [
	'schema-without-reviews',
	'schema-lists-more',
	'counts-differ',
	'schema-twice',
	'different-ids',
	'hidden-only',
];

function schemasOf(placements: readonly Placement[]) {
	return placements.filter((placement) => placement.component === 'ReviewSchema');
}
