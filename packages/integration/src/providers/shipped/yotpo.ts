import type { ProviderRating, ProviderReview, ReviewProvider } from '../../options/provider.js';
import { fieldsOf } from '../../records/field-reader.js';
import {
	type Fields,
	listOf,
	numberOf,
	picturesOf,
	plainTextOf,
	ratingOf,
	readJson,
	readPages,
	refused,
	replyOf,
	starsOf,
	textOf,
} from './source.js';

export interface YotpoConfig {
	/** The app key, which is in every page that has the widget. */
	readonly appKey: string;
}

/** Its answers may be old. */
const CDN = 'https://api-cdn.yotpo.com';
const ORIGIN = 'https://api.yotpo.com';

const PAGE = 100;

/** Time for which the ratings of all products are looked up in what was read, in milliseconds: that of a build. */
const LIFE = 60_000;

/**
 * Reads the reviews of a shop from Yotpo, as its widget does. Those of grouped products come with a product.
 * @param origins for tests
 * @see https://apidocs.yotpo.com
 */
export default function yotpo({ appKey }: YotpoConfig, origins = [CDN, ORIGIN]): ReviewProvider {
	const read = async (origin: string, path: string, signal: AbortSignal) => {
		const answer = await readJson(new URL(path, origin), { signal });
		const { code, message } = fieldsOf(answer['status']);
		if (typeof code === 'number' && code >= 400)
			throw refused(`Yotpo responded with the code ${code}${message ? `: ${message}` : ''}`, code);
		return fieldsOf(answer['response']);
	};
	const key = encodeURIComponent(appKey);

	async function readProduct(pid: string, origin: string, signal: AbortSignal) {
		const path = `/v1/widget/${key}/products/${encodeURIComponent(numberOf(pid))}/reviews.json`;
		let first: Fields = {};
		const items = await readPages(async (page) => {
			const query = `?page=${page}&per_page=${PAGE}&sort=date&direction=desc`;
			const answer = await read(origin, path + query, signal);
			if (page === 1) first = answer;
			return {
				items: listOf(answer['reviews']),
				// The server may give fewer on a page than it is asked for.
				size: Number(fieldsOf(answer['pagination'])['per_page'] ?? PAGE),
			};
		});
		return { items, first, count: starsOf(fieldsOf(first['bottomline'])['total_review']) ?? 0 };
	}

	async function readRatings(signal: AbortSignal): Promise<ReadonlyMap<string, ProviderRating>> {
		const [origin = ORIGIN] = origins;
		const lines = await readPages(
			async (page) => {
				const answer = await read(origin, `/v1/apps/${key}/bottom_lines?count=${PAGE}&page=${page}`, signal);
				return { items: listOf(answer['bottomlines']) };
			},
			// A grouped product comes again, without the reviews of the others.
			(line) => line['domain_key'],
		);
		const ratings = lines.flatMap(({ domain_key, product_score, total_reviews }) =>
			ratingOf(String(domain_key), product_score, total_reviews),
		);
		return new Map(ratings.map((rating) => [String(rating.pid), rating]));
	}

	let known: { readonly until: number; readonly ratings: ReturnType<typeof readRatings> } | undefined;
	return {
		name: `yotpo ${appKey}`,
		async reviews(pid, { signal }) {
			let answer: Awaited<ReturnType<typeof readProduct>> | undefined;
			for (const origin of origins) {
				answer = await readProduct(pid, origin, signal);
				if (answer.items.length >= answer.count) break;
			}
			const { items = [], first = {}, count = 0 } = answer ?? {};
			if (items.length === 0 && count > 0)
				throw refused(`Yotpo counts ${count} reviews of the product, but sent none`, 503);
			const line = fieldsOf(first['bottomline']);
			const names = new Map(listOf(first['products']).map(({ id, name }) => [id, textOf(name)]));
			return {
				aggregate: ratingOf(pid, line['average_score'], line['total_review'])[0],
				distribution: line['star_distribution'] as never,
				reviews: items
					.filter(({ deleted }) => deleted !== true)
					.map((item) => reviewOf(item, names.get(item['product_id']))),
			};
		},
		async ratings(pids, { signal }) {
			if (!known || known.until < Date.now()) {
				// It is not one list of products that waits for it.
				known = { until: Date.now() + LIFE, ratings: readRatings(AbortSignal.timeout(LIFE)) };
				known.ratings.catch(() => {
					known = undefined;
				});
			}
			signal.throwIfAborted();
			const ratings = await known.ratings;
			return pids.flatMap((pid) => {
				const rating = ratings.get(numberOf(pid));
				return rating ? [{ ...rating, pid }] : [];
			});
		},
	};
}

/** @param productName of the product of the group that was reviewed */
function reviewOf(item: Fields, productName: string | undefined): ProviderReview {
	const { content, created_at, display_name } = fieldsOf(item['comment']);
	const questions = Object.values(fieldsOf(item['custom_fields'])).map(fieldsOf);
	return {
		id: item['id'] as number,
		author: textOf(fieldsOf(item['user'])['display_name']),
		rating: starsOf(item['score']),
		title: plainTextOf(item['title']),
		body: plainTextOf(item['content']),
		date: textOf(item['created_at']),
		incentivized: item['is_incentivized'] === true,
		reply: replyOf(plainTextOf(content), created_at, display_name),
		productName,
		...picturesOf(
			listOf(item['images_data']).map(({ original_url, thumb_url }) => ({
				image: original_url,
				thumbnail: thumb_url,
			})),
		),
		customQuestions: questions.flatMap(({ title, value }) => (title && value ? [`${title}: ${value}`] : [])),
		verified: item['verified_buyer'] === true,
		helpfulCount: item['votes_up'] as number,
		unhelpfulCount: item['votes_down'] as number,
	};
}
