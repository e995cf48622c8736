import { expect, test } from 'vitest';
import okendo from '../../../../src/providers/shipped/okendo.js';
import { callProvider, startStandIn } from '../../../support/unit/stand-in.js';

const PID = '8012345678901';

const review = (number: number, more = {}) => ({
	...{ reviewId: `6a1f-${number}`, productId: `shopify-${PID}`, productName: 'Night cream', rating: 5 },
	...{ productUrl: '//shop.example/products/night-cream', productImageUrl: '//cdn.shop.example/night.jpg' },
	...{ title: 'Calm skin', body: 'Two weeks in.\nNo redness.', dateCreated: '2026-03-20T06:00:00.000Z' },
	...{ productVariantName: '50 ml', isIncentivized: true },
	reply: { body: 'Thank you!', dateCreated: '2026-03-21T06:00:00.000Z', isPrivate: false },
	...{ status: 'approved', isRecommended: true, helpfulCount: 3, unhelpfulCount: 0 },
	reviewer: {
		...{
			displayName: 'Hana K.',
			isVerified: true,
			verifiedStatus: 'buyer',
			avatarUrl: '//face.example/1.jpg',
		},
		location: { country: { name: 'Japan', code: 'JP' } },
	},
	media: [
		{ type: 'image', fullSizeUrl: 'https://media.okendo.example/1.jpg', thumbnailUrl: '//t.example/1.jpg' },
		{ type: 'video', streamId: 'abc123', thumbnailUrl: '//t.example/2.jpg' },
	],
	...more,
});

/** A shop with these reviews, two on a page. @param last where the last page leads */
async function startShop(reviews: readonly object[], last?: (path: string) => string) {
	const service = await startStandIn(({ path, query }) => {
		if (!path.endsWith(`/stores/0000-user/products/shopify-${PID}/reviews`)) return { json: { reviews: [] } };
		const start = Number(query.get('after') ?? 0);
		const next = path.replace('/v1', '');
		const isLast = start + 2 >= reviews.length;
		const nextUrl = isLast ? last?.(next) : `${next}?limit=2&after=${start + 2}`;
		return { json: { reviews: reviews.slice(start, start + 2), nextUrl } };
	});
	return {
		...service,
		...callProvider(okendo({ subscriberId: '0000-user' }, `${service.url}/v1`)),
	};
}

test('reviews of all pages are read, and those of a group of products count', async () => {
	const others = [review(2, { productId: 'shopify-9' }), review(3, { rating: 2, title: '', body: '' })];
	const { data, requests } = await startShop([review(1), ...others]);
	const record = await data(PID);
	expect(requests).toHaveLength(2);
	expect(record?.aggregate).toEqual({ average: 4, count: 3 });
	expect(record?.reviews[0]).toMatchObject({
		...{ author: 'Hana K.', title: 'Calm skin', rating: 5, verified: true, country: 'JP', recommends: true },
		images: ['https://media.okendo.example/1.jpg'],
		thumbnails: { 'https://media.okendo.example/1.jpg': 'https://t.example/1.jpg' },
		...{ variant: '50 ml', incentivized: true, reply: { text: 'Thank you!', date: '2026-03-21' } },
	});
	expect(JSON.stringify(record)).not.toContain('face.example');
});

test('a page that leads to itself ends, and what is not approved is left out', async () => {
	const { reviews, requests } = await startShop(
		[review(1), review(2, { status: 'pending' })],
		(path) => path,
	);
	expect((await reviews(`gid://shopify/Product/${PID}`))?.aggregate?.count).toBe(1);
	expect(requests.length).toBeLessThan(4);
});

test('a private reply stays private', async () => {
	const reply = { body: 'Between us', dateCreated: '2026-03-21T06:00:00.000Z', isPrivate: true };
	const { data } = await startShop([review(1, { reply })]);
	const record = await data(PID);
	expect(record?.reviews).toHaveLength(1);
	expect(JSON.stringify(record)).not.toContain('Between us');
});

test('an unknown product has no reviews', async () => {
	const { reviews } = await startShop([review(1)]);
	expect((await reviews('7'))?.aggregate).toBeUndefined();
});
