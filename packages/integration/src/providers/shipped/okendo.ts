import type { ProviderReview, ReviewProvider } from '../../options/provider.js';
import { fieldsOf } from '../../records/field-reader.js';
import {
	addressOf,
	type Fields,
	listOf,
	numberOf,
	picturesOf,
	readJson,
	replyOf,
	starsOf,
	textOf,
} from './source.js';

export interface OkendoConfig {
	/** The id of the subscriber, which is in every page that has the widget. */
	readonly subscriberId: string;
}

const API = 'https://api.okendo.io/v1';

const PAGE = 100;

/**
 * Reads the reviews of a Shopify shop from Okendo's Storefront API, which gives those that are approved.
 * @param api for tests
 * @see https://docs.okendo.io/storefront-rest-api
 */
export default function okendo({ subscriberId }: OkendoConfig, api: string = API): ReviewProvider {
	return {
		name: `okendo ${subscriberId}`,
		async reviews(pid, { signal }) {
			const product = `shopify-${numberOf(pid)}`;
			const seen = new Map<unknown, ProviderReview>();
			let next: string | undefined =
				`/stores/${encodeURIComponent(subscriberId)}/products/${product}/reviews?limit=${PAGE}&orderBy=date%20desc`;
			while (next !== undefined) {
				const answer = await readJson(new URL(api + next), { signal });
				const before = seen.size;
				for (const item of listOf(answer['reviews']))
					if (item['status'] === undefined || item['status'] === 'approved')
						seen.set(item['reviewId'], reviewOf(item));
				// An address that gives nothing new leads nowhere.
				next = seen.size > before ? textOf(answer['nextUrl']) : undefined;
			}
			return { reviews: [...seen.values()] };
		},
	};
}

/** Leaves the product out: a group of products shares its reviews. */
function reviewOf(item: Fields): ProviderReview {
	const reviewer = fieldsOf(item['reviewer']);
	const { isRecommended } = item;
	const { body, dateCreated, isPrivate } = fieldsOf(item['reply']);
	return {
		id: textOf(item['reviewId']),
		author: textOf(reviewer['displayName']),
		rating: starsOf(item['rating']),
		title: textOf(item['title']),
		body: textOf(item['body']),
		date: textOf(item['dateCreated']),
		variant: textOf(item['productVariantName']),
		incentivized: item['isIncentivized'] === true,
		reply: isPrivate === true ? undefined : replyOf(textOf(body), dateCreated),
		productName: textOf(item['productName']),
		productUrl: addressOf(item['productUrl']),
		productImageUrl: addressOf(item['productImageUrl']),
		country: textOf(fieldsOf(fieldsOf(reviewer['location'])['country'])['code']),
		...picturesOf(
			listOf(item['media'])
				.filter(({ type }) => type === 'image')
				.map(({ fullSizeUrl, thumbnailUrl }) => ({ image: fullSizeUrl, thumbnail: thumbnailUrl })),
		),
		verified: reviewer['verifiedStatus'] === 'buyer',
		recommends: typeof isRecommended === 'boolean' ? isRecommended : undefined,
		helpfulCount: item['helpfulCount'] as number,
		unhelpfulCount: item['unhelpfulCount'] as number,
	};
}
