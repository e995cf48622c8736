import type { ProviderOptions, ProviderReview, ReviewProvider } from '../../options/provider.js';
import { fieldsOf } from '../../records/field-reader.js';
import {
	type Fields,
	listOf,
	numberOf,
	type Page,
	picturesOf,
	plainTextOf,
	type Query,
	readJson,
	readPages,
	required,
	starsOf,
	textOf,
} from './source.js';

export interface JudgeMeConfig {
	/** The shop's domain at Shopify, such as `'my-shop.myshopify.com'`. */
	readonly shop: string;
	/** `true` to show reviews that nobody has curated yet, as shops do that publish automatically. @default false */
	readonly includeUncurated?: boolean;
}

const API = 'https://api.judge.me/api/v1';

const PAGE = 100;

/** Words of the service for a buyer. */
const BUYERS = new Set<unknown>(['buyer', 'confirmed-buyer', 'verified-purchase']);

/** Reviews that were written on another site. */
const OWN_SOURCES = new Set<unknown>(['web', 'email', 'admin', 'shop-app', undefined, null]);

/**
 * Reads the reviews of a Shopify shop from Judge.me, whose private token is `JUDGEME_API_TOKEN`. The lists of its API also have
 * what is not published.
 * @param api for tests
 * @see https://judge.me/api/docs
 */
export default function judgeMe(
	{ shop, includeUncurated = false }: JudgeMeConfig,
	api: string = API,
): ReviewProvider {
	const read = async (path: string, query: Query, { signal, env }: ProviderOptions) => {
		const address = new URL(`${api}/${path}`);
		for (const [name, value] of Object.entries({ shop_domain: shop, ...query }))
			address.searchParams.set(name, value);
		const token = required(
			{ env },
			'JUDGEME_API_TOKEN',
			'it is the private token in the settings of Judge.me',
		);
		try {
			return await readJson(address, { signal, headers: { 'x-api-token': token } });
		} catch (error) {
			const { cause } = error as Error;
			if (!(cause instanceof Response)) throw error;
			if (cause.status === 404) return undefined;
			if (cause.status !== 401) throw error;
			throw new Error(
				`Judge.me refused the token for the shop "${shop}": the domain must be that at myshopify.com, and the token its private one`,
				{ cause },
			);
		}
	};
	async function readPage(page: number, query: Query, options: ProviderOptions): Promise<Page> {
		const answer = await read('reviews', { ...query, per_page: `${PAGE}`, page: `${page}` }, options);
		// The server may give fewer on a page than it is asked for.
		return { items: listOf(answer?.['reviews']), size: Number(answer?.['per_page'] ?? PAGE) };
	}
	const isShown = ({ curated, hidden, published }: Fields) =>
		(curated === 'ok' || (includeUncurated && curated === 'not-yet')) &&
		hidden !== true &&
		published !== false;
	return {
		name: `judgeme ${shop}`,
		async reviews(pid, options) {
			const id = numberOf(pid);
			const answer = await read('products/-1', { external_id: id }, options);
			const product = fieldsOf(answer?.['product']);
			if (product['id'] === undefined) return null;
			const query = { product_id: String(product['id']) };
			const items = await readPages((page) => readPage(page, query, options));
			// A filter that it does not know gives the reviews of the whole shop.
			const own = items.filter((item) => isShown(item) && String(item['product_external_id']) === id);
			return { reviews: own.map(reviewOf) };
		},
		async all(cursor, options) {
			const page = Number(cursor ?? 1);
			const { items, size = 0 } = await readPage(page, {}, options);
			const reviews = items
				.filter((item) => isShown(item) && item['product_external_id'])
				.map((item) => ({ ...reviewOf(item), pid: String(item['product_external_id']) }));
			return { reviews, next: items.length < size ? undefined : String(page + 1) };
		},
		sourceId: numberOf,
	};
}

/** Leaves out e-mail addresses, phone numbers and IP addresses, which the list has as well. */
function reviewOf(item: Fields): ProviderReview {
	const { source } = item;
	const pictures = listOf(item['pictures']).filter(({ hidden }) => hidden !== true);
	return {
		id: item['id'] as number,
		author: textOf(fieldsOf(item['reviewer'])['name']),
		rating: starsOf(item['rating']),
		title: plainTextOf(item['title']),
		body: plainTextOf(item['body']),
		date: textOf(item['created_at']),
		productName: textOf(item['product_title']),
		...picturesOf(
			pictures.map(({ urls }) => {
				const { huge, original, compact } = fieldsOf(urls);
				return { image: textOf(huge) ?? original, thumbnail: compact };
			}),
		),
		verified: BUYERS.has(item['verified']),
		pinned: item['pinned'] === true,
		externalSource: OWN_SOURCES.has(source) ? undefined : textOf(source),
	};
}
