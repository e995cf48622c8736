import { plainText } from 'astro-product-reviews/plain-text';

const API = 'https://stamped.io/api/widget/reviews';
const PHOTOS = 'https://cdn.stamped.io/uploads/photos/';

/** Leaves out the e-mail address, the picture, and `productUrl`, which counts clicks. */
function reviewOf(item) {
	const variant = item.productVariantName;
	return {
		id: item.id,
		pid: item.productId,
		author: plainText(item.author),
		rating: item.reviewRating,
		title: plainText(item.reviewTitle),
		body: plainText(item.reviewMessage),
		date: item.dateCreated,
		// Without a variant, the service sends this text.
		variant: variant === 'undefined' ? null : variant,
		productName: plainText(item.productName),
		// One text with commas: names of files, or URLs.
		images: (item.reviewUserPhotos || '')
			.split(',')
			.filter(Boolean)
			.map((photo) => new URL(photo.trim(), PHOTOS).href),
		verified: item.reviewVerifiedType === 2,
		reply: item.reviewReply && { text: plainText(item.reviewReply), date: item.reviewReplyDate },
		helpfulCount: item.reviewVotesUp,
		unhelpfulCount: item.reviewVotesDown,
	};
}

/** Stamped, as its widget reads the reviews. */
export default {
	name: 'stamped',
	async reviews(pid, { env, signal }) {
		// A review that arrives meanwhile moves the others on, so some come twice.
		const reviews = new Map();
		for (let page = 1, read = 0; ; page += 1) {
			const query = new URLSearchParams({
				storeUrl: env('STAMPED_STORE_URL'),
				apiKey: env('STAMPED_PUBLIC_KEY'),
				sId: env('STAMPED_STORE_ID'),
				productId: pid,
				page,
				take: 100,
			});
			const response = await fetch(`${API}?${query}`, { signal });
			if (!response.ok) throw new Error(`Stamped responded with ${response.status}`, { cause: response });
			const { data, total } = await response.json();
			for (const item of data) reviews.set(item.id, reviewOf(item));
			read += data.length;
			if (data.length === 0 || read >= total) return { reviews: [...reviews.values()] };
		}
	},
};
