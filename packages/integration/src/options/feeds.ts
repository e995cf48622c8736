import { z } from 'astro/zod';

function fn<Call>() {
	return z.custom<Call>((value) => typeof value === 'function', { error: 'Expected a function.' });
}

/** Which files for programs a build writes beside the pages. */
export const feedsSchema = z.strictObject({
	/**
	 * Writes `reviews.md` beside each page that shows a product's reviews: the same reviews as text for agents, with a link from
	 * `<ReviewSchema>`. Updates write it with the page. `{ path }` names the files: a function from the path of a page, such as
	 * `products/kettle` (`index` for the home page), to the path of its file in the output folder, which ends in `.md`.
	 * @default false
	 * @example { path: (page) => `${page}.md` }
	 */
	markdown: z
		.union([z.boolean(), z.strictObject({ path: fn<(page: string) => string>() })], {
			error: 'Expected a boolean, or an object with a function "path".',
		})
		.default(false),
	/**
	 * Writes `product-ratings.json`: average and count of every product by its id, for feeds that you build elsewhere. Updates
	 * write it, too.
	 * @default false
	 */
	ratings: z.boolean().default(false),
});
