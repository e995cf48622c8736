import { createReviewsClient, type ProductReviewData } from 'product-reviews-client';

/** A review as the service documents it, but for what is given. */
export function wireReview(parts: Record<string, unknown> = {}): Record<string, unknown> {
	return {
		_id: 'r-1',
		wsid: 'W-1',
		un: 'Ada Lovelace',
		ct: 'London',
		st: 'Greater London',
		cn: 'United Kingdom',
		i: 'GB',
		pid: 'p-1',
		pn: 'Kettle',
		pu: 'https://shop.example/products/p-1',
		piu: 'https://cdn.example/kettle.jpg',
		rtng: 4.5,
		rttl: 'Good',
		rtxt: 'Boils fast.\nLooks nice.',
		rvwst: 1,
		shp: 'Shop',
		arrimg: ['https://cdn.example/1.jpg'],
		arrvdo: ['https://cdn.example/1.mp4'],
		itstmnl: true,
		ivrfd: true,
		ipin: true,
		cntupvt: 7,
		cntdwnvt: 2,
		ircmnd: true,
		arrcustque: ['How is the lid? Tight.'],
		arrtag: ['lid'],
		cdt: '2026-03-01T10:00:00.000Z',
		aitopics: [{ key: 'lid', sentiment: 'positive' }],
		extsrc: 'Import',
		...parts,
	};
}

/** A whole answer of operation 2, but for what is given. */
export function wireData(parts: Record<string, unknown> = {}): Record<string, unknown> {
	return {
		success: true,
		data: [wireReview()],
		dataCount: {
			pid: 'p-1',
			avgrtng: 4.5,
			prtng: 12,
			...{ str1: 1, str2: 0, str3: 1, str4: 2, str5: 8 },
			rcmnd: 9,
			aitopics: [
				{
					_id: 't-1',
					pid: 'p-1',
					key: 'lid',
					translations: { pt: 'tampa', en: 'lid' },
					...{ total_count: 6, positive_count: 4, negative_count: 1, neutral_count: 1 },
				},
			],
			topicsmry: { en: [{ topic: 'lid', text: 'It is tight.' }] },
		},
		dataMedia: [
			{
				_id: 'r-1',
				pid: 'p-1',
				un: 'Ada Lovelace',
				ti: 'Good',
				rtxt: 'Boils fast.',
				rtng: 4,
				arrimg: ['https://cdn.example/1.jpg'],
				arrvdo: [],
				ivrfd: true,
				cdt: 1_772_359_200_000,
			},
		],
		dataQueAns: [
			{
				_id: 'q-1',
				que: 'Does it whistle?',
				ans: 'It does.',
				ia: true,
				arrpid: [{ pid: 'p-1', pn: 'Kettle' }],
				cstnm: 'Grace Hopper',
				quedt: '2026-02-01',
				ansdt: '2026-02-02',
			},
		],
		dataCountQueAns: 5,
		...parts,
	};
}

/** What the client makes of an answer of operation 2 about a product. */
export async function dataOf(wire: Record<string, unknown>, pid = 'p-1'): Promise<ProductReviewData> {
	const client = createReviewsClient({
		baseUrl: 'https://reviews.example',
		wsid: 'W-1',
		token: 'token',
		retries: 0,
		fetch: async () => Response.json(wire),
	});
	return client.getProductReviewData(pid);
}
