import { describe, expect, test } from 'vitest';
import type { ReviewData } from '../../../src/records/record.js';
import { labels } from '../../../src/render/labels/index.js';
import { findElements } from '../../support/page/elements.js';
import { record } from '../../support/unit/record.js';
import { fullReview, mediaItem, question, reviewData } from '../../support/unit/review-data.js';
import { type Props, write } from '../../support/unit/write.js';

const PARTS = ['RatingSummary', 'ReviewTopics', 'ReviewList', 'ReviewMedia', 'ProductQuestions'];
const UNRATED = { aggregate: undefined, topics: [], topicSummaries: {} };
const NOTHING = { ...UNRATED, reviews: [], media: [], questions: [] };
const EMPTY = reviewData({ ...NOTHING, recommendCount: undefined });

const textOf = (...args: Parameters<typeof write>) => findElements(write(...args)).text;

describe.each([...PARTS, 'ReviewSection'])('<%s>', (name) => {
	test('writes nothing without data, and nothing of a product without any', () => {
		expect(write(name, undefined, { class: 'mine' })).toBe('');
		expect(write(name, EMPTY, { class: 'mine' })).toBe('');
	});

	test('has neither script nor style nor event in it, no id but of what it opens, and no slot', () => {
		const { elements } = findElements(write(name, reviewData(), { slot: 'rating' }));
		for (const { tag, attributes } of elements) {
			expect(tag).not.toMatch(/^(script|style|link|iframe|object)$/);
			expect(Object.keys(attributes).join(' ')).not.toMatch(/\b(on\w*|style|autoplay|slot)\b(?!-)/);
			expect(attributes['id'] === undefined || 'popover' in attributes).toBe(true);
		}
	});

	test('writes the words of every language, and leaves no placeholder', () => {
		const english = textOf(name, reviewData(), { lang: 'en' });
		for (const lang of Object.keys(labels)) {
			const words = textOf(name, reviewData(), { lang });
			expect(words).not.toMatch(/\{\w+\}/);
			if (lang !== 'en') expect(words).not.toBe(english);
		}
	});

	test('a wrong prop is an error whether there is data or not', () => {
		const limits = name === 'RatingSummary' ? [] : [{ limit: 'ten', topics: { limit: 'ten' } }];
		for (const props of [{ headingLevel: 'x' }, ...limits])
			for (const data of [reviewData(), EMPTY, undefined])
				expect(() => write(name, data, props)).toThrow(/expected `(headingLevel|limit)`/);
	});
});

test.each(PARTS)('<%s> gives class, id and language to its root, and its level to the heading', (name) => {
	const props = { class: 'mine', id: 'a', lang: 'de', heading: 'Own <words>', headingLevel: 4 };
	const [root, heading] = findElements(write(name, reviewData(), props)).elements;
	const attributes = { id: 'a', lang: 'de', 'aria-label': 'Own <words>' };
	expect(root).toMatchObject({ tag: 'section', attributes });
	expect(root?.attributes['class']).toMatch(/^[a-z-]+ mine$/);
	expect(heading?.tag).toBe('h4');
});

describe('<RatingSummary>', () => {
	const render = (parts: Partial<ReviewData> = {}) => write('RatingSummary', reviewData(parts));

	test('average, count, bars and the share that recommend, if known; without a heading it is no landmark', () => {
		const html = render();
		expect(findElements(html).text).toBe(
			'4.3  1,234 reviews5  1004  403  302  201  1073% recommend this product',
		);
		expect(html).toMatch(/^<div class="pr-rating-summary">/);
		expect(html).toContain('<span class="pr-star-count" role="img" aria-label="5 stars">5</span>');
		const widths = [...html.matchAll(/width="([\d.]+%)" height="100%"/g)].map(([, width]) => width);
		expect(widths).toEqual(['50%', '20%', '15%', '10%', '5%']);
		for (const recommendCount of [undefined, 0, 1_235]) {
			expect(render({ recommendCount })).not.toContain('recommend this product');
		}
		expect(render({ distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 } })).not.toContain('pr-bar');
	});

	test('the words of one component come before those of the site', () => {
		const props = { labels: { recommendShare: '{percent} of us' } };
		const site = { labels: { recommendShare: 'x', count: '{count} voices' } };
		expect(textOf('RatingSummary', reviewData(), props, site)).toMatch(/1,234 voices.*73% of us$/);
	});
});

describe('<ReviewTopics>', () => {
	const text = (lang: string, parts: Partial<ReviewData> = {}) =>
		textOf('ReviewTopics', reviewData(parts), { lang });

	test('in the language of the page, then English, then the first; what is not counted stands alone', () => {
		expect(text('pt-BR')).toContain('Qualidade 1070% positivas20% neutras10% negativasBem feito.');
		expect(text('en')).toContain('Quality 1070% positive20% neutral10% negativeWell made.');
		expect(text('ja')).toContain('Well made.');
		const topicSummaries = { fi: [{ topic: 'quality', text: 'Hyvin tehty.' }] };
		expect(text('ja', { topicSummaries })).toContain('Hyvin tehty.');
		const smell = { en: [{ topic: 'Smell', text: 'Fine.' }] };
		expect(text('en', { topicSummaries: smell })).toMatch(/10% negativeSmellFine\.$/);
		const topic = { key: 'k', names: {}, total: 0, positive: 0, negative: 0, neutral: 0 };
		expect(text('en', { topics: [topic], topicSummaries: {} })).toBe('What reviews mentionk');
		expect(write('ReviewTopics', reviewData(), { limit: 0 })).toBe('');
		expect(write('ReviewTopics', reviewData())).toContain('role="img" aria-label="10 mentions">10<');
		// Shares of a few mentions would say more than they do.
		const few = { ...topic, total: 4, positive: 1, negative: 3 };
		expect(text('en', { topics: [few], topicSummaries: {} })).toBe('What reviews mentionk 4');
	});
});

test.each<[Props, number, string]>([
	[{}, 24, '+16 '],
	[{ limit: 3 }, 3, ''],
	[{ limit: 9 }, 9, ''],
	[{ limit: 99 }, 40, '+32 '],
])('<ReviewMedia> with %j shows %d images and videos, and whose they are', (props, count, more) => {
	const media = Array.from({ length: 20 }, () => mediaItem());
	const html = write('ReviewMedia', reviewData({ media }), props);
	expect(html.match(/ popover>/g)).toHaveLength(count);
	expect(findElements(html).text).toBe(`Photos and videos${' AdaGood'.repeat(count)}${more}`);
});

test('of the videos of a gallery, those in its row load their first frame', () => {
	const media = Array.from({ length: 12 }, () =>
		mediaItem({ images: [], videos: ['https://a.example/1.mp4#t=9'] }),
	);
	const frames = write('ReviewMedia', reviewData({ media })).match(
		/src="[^"]*1\.mp4#t=0\.1" preload="metadata" muted/g,
	);
	expect(frames).toHaveLength(8);
});

describe('writeReviewUrl', () => {
	const site = { writeReviewUrl: '/write?product={pid}', display: 'visible' } as const;
	const link = 'href="/write?product=p-1"';

	test.each([...['RatingSummary', 'ReviewSection'], 'ProductReviews'])(
		'<%s> has a link, also without reviews; without the option, and without knowing the product, it has none',
		(name) => {
			const full = name === 'ProductReviews' ? record() : reviewData();
			const none = name === 'ProductReviews' ? record({ aggregate: undefined, reviews: [] }) : EMPTY;
			expect(write(name, full, {}, site)).toContain(link);
			expect(write(name, full)).not.toContain('pr-write');
			const empty = findElements(write(name, none, {}, site));
			expect(empty.text).toMatch(/No reviews yetWrite a review$/);
			expect(write(name, none)).toBe('');
			expect(write(name, undefined, {}, site)).toBe('');
		},
	);

	test('the hidden block is for crawlers, and invites nobody', () => {
		const props = { display: 'hidden' };
		expect(write('ProductReviews', record({ aggregate: undefined, reviews: [] }), props, site)).toBe('');
	});
});

describe('a fallback', () => {
	const fallback = '<p>Be the first.</p>';
	const site = { writeReviewUrl: '/write' };

	test.each([...PARTS, 'ReviewSection'])(
		'stands where <%s> has nothing to show, and nowhere else',
		(name) => {
			expect(write(name, EMPTY, { fallback }, site)).toBe(`<div class="pr-fallback">${fallback}</div>`);
			expect(write(name, reviewData(), { fallback }, site)).not.toContain('Be the first.');
			// What is not known may have reviews.
			expect(write(name, undefined, { fallback }, site)).toBe('');
		},
	);

	test('takes no questions away, and stands in a line of text for stars', () => {
		const { questions } = reviewData();
		expect(write('ReviewSection', reviewData({ ...NOTHING, questions }), { fallback })).toContain('whistle');
		const unrated = { aggregate: undefined };
		expect(write('StarRating', unrated, { fallback: 'New' })).toBe('<span class="pr-fallback">New</span>');
	});
});

describe('<ProductQuestions>', () => {
	const text = (one: ReturnType<typeof question>, props: Props = {}) =>
		textOf('ProductQuestions', reviewData({ questions: [one] }), props);

	test('question, who and when, answer and when; one that nobody answered says so, or is left out', () => {
		expect(text(question())).toBe('Questions and answersDoes it whistle?Bo Oct 1, 2026No.Answer Oct 2, 2026');
		const open = question({ answer: undefined, author: undefined, askedOn: undefined });
		expect(text(open)).toBe('Questions and answersDoes it whistle?Anonymous Not answered yet');
		expect(text(open, { unanswered: false })).toBe('');
	});

	test('ten at first, fifty at the most', () => {
		const questions = Array.from({ length: 60 }, () => question());
		const html = write('ProductQuestions', reviewData({ questions }));
		expect(html.match(/<article/g)).toHaveLength(50);
		expect(html.match(/>10 more questions</g)).toHaveLength(4);
	});
});

describe('<ReviewSection>', () => {
	const render = (props: Props, parts: Partial<ReviewData> = {}) =>
		write('ReviewSection', reviewData(parts), props);

	test('is a landmark with a name and headings in order; what the page gives goes to it', () => {
		const levels = [...render({ headingLevel: 3 }).matchAll(/<h(\d)/g)].map(([, level]) => level);
		expect(levels.join('')).toBe('344' + '455' + '45');
		const [root] = findElements(render({ class: 'mine', id: 'a', lang: 'de', limit: 3 })).elements;
		const given = { class: 'pr-review-section mine', id: 'a', lang: 'de' };
		expect(root).toEqual({ tag: 'section', attributes: { ...given, 'aria-label': 'Kundenbewertungen' } });
	});

	test('parts that the page does not want, that it writes itself or that there are none of, are empty', () => {
		const props = { summary: false, topics: false, questions: false };
		for (const html of [render(props, { media: [] }), render({ ...props, slots: ['media', 'after'] })]) {
			expect(html).toContain('Boils fast.');
			expect(html).not.toMatch(/rating-summary|pr-topic|pr-question|class="pr-review-media"/);
		}
		// Questions alone are worth a section, which is then none of reviews.
		const { questions } = reviewData();
		const alone = render({}, { ...NOTHING, questions });
		expect(alone).toContain('Does it whistle?');
		expect(alone).toContain('aria-label="Questions and answers"');
		expect(alone).not.toContain('Customer reviews');
	});
});

describe('<ReviewList>', () => {
	const reviews = [3, 5, 4.5, undefined].map((rating) => fullReview({ rating }));
	const DATA = reviewData({ reviews });
	const render = (props: Props = {}, data = DATA) => write('ReviewList', data, props);
	const textOfOne = (parts: Parameters<typeof fullReview>[0]) =>
		textOf('ReviewList', reviewData({ reviews: [fullReview(parts)] }));

	test('says everything that is known of a review, and nothing of what is not', () => {
		const text = textOfOne({ pinned: true });
		for (const part of [
			...['Good', 'Ada', 'Oslo, Norway', 'Nov 20, 2026', 'First published on Another shop', 'Pinned'],
			...['Verified buyer', 'Testimonial', 'Boils fast.', 'How often? Daily'],
			...['Received a reward for this review', 'Variant: Red'],
			...['Reply from the store Kari of Fjell Nov 23, 2026', 'Thank you!'],
			...['kitchen', 'Helpful: 3', 'Not helpful: 1'],
		]) {
			expect(text).toContain(part);
		}
		// Nearly everybody does, and the stars say so.
		expect(text).not.toContain('recommend');
		const unknown = {
			...{ rating: undefined, author: undefined, title: undefined, date: undefined, recommends: undefined },
			...{ city: undefined, state: undefined, country: undefined, images: [], videos: [], tags: [] },
			...{ customQuestions: [], verified: false, testimonial: false, externalSource: undefined },
			...{ helpfulCount: 0, unhelpfulCount: 0, incentivized: undefined, variant: undefined },
			reply: undefined,
		};
		expect(textOfOne(unknown)).toBe('Customer reviews1 of 1,234 reviewsAnonymousBoils fast.');
		const reply = { text: 'Sorry.', author: undefined, date: undefined };
		expect(textOfOne({ ...unknown, reply })).toMatch(
			/Boils fast\. ?Reply from the store ?Anonymous ?Sorry\.$|Boils fast\. ?Reply from the store ?Sorry\.$/,
		);
		expect(textOfOne({ recommends: false })).toContain('Does not recommend this product');
	});

	test('the first page is open, every further one is behind its "more", and none deeper for it', () => {
		const many = (count: number) =>
			reviewData({ reviews: Array.from({ length: count }, () => fullReview({ images: [], videos: [] })) });
		const html = render({ perPage: 20 }, many(45));
		expect(html.match(/(?<=pr-more-summary">)[^<]*/g)).toEqual(['20 more reviews', '5 more reviews']);
		expect(html.match(/<li class="pr-item"/g)).toHaveLength(45);
		expect(render({}, many(1_000)).match(/<li class="pr-item"/g)).toHaveLength(100);
		const all = render({ limit: Number.POSITIVE_INFINITY, perPage: 1 }, many(1_000));
		expect(all.match(/<li class="pr-item"/g)).toHaveLength(1_000);
		expect(all).not.toMatch(
			/<details[^>]*><summary[^>]*>[^<]*<\/summary><ol[^>]*>(?:(?!<\/details>).)*<details class="pr-more"/,
		);
	});

	test('says how many of all reviews it has, unless these are all', () => {
		expect(textOf('ReviewList', DATA)).toContain('4 of 1,234 reviews');
		const aggregate = { count: 4, average: 4 };
		expect(render({}, { ...DATA, aggregate })).not.toContain('pr-shown');
		expect(render({ filter: { stars: 5 } }, { ...DATA, aggregate })).toContain('2 of 4 reviews');
	});

	test('one of several pages: its reviews, which they are, and the way to the others', () => {
		const reviews = Array.from({ length: 45 }, (_, index) => fullReview({ title: `Title ${index + 1}.` }));
		const data = reviewData({ reviews, aggregate: { count: 45, average: 4 } });
		const page = (number: number | string, props: Props = {}) =>
			render({ page: number, perPage: 20, pageUrl: '/kettle/reviews/{page}/', ...props }, data);
		const links = (html: string) =>
			[...html.matchAll(/rel="(\w+)" href="([^"]*)"/g)].map(([, rel, to]) => `${rel} ${to}`);
		const titles = (html: string) => html.match(/(?<=Title )\d+/g)?.map(Number) ?? [];
		expect([titles(page(1))[0], titles(page(2))[0], titles(page('3'))]).toEqual([
			1,
			21,
			[41, 42, 43, 44, 45],
		]);
		expect(page(2)).toContain('21–40 of 45 reviews');
		expect(page(2)).toContain('Page 2 of 3');
		expect(page(2)).not.toContain('pr-more');
		expect(links(page(1))).toEqual(['next /kettle/reviews/2/']);
		expect(links(page(2))).toEqual(['prev /kettle/reviews/1/', 'next /kettle/reviews/3/']);
		expect(links(page(2, { firstPageUrl: '/kettle/' }))[0]).toBe('prev /kettle/');
		expect(links(page(3))).toEqual(['prev /kettle/reviews/2/']);
		expect(page(4)).toBe('');
		expect(render({ page: 1, pageUrl: '/{page}' }, data)).toContain('1–20 of 45');
		expect(() => render({ page: 2 }, data)).toThrow(/`page` needs `pageUrl`/);
		const few = reviewData({ reviews: reviews.slice(0, 3), aggregate: { count: 3, average: 4 } });
		expect(render({ page: 1, pageUrl: '/{page}' }, few)).not.toMatch(/pr-pages|pr-shown/);
	});

	test('visitors can see only reviews in the language of the page, where there are others', () => {
		const inTongues = (...languages: (string | undefined)[]) =>
			reviewData({ reviews: languages.map((language) => fullReview({ language })) });
		const mixed = render({ lang: 'de-AT' }, inTongues('de', 'en', undefined));
		expect(findElements(mixed).text).toContain('Nur auf Deutsch 2');
		expect(mixed.match(/data-foreign/g)).toHaveLength(1);
		for (const languages of [
			['de', undefined],
			['en', 'en'],
		])
			expect(render({ lang: 'de' }, inTongues(...languages))).not.toContain('checkbox" name="language"');
		expect(render({ lang: 'de', languageFilter: false }, inTongues('de', 'en'))).not.toContain(
			'name="language"',
		);
	});

	test('a choice of stars for each list, in which what no review has cannot be chosen', () => {
		const inputs = (data: ReviewData, props: Props = {}) =>
			findElements(render(props, data))
				.elements.filter(({ tag }) => tag === 'input')
				.map(({ attributes: { value, checked, disabled } }) =>
					[value, checked ?? disabled].filter((part) => part !== undefined),
				);
		expect(inputs(DATA)).toEqual([['all', ''], ['5'], ['4', ''], ['3'], ['2', ''], ['1', '']]);
		expect(render()).toContain('aria-label="5 stars">5</span> <span class="pr-filter-count">2</span>');
		expect(render().match(/<form[^>]*method="dialog"/g)).toHaveLength(1);
		// Where all have the same stars, and where the page does not want it.
		expect(inputs(reviewData({ reviews: [fullReview(), fullReview()] }))).toEqual([]);
		expect(inputs(DATA, { starFilter: false })).toEqual([]);
	});

	test('a long text has a box that opens it, and so has one of many lines', () => {
		const boxes = (body: string) => textOfOne({ body }).includes('Read more');
		expect([700, 600].map((length) => boxes('x'.repeat(length)))).toEqual([true, false]);
		expect([10, 9].map((lines) => boxes(Array(lines).fill('x').join('\n')))).toEqual([true, false]);
	});

	test('a review in another language than the page says so, and the words of the page do not', () => {
		const { elements } = findElements(write('ReviewList', reviewData({ reviews: [fullReview()] })));
		const marked = elements.filter(({ attributes }) => attributes['lang'] === 'nb');
		expect(marked.map(({ attributes }) => attributes['class'])).toEqual(['pr-title', 'pr-body']);
		const same = reviewData({ reviews: [fullReview({ language: 'en' })] });
		expect(write('ReviewList', same, { lang: 'en' }).match(/lang="/g)).toHaveLength(1);
	});

	// In bytes: those of a `<details>` for each photo, which needs no button to close it.
	test.each([
		[0, 494],
		[1, 1_008],
		[3, 1_960],
		[10, 5_466],
	])('a review with %d photos has at most %d bytes of html', (count, most) => {
		const review = {
			...{ key: 'r-1', title: 'Good', body: 'Fits well.', rating: 5, author: 'Ada L.', date: '2026-01-02' },
			...{ verified: true, recommends: true },
			images: Array.from({ length: count }, (_, index) => `https://images.example/${index}.jpg`),
		};
		const written = write('ReviewList', { ...reviewData(), reviews: [review] });
		const [html = ''] = written.match(/<article class="pr-review".*<\/article>/) ?? [];
		expect(html.match(/<img /g) ?? []).toHaveLength(2 * count);
		expect(Buffer.byteLength(html)).toBeLessThanOrEqual(most);
	});

	test('images are lazy, sized, tell no address and have a text; videos load nothing', () => {
		const one = reviewData({ reviews: [fullReview({ author: 'A "B"' })] });
		const { elements } = findElements(render({}, one));
		expect(elements.find(({ tag }) => tag === 'img')?.attributes).toEqual({
			...{ src: 'https://images.example/1-small.jpg', alt: 'Photo by A "B"' },
			...{ width: '160', height: '160', loading: 'lazy' },
			referrerpolicy: 'no-referrer',
		});
		expect(elements.find(({ tag }) => tag === 'video')?.attributes).toEqual({
			src: 'https://images.example/1.mp4',
			...{ 'aria-label': 'Video by A "B"', controls: '', playsinline: '', preload: 'none' },
		});
	});
});
