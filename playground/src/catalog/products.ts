import { CATEGORIES } from './categories.ts';
import { DESK } from './desk.ts';
import { GARDEN } from './garden.ts';
import { HOME } from './home.ts';
import { KIDS } from './kids.ts';
import { KITCHEN } from './kitchen.ts';
import { OUTDOOR } from './outdoor.ts';
import type { CategorySlug, Product, ProductEntry } from './types.ts';

const ENTRIES: Readonly<Record<CategorySlug, readonly ProductEntry[]>> = {
	kitchen: KITCHEN,
	home: HOME,
	garden: GARDEN,
	outdoor: OUTDOOR,
	desk: DESK,
	kids: KIDS,
};

/** The whole catalog, category by category. */
export const PRODUCTS: readonly Product[] = CATEGORIES.flatMap(({ slug }) => productsOf(slug));

/** The products of one category. */
export function productsOf(category: CategorySlug): Product[] {
	return ENTRIES[category].map((entry) => ({ ...entry, category }));
}

/** The four products after this one in its category, wrapping around at the end. */
export function relatedTo({ pid, category }: Product): Product[] {
	const siblings = productsOf(category);
	const index = siblings.findIndex((sibling) => sibling.pid === pid);
	return [...siblings.slice(index + 1), ...siblings.slice(0, index)].slice(0, 4);
}
