import { shortAuthor } from '../../base/people.js';
import type { ProviderOptions, ProviderReview, ReviewProvider } from '../../options/provider.js';
import { fieldsOf } from '../../records/field-reader.js';
import { aggregateOf } from '../../records/rating.js';
import {
	type Fields,
	listOf,
	picturesOf,
	type Query,
	readJson,
	readPages,
	replyOf,
	siteOf,
	starsOf,
	textOf,
} from './source.js';

export interface MedusaConfig {
	/** Address of the backend. */
	readonly url: string;
	/** A publishable API key of the backend. */
	readonly publishableKey: string;
}

const PAGE = 1_000;

/**
 * Reads the reviews of a Medusa 2 backend with the plugin `@lambdacurry/medusa-product-reviews`. Only customers who bought a
 * product can review it.
 * @see https://github.com/lambda-curry/medusa-plugins
 */
export default function medusa({ url, publishableKey }: MedusaConfig): ReviewProvider {
	const site = siteOf(url, 'url');
	const headers = { 'x-publishable-api-key': publishableKey };
	const approved = (pids: readonly string[], fields: Query, { signal }: ProviderOptions) =>
		readPages(async (page) => {
			const address = new URL('store/product-reviews', `${site.href.replace(/\/$/, '')}/`);
			// Without a status, Medusa 2.13 sends reviews that nobody approved as well. Ids are in the order of time.
			const query = { status: 'approved', order: '-id', limit: `${PAGE}`, offset: `${(page - 1) * PAGE}` };
			for (const [name, value] of Object.entries({ ...query, ...fields }))
				address.searchParams.set(name, value);
			for (const pid of pids) address.searchParams.append('product_id[]', pid);
			const answer = await readJson(address, { signal, headers });
			const items = listOf(answer['product_reviews']);
			return { items, size: Number(answer['limit'] ?? PAGE) };
		});
	return {
		name: `medusa ${site.host}${site.pathname}`,
		async reviews(pid, options) {
			const items = await approved([pid], {}, options);
			return { reviews: items.filter(isApproved).map(reviewOf) };
		},
		// Its statistics round averages, and go on counting reviews that were hidden or deleted.
		async ratings(pids, options) {
			const fields = { fields: 'id,product_id,rating,status' };
			const items = await approved(pids, fields, options);
			const byProduct = Map.groupBy(items.filter(isApproved), ({ product_id }) => String(product_id));
			return [...byProduct].flatMap(([pid, of]) => {
				const stars = of.flatMap(({ rating }) => starsOf(rating) ?? []);
				return stars.length > 0 ? [{ pid, ...aggregateOf(stars) }] : [];
			});
		},
	};
}

const isApproved = ({ status }: Fields) => status === 'approved';

/** Shortens names, which are those of orders. */
function reviewOf(item: Fields): ProviderReview {
	const { content, created_at } = fieldsOf(item['response']);
	return {
		id: item['id'] as string,
		pid: item['product_id'] as string,
		// The plugin writes `null` for the last name of somebody without one.
		author: shortAuthor(textOf(item['name'])?.replace(/ null$/, '')),
		rating: starsOf(item['rating']),
		body: textOf(item['content']),
		date: textOf(item['created_at']),
		reply: replyOf(textOf(content), created_at),
		...picturesOf(listOf(item['images']).map(({ url }) => ({ image: url }))),
		verified: true,
	};
}
