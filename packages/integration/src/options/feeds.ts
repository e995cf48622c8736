import { z } from 'astro/zod';

/** Names and identifiers of one product for a product feed. Several values are those of its variants. */
export interface FeedProduct {
	/** @default the name that pages give to `<ReviewSchema>`, or else the service's name of the product */
	readonly name?: string | undefined;
	/** Absolute address of the product's page. @default the page with its `<ReviewSchema>` or its reviews */
	readonly url?: string | undefined;
	readonly gtin?: string | readonly string[] | undefined;
	readonly mpn?: string | readonly string[] | undefined;
	readonly sku?: string | readonly string[] | undefined;
	readonly brand?: string | readonly string[] | undefined;
	readonly asin?: string | readonly string[] | undefined;
}

const EXPECTED_ADDRESS = 'Expected an absolute address with http: or https:.';

function fn<Call>() {
	return z.custom<Call>((value) => typeof value === 'function', { error: 'Expected a function.' });
}

/** A feed of all reviews for Google's Product Ratings program. */
const productRatingsSchema = z.strictObject({
	/** The store's name, as Google shows it. */
	publisher: z.string().min(1),
	/** Absolute address of the store's icon. */
	favicon: z
		.string()
		.regex(/^https?:\/\/\S+\.\S+$/, { error: EXPECTED_ADDRESS })
		.optional(),
	/**
	 * Path of the file in the output folder. A feed of more than 99 MB goes on in files with a number before `.xml`.
	 * @default 'product-ratings.xml'
	 */
	file: z
		.string()
		.regex(/^(?!\/|.*(?:\.\.|\\)).*\.xml$/, {
			error: 'Expected a path in the output folder that ends in .xml.',
		})
		.default('product-ratings.xml'),
	/** The tag of reviews whose authors were rewarded for them. @default the feed says nothing about rewards */
	incentivizedTag: z.string().min(1).optional(),
	/**
	 * Returns what pages do not say of a product, from its id at the review service: an object, or a promise of one, with
	 * `name`, `url`, and `gtin`, `mpn`, `sku`, `brand`, `asin` as strings or lists of strings. The function has 30 seconds for
	 * each product.
	 * @default what pages give to `<ReviewSchema product>`
	 * @example async (pid) => ({ gtin: (await findProduct(pid)).barcode })
	 */
	product: fn<(pid: string) => FeedProduct | undefined | Promise<FeedProduct | undefined>>().optional(),
});

export type ProductRatingsOptions = z.output<typeof productRatingsSchema>;

/** A path whose folders have names, so that it stays in the output folder, with `{page}` and no other braces. */
const PATTERN =
	/^(?!\/|.*(?:\\|\/\/|(?:^|\/)\.{1,2}\/))(?=.*\{page\})(?:[^{}\p{Cc}]|\{page\})+(?<![/.])\.md$/u;

const EXPECTED_PATTERN = {
	error:
		'Expected a boolean, or a path in the output folder that contains {page} and ends in .md, such as "{page}.md".',
};

/** Files for programs that a build writes beside the pages. */
export const feedsSchema = z.strictObject({
	/**
	 * Writes `reviews.md` beside each page that shows a product's reviews: the same reviews as text for agents, with a link from
	 * `<ReviewSchema>`. Updates write it like a page. A pattern names the files: a path in the output folder that contains `{page}`
	 * and ends in `.md`. `{page}` is the path of a page, such as `products/kettle`, and `index` for the home page.
	 * @default false
	 * @example '{page}.md'
	 */
	markdown: z
		.union([z.boolean(), z.string().regex(PATTERN, EXPECTED_PATTERN)], EXPECTED_PATTERN)
		.default(false),
	/**
	 * Writes a feed for Google's Product Ratings program (XML, version 2.4) with all reviews, also low ones. It needs a token,
	 * `site` in the Astro configuration, and a page for each product. Builds write it, and `update --feeds`.
	 * @default none is written
	 * @example { publisher: 'Fjell & Form' }
	 */
	productRatings: productRatingsSchema.optional(),
	/**
	 * Writes `product-ratings.json`: average and count of every product by its id, for feeds that you build elsewhere. Updates
	 * write it, too.
	 * @default false
	 */
	ratings: z.boolean().default(false),
});
