import type { CategorySlug } from './types.ts';

export interface Category {
	readonly slug: CategorySlug;
	readonly name: string;
	/** One sentence under the category's heading. */
	readonly text: string;
}

/** In the order of the shop's navigation. */
export const CATEGORIES: readonly Category[] = [
	{
		slug: 'kitchen',
		name: 'Kitchen',
		text: 'Iron, enamel, stoneware and oak, for food made from scratch on a weekday.',
	},
	{
		slug: 'home',
		name: 'Home',
		text: 'Wool, linen and warm light, for the half of the year that happens indoors.',
	},
	{ slug: 'garden', name: 'Garden', text: 'Tools that can be sharpened, pots that can stand the frost.' },
	{
		slug: 'outdoor',
		name: 'Outdoor',
		text: 'A small kit for long walks: light enough to carry, plain enough to repair.',
	},
	{ slug: 'desk', name: 'Desk', text: 'Fewer things on the table, and each of them good to touch.' },
	{ slug: 'kids', name: 'Kids', text: 'Toys and gear for the first child, and for the cousins after that.' },
];
