import { errorOf } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import yotpo from '../../../../src/providers/shipped/yotpo.js';
import { callProvider, startStandIn } from '../../../support/unit/stand-in.js';

const PID = '8012345678901';
const LINES = [
	{ domain_key: PID, product_score: 4.33333, total_reviews: 3 },
	{ domain_key: PID, product_score: 4, total_reviews: 2 },
];
const OK = { code: 200, message: 'OK' };

const review = (id: number, more = {}) => ({
	...{ id, score: 5, votes_up: 4, votes_down: 0, title: 'Grip!', deleted: false, verified_buyer: true },
	content: 'Didn&#39;t slip once &amp; dries overnight.',
	created_at: '2026-02-14T07:45:01.000Z',
	custom_fields: { 102: { title: 'Fit', value: 'True to size' } },
	product_id: 310001,
	...{ is_incentivized: true, incentive_type: 'coupon' },
	comment: { id: 9, content: 'Thanks, Ravi &amp; friends!', created_at: '2026-02-15T09:00:00.000Z' },
	images_data: [{ id: 1, thumb_url: '//cdn.example/square.jpg', original_url: '//cdn.example/original.jpg' }],
	user: { user_id: 1, social_image: 'https://cdn.example/face.jpg', display_name: 'Ravi S.' },
	...more,
});

/** Services at the CDN and at the origin. @param total that both count */
async function startShop(cdn: readonly object[], origin = cdn, total = origin.length) {
	const [near, far] = await Promise.all(
		[cdn, origin].map((reviews) =>
			startStandIn(({ path, query }) => {
				const isFirst = query.get('page') === '1';
				const response = {
					pagination: { page: 1, per_page: 100, total: reviews.length },
					bottomline: { total_review: total, average_score: 4.33333, star_distribution: null },
					products: [
						{ id: 310001, domain_key: PID, name: 'Trail shoe', product_link: 'https://yotpo.com/go/a' },
						{ id: 310002, domain_key: '8012345678902', name: 'Trail shoe, wide' },
					],
					reviews: isFirst ? reviews : [],
				};
				const lines = { page: query.get('page'), bottomlines: isFirst ? LINES : [] };
				return { json: { status: OK, response: path.endsWith('/bottom_lines') ? lines : response } };
			}),
		),
	);
	const origins = [near?.url ?? '', far?.url ?? ''];
	const requests = () => [near, far].map((service) => service?.requests.length);
	return { requests, ...callProvider(yotpo({ appKey: 'KEY' }, origins)) };
}

test('entities are decoded once, reviews of grouped products count, and what is deleted is left out', async () => {
	const sibling = review(3, { product_id: 310002, user: { display_name: '' }, images_data: null });
	const { data } = await startShop([review(1), review(2, { deleted: true }), sibling]);
	const record = await data(PID);
	expect(record?.aggregate).toEqual({ average: 4.33, count: 3 });
	expect(record?.reviews).toMatchObject([
		{
			...{ author: 'Ravi S.', title: 'Grip!', rating: 5, verified: true, helpfulCount: 4 },
			body: "Didn't slip once & dries overnight.",
			images: ['https://cdn.example/original.jpg'],
			thumbnails: { 'https://cdn.example/original.jpg': 'https://cdn.example/square.jpg' },
			...{ incentivized: true, reply: { text: 'Thanks, Ravi & friends!', date: '2026-02-15' } },
			customQuestions: ['Fit: True to size'],
		},
		{ productName: 'Trail shoe, wide' },
	]);
	expect(JSON.stringify(record)).not.toMatch(/face\.jpg|yotpo\.com/);
});

test('a list that is shorter than the count is read again at the origin, and none at all is a failure', async () => {
	const two = [review(1), review(2)];
	const { reviews, requests } = await startShop([review(1)], two, 2);
	expect((await reviews(PID))?.aggregate).toEqual({ average: 4.33, count: 2 });
	expect(requests()).toEqual([1, 1]);
	const { reviews: some } = await startShop(two, two, 3);
	expect((await some(PID))?.aggregate).toEqual({ average: 4.33, count: 3 });
	const none = await startShop([], [], 3);
	expect((await errorOf(none.reviews(PID))).message).toContain('Yotpo counts 3 reviews');
	const nothing = await startShop([]);
	expect((await nothing.reviews(PID))?.aggregate).toBeUndefined();
});

test('ratings of all products are read once, the first of each counts', async () => {
	const { ratings, requests } = await startShop([]);
	expect(await ratings(PID, '1')).toEqual({ [PID]: { average: 4.33333, count: 3 } });
	expect(await ratings('2', `gid://shopify/Product/${PID}`)).toEqual({
		[`gid://shopify/Product/${PID}`]: { average: 4.33333, count: 3 },
	});
	expect(requests()).toEqual([2, 0]);
});

test('an error with status 200 is one', async () => {
	const { url } = await startStandIn(() => ({ json: { status: { code: 404, message: 'no app' } } }));
	const error = await errorOf(callProvider(yotpo({ appKey: 'KEY' }, [url])).reviews(PID));
	expect(error.message).toContain('Yotpo responded with the code 404: no app');
});
