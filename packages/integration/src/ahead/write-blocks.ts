import type { ProductReviews } from '../parse/record.js';
import type { AuthorForm } from '../render/author-form.js';
import { formAuthors } from '../render/form-authors.js';
import type { RenderOptions } from '../render/render-options.js';
import { type StatedReviews, stateReviews } from '../render/state-reviews.js';
import { type WrittenReviews, writeReviews } from '../render/write-reviews.js';
import type { Recipe } from './recipe.js';

/** What the site decides for all blocks. */
export interface BlockSettings extends Omit<RenderOptions, 'language'> {
	/** Whose reviews are the store's own. */
	readonly publishers?: readonly string[] | undefined;
	/** @default 'full' */
	readonly author?: AuthorForm | undefined;
}

/** What a component writes of one product. */
export type Block<Of extends Recipe = Recipe> = Of extends { component: 'ProductReviews' }
	? WrittenReviews
	: StatedReviews;

/** Writes the block of a recipe. @throws TypeError for a prop that cannot be used. */
export function writeBlock<Of extends Recipe>(
	product: ProductReviews,
	recipe: Of,
	settings: BlockSettings,
): Block<Of>;
export function writeBlock(given: ProductReviews, recipe: Recipe, settings: BlockSettings): Block {
	const product = formAuthors(given, settings.author);
	if (recipe.component === 'ReviewSchema') return stateReviews(product, recipe, settings.publishers);
	return writeReviews(product, recipe.props, { ...settings, language: recipe.locale ?? 'en' });
}
