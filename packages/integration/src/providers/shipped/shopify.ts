import type { ProviderOptions, ProviderRating, ReviewProvider } from '../../options/provider.js';
import { fieldsOf } from '../../records/field-reader.js';
import { type Fields, listOf, numberOf, ratingOf, readJson, refused, required, starsOf } from './source.js';

export interface ShopifyConfig {
	/** The shop's domain at Shopify, such as `'my-shop.myshopify.com'`. */
	readonly domain: string;
	/** Version of the Storefront API. @default '2026-10' */
	readonly apiVersion?: string;
}

const RATINGS = `query Ratings($ids: [ID!]!) {
	nodes(ids: $ids) {
		... on Product {
			id
			rating: metafield(namespace: "reviews", key: "rating") { value }
			count: metafield(namespace: "reviews", key: "rating_count") { value }
		}
	}
}`;

/** Statuses of what the API says in an answer with status 200. */
const STATUSES: Readonly<Record<string, number>> = { THROTTLED: 429, ACCESS_DENIED: 403, SHOP_INACTIVE: 403 };

/**
 * Reads the stars of products from the metafields `reviews.rating` and `reviews.rating_count`, which review apps write. The
 * token of the Storefront API is `SHOPIFY_STOREFRONT_TOKEN`. There are no texts.
 * @param origin for tests
 * @see https://shopify.dev/docs/apps/build/custom-data/metafields/list-of-standard-definitions
 */
export default function shopify(
	{ domain, apiVersion = '2026-10' }: ShopifyConfig,
	origin = `https://${domain}`,
): ReviewProvider {
	async function readRatings(
		pids: readonly string[],
		{ signal, env }: ProviderOptions,
	): Promise<ProviderRating[]> {
		const token = required(
			{ env },
			'SHOPIFY_STOREFRONT_TOKEN',
			'it is the private token of the Headless channel',
		);
		const ids = pids.map((pid) => `gid://shopify/Product/${numberOf(pid)}`);
		const answer = await readJson(new URL(`/api/${apiVersion}/graphql.json`, origin), {
			signal,
			headers: { 'shopify-storefront-private-token': token },
			body: { query: RATINGS, variables: { ids } },
		});
		const [error] = listOf(answer['errors']);
		if (error) {
			const code = String(fieldsOf(error['extensions'])['code']);
			throw refused(`Shopify responded with ${code}: ${error['message']}`, STATUSES[code] ?? 502);
		}
		// In the order of the ids: `null` for one that is not a product.
		const nodes = fieldsOf(answer['data'])['nodes'] as readonly (Fields | null)[];
		return pids.flatMap((pid, index) => {
			const { rating, count } = nodes[index] ?? {};
			return ratingOf(pid, averageOf(fieldsOf(rating)['value']), fieldsOf(count)['value']);
		});
	}
	return {
		name: `shopify ${domain}`,
		async reviews(pid, options) {
			const [aggregate] = await readRatings([pid], options);
			return aggregate ? { aggregate, reviews: [] } : null;
		},
		ratings: readRatings,
	};
}

/** Reads a rating, which is JSON with texts for numbers, on a scale of its own. */
function averageOf(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const { value: given, scale_min: least, scale_max: most } = fieldsOf(JSON.parse(value));
	const [stars, min, max] = [starsOf(given), Number(least ?? 1), Number(most ?? 5)];
	return stars === undefined || max === 5 ? stars : 1 + ((stars - min) * 4) / (max - min);
}
