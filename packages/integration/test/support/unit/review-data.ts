import type { ProductQuestion, Review, ReviewData, ReviewMediaItem } from '../../../src/records/record.js';

/** A review of which everything is known, but for what is given. */
export function fullReview(parts: Review = {}): Required<Review> {
	return {
		key: 'r-1',
		rating: 5,
		author: 'Ada',
		title: 'Good',
		body: 'Boils fast.',
		date: '2026-11-20',
		editedDate: '2026-11-22',
		language: 'nb',
		variant: 'Red',
		incentivized: true,
		reply: { text: 'Thank you!', author: 'Kari of Fjell', date: '2026-11-23' },
		city: 'Oslo',
		state: 'Oslo',
		country: 'Norway',
		productName: 'Kettle',
		productUrl: 'https://shop.example/products/p-1',
		productImageUrl: 'https://shop.example/p-1.jpg',
		images: ['https://images.example/1.jpg'],
		thumbnails: { 'https://images.example/1.jpg': 'https://images.example/1-small.jpg' },
		videos: ['https://images.example/1.mp4'],
		tags: ['kitchen'],
		customQuestions: ['How often? Daily'],
		topics: [{ key: 'quality', sentiment: 'positive' }],
		verified: true,
		pinned: false,
		testimonial: true,
		recommends: true,
		helpfulCount: 3,
		unhelpfulCount: 1,
		externalSource: 'Another shop',
		...parts,
	};
}

export function mediaItem(parts: Partial<ReviewMediaItem> = {}): ReviewMediaItem {
	const { key, author, rating, title, body, date, language, verified, images, thumbnails, videos } =
		fullReview();
	return {
		...{ key, author, rating, title, body, date, language, verified, images, thumbnails, videos },
		...parts,
	};
}

export function question(parts: Partial<ProductQuestion> = {}): ProductQuestion {
	return {
		key: 'q-1',
		question: 'Does it whistle?',
		answer: 'No.',
		author: 'Bo',
		askedOn: '2026-10-01',
		answeredOn: '2026-10-02',
		...parts,
	};
}

/** Review data of which everything is known, but for what is given. */
export function reviewData(parts: Partial<ReviewData> = {}): ReviewData {
	return {
		pid: 'p-1',
		aggregate: { count: 1_234, average: 4.26 },
		distribution: { 1: 10, 2: 20, 3: 30, 4: 40, 5: 100 },
		recommendCount: 900,
		topics: [
			{
				key: 'quality',
				names: { en: 'Quality', pt: 'Qualidade' },
				total: 10,
				positive: 7,
				negative: 1,
				neutral: 2,
			},
		],
		topicSummaries: {
			en: [{ topic: 'Quality', text: 'Well made.' }],
			pt: [{ topic: 'Qualidade', text: 'Bem feito.' }],
		},
		reviews: [fullReview(), fullReview({ key: 'r-2', rating: 2.4, title: 'Meh', pinned: true })],
		media: [mediaItem()],
		questions: [question()],
		questionCount: 1,
		...parts,
	};
}

/** The same with another text in every field that holds text, and the same text inside every address. */
export function withText(text: string): ReviewData {
	const url = `https://images.example/${encodeURIComponent(text.toWellFormed())}`;
	const review = fullReview({ pinned: true });
	const data = reviewData({
		topics: [{ key: text, names: { [text]: text }, total: 3, positive: 1, negative: 1, neutral: 1 }],
		reviews: [review, { ...review, rating: 1 }],
		questions: [question(), question({ answer: undefined })],
	});
	const written = JSON.stringify(data, (name, value) => {
		if (typeof value !== 'string' || /^\d{4}-/.test(value)) return value;
		if (value.startsWith('https:')) return url;
		// Of places that are the same, one is written.
		return text + ({ state: ' ', country: '  ' }[name] ?? '');
	});
	const topicSummaries = { [text]: ['', ' too'].map((more) => ({ topic: text + more, text })) };
	return { ...JSON.parse(written), topicSummaries };
}
