import type { ProviderReview, ReviewProvider } from '../../options/provider.js';
import { fieldsOf } from '../../records/field-reader.js';
import {
	addressOf,
	type Fields,
	listOf,
	plainTextOf,
	type Query,
	ratingOf,
	readJson,
	readPages,
	siteOf,
	starsOf,
	textOf,
} from './source.js';

export interface WooCommerceConfig {
	/** Address of WordPress, with its folder if it is in one. With plain permalinks, add `?rest_route=/`. */
	readonly url: string;
}

/** Most items that a page may have. */
const PAGE = 100;

/**
 * Reads the reviews of a WooCommerce shop by its public Store API, which gives those that are approved.
 * @see https://developer.woocommerce.com/docs/apis/store-api/resources-endpoints/product-reviews
 */
export default function wooCommerce({ url }: WooCommerceConfig): ReviewProvider {
	const site = siteOf(url, 'url');
	const read = async (path: string, query: Query, signal: AbortSignal) => {
		const address = new URL(site);
		const route = `/wc/store/v1/${path}`;
		if (address.searchParams.has('rest_route')) address.searchParams.set('rest_route', route);
		else address.pathname = `${address.pathname.replace(/\/$/, '')}/wp-json${route}`;
		for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
		return listOf(await readJson(address, { signal }));
	};
	return {
		name: `woocommerce ${site.host}${site.pathname}`,
		async reviews(pid, { signal }) {
			const items = await readPages(async (page) => {
				// By id, the order stays the same while reviews come in.
				const order = { per_page: `${PAGE}`, page: `${page}`, orderby: 'id', order: 'desc' };
				return { items: await read('products/reviews', { product_id: pid, ...order }, signal), size: PAGE };
			});
			return { reviews: items.map(reviewOf) };
		},
		async ratings(pids, { signal }) {
			const fields = { _fields: 'id,average_rating,review_count', catalog_visibility: 'any' };
			const products = await read(
				'products',
				{ include: pids.join(','), per_page: `${PAGE}`, ...fields },
				signal,
			);
			return products.flatMap(({ id, average_rating, review_count }) =>
				ratingOf(String(id), average_rating, review_count),
			);
		},
	};
}

/** Leaves the address of the product out, which is that of WordPress, and the picture of the author, a hash of an e-mail address. */
function reviewOf(item: Fields): ProviderReview {
	return {
		id: item['id'] as number,
		pid: item['product_id'] as number,
		author: plainTextOf(item['reviewer']),
		rating: starsOf(item['rating']),
		body: plainTextOf(item['review']),
		// Without a zone, but UTC.
		date: textOf(item['date_created_gmt']),
		productName: plainTextOf(item['product_name']),
		productImageUrl: addressOf(fieldsOf(item['product_image'])['src']),
		verified: item['verified'] === true,
	};
}
