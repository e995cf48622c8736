import type { Component } from './component.js';
import type { Facts } from './facts.js';
import { formAuthors } from './form-authors.js';
import { jsonForScript } from './json-script.js';
import { missingOfferParts } from './missing-offer-parts.js';
import { listOf } from './own-product.js';
import type { ReviewSchemaProps } from './review-schema-props.js';
import { SCHEMA_SCRIPT_ID } from './schema-script-id.js';
import { type StatedReviews, stateReviews } from './state-reviews.js';
import { type ProductNode, toProductNode } from './to-product-node.js';

/**
 * The html of `<ReviewSchema>`: one JSON-LD script; empty if there is nothing to state.
 * @param reviews JSON of the node's reviews, escaped for a script; empty if there are none.
 */
export function renderReviewSchema(node: ProductNode | undefined, reviews = ''): string {
	if (!node) return '';
	const json = jsonForScript(node);
	const whole = reviews === '' ? json : `${json.slice(0, -1)},"review":${reviews}}`;
	return `<script type="application/ld+json" id="${SCHEMA_SCRIPT_ID}">${whole}</script>`;
}

/** `<ReviewSchema>` */
export const reviewSchema: Component<'reviews'> = {
	from: 'reviews',
	isAddressed: true,
	shared: ({ component, props: { sort, limit } }) => ({ component, props: { sort, limit } }),
	write(product, { props }, { author, publishers }) {
		if (!product) return { html: '', facts: [] };
		const { reviews, ...stated } = stateReviews(formAuthors(product, author), props, publishers);
		return { html: reviews, facts: [], stated };
	},
	finish(piece, request) {
		const stated = piece.stated && { ...piece.stated, reviews: piece.html };
		const node = toProductNode(stated, request.props, request.address);
		return { html: renderReviewSchema(node, stated?.reviews), facts: factsOf(node, stated, request) };
	},
};

type SchemaProps = Omit<ReviewSchemaProps, 'pid'>;

function factsOf(
	node: ProductNode | undefined,
	stated: StatedReviews | undefined,
	{ props: { sort = 'as-sent' } }: { readonly props: SchemaProps },
): Facts[] {
	if (!node) return [];
	const facts: Facts[] = [];
	const lacks = missingOfferParts(node['offers']);
	if (lacks.length > 0) facts.push({ component: 'offers', lacks });
	if (stated && node['aggregateRating']) {
		const listed = stated.listed || listOf(node['review'] ?? []).length;
		facts.push({ component: 'ReviewSchema', id: node['@id'], count: stated.rating?.count, listed, sort });
	}
	return facts;
}
