import type { ReviewListProps } from '../render/render-product-reviews.js';
import type { StatedSelection } from '../render/state-reviews.js';

/** How a component writes its block, whatever the product: pages of one template share it. */
export type Recipe =
	| {
			readonly component: 'ProductReviews';
			readonly props: ReviewListProps & Readonly<Record<string, unknown>>;
			readonly locale: string | undefined;
	  }
	| ({ readonly component: 'ReviewSchema' } & StatedSelection);

/**
 * Tells a recipe from every other one; `undefined` where it cannot be handed to another thread or is too long to be one
 * that many pages share.
 */
export function keyOf(recipe: Recipe): string | undefined {
	const values = recipe.component === 'ProductReviews' ? Object.values(recipe.props) : [];
	if (!values.every(isPlain)) return undefined;
	const key = JSON.stringify(recipe);
	return key.length <= MAX_LENGTH ? key : undefined;
}

const MAX_LENGTH = 1_000;

function isPlain(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		['string', 'boolean'].includes(typeof value) ||
		Number.isFinite(value)
	);
}
