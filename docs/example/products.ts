import type { ExtraProduct } from 'product-reviews-sandbox';

/** The products of the example store, with their reviews. They are made up. */
export const PRODUCTS: readonly ExtraProduct[] = [
	{
		pid: 'kettle',
		name: 'Enamel Kettle',
		reviews: [
			{
				rating: 5,
				title: 'Boils fast, looks good',
				body: 'Two years on the stove every morning, and it still looks new. The handle stays cool.',
				author: 'Ada L.',
				city: 'Bergen',
				country: 'Norway',
				verified: true,
				recommended: true,
				helpful: 12,
				publishedAt: '2026-10-28T08:00:00Z',
			},
			{
				rating: 4,
				title: 'Good, but heavy when full',
				body: 'It holds two litres, which is a lot to lift with one hand. Otherwise a fine kettle.',
				author: 'Grace H.',
				verified: true,
				recommended: true,
				helpful: 5,
				tags: ['everyday use'],
				publishedAt: '2026-09-14T08:00:00Z',
			},
			{
				rating: 2,
				title: 'The lid rattles',
				body: 'Mine rattles as soon as the water boils. Customer service sent a new lid, which is a little better.',
				author: 'Alan T.',
				verified: true,
				recommended: false,
				helpful: 3,
				publishedAt: '2026-08-02T08:00:00Z',
			},
			{ rating: 5, author: 'Mary S.', recommended: true, publishedAt: '2026-07-19T08:00:00Z' },
		],
	},
	{
		pid: 'skillet',
		name: 'Cast Iron Skillet',
		reviews: [
			{
				rating: 5,
				title: 'For life',
				body: 'Eggs slide off after a month of use. I will give it to my children.',
				author: 'Katherine J.',
				verified: true,
				publishedAt: '2026-10-05T08:00:00Z',
			},
			{
				rating: 4.5,
				body: 'Needs oil and patience in the first weeks.',
				author: 'Edsger D.',
				publishedAt: '2026-06-11T08:00:00Z',
			},
		],
	},
	{ pid: 'board', name: 'Oak Chopping Board', reviews: [] },
];
