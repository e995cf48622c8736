import { describe, expect, test } from 'vitest';
import type { ReviewData } from '../../../../src/parse/review-data.js';
import { renderProductQuestions } from '../../../../src/render/review-data/render-product-questions.js';
import { renderRatingSummary } from '../../../../src/render/review-data/render-rating-summary.js';
import { renderReviewMedia } from '../../../../src/render/review-data/render-review-media.js';
import {
	reviewSection,
	sectionAttributes,
} from '../../../../src/render/review-data/render-review-section.js';
import { renderReviewTopics } from '../../../../src/render/review-data/render-review-topics.js';
import { findElements } from '../../../support/page/elements.js';
import { renderOptions } from '../../../support/unit/record.js';
import { mediaItem, question, reviewData } from '../../../support/unit/review-data.js';

const OPTIONS = renderOptions();

const sectionOf = (data: ReviewData, props: Readonly<Record<string, unknown>>) =>
	reviewSection.write(data, { component: 'ReviewSection', props: { ...props, slots: ['after'] } }, OPTIONS)
		.parts ?? {};
const textOf = (html: string) => findElements(html).text;

describe('<RatingSummary>', () => {
	test('average, count, bars and the share that recommend', () => {
		const html = renderRatingSummary(reviewData(), {}, OPTIONS);
		expect(textOf(html)).toBe(
			'4.3  1,234 reviews5 stars  1004 stars  403 stars  302 stars  201 star  1073% recommend this product',
		);
		expect(html).toContain('data-fill="4.3"');
		expect([...html.matchAll(/width="([\d.]+%)" height="100%"/g)].map(([, width]) => width)).toEqual([
			'50%',
			'20%',
			'15%',
			'10%',
			'5%',
		]);
	});

	test('without a heading it is no landmark', () => {
		expect(renderRatingSummary(reviewData(), {}, OPTIONS)).toMatch(/^<div class="rating-summary">/);
	});

	test.each([undefined, 0, 1_235])('no share of %j who recommend', (recommendCount) => {
		const html = renderRatingSummary(reviewData({ recommendCount }), {}, OPTIONS);
		expect(html).not.toContain('recommend this product');
	});

	test('no bars where no star was counted', () => {
		const distribution = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
		expect(renderRatingSummary(reviewData({ distribution }), {}, OPTIONS)).not.toContain('<svg');
	});

	test('the words of one component come before those of the site', () => {
		const props = { labels: { recommendShare: '{percent} of us' } };
		const options = renderOptions({ labels: { recommendShare: 'x', count: '{count} voices' } });
		expect(textOf(renderRatingSummary(reviewData(), props, options))).toMatch(/1,234 voices.*73% of us$/);
	});
});

describe('<ReviewTopics>', () => {
	const write = (lang: string, parts = {}) =>
		textOf(renderReviewTopics(reviewData(parts), { lang }, OPTIONS));

	test('in the language of the page, then English, then the first', () => {
		expect(write('pt-BR')).toContain('Qualidade 10 menções70% positivas20% neutras10% negativasBem feito.');
		expect(write('en')).toContain('Quality 10 mentions70% positive20% neutral10% negativeWell made.');
		expect(write('ja')).toContain('Well made.');
		const topicSummaries = { fi: [{ topic: 'quality', text: 'Hyvin tehty.' }] };
		expect(write('ja', { topicSummaries })).toContain('Hyvin tehty.');
	});

	test('a summary of a topic that is not counted stands alone', () => {
		const topicSummaries = { en: [{ topic: 'Smell', text: 'Fine.' }] };
		expect(write('en', { topicSummaries })).toMatch(/10% negativeSmellFine\.$/);
	});

	test('a topic without mentions has a name and no numbers', () => {
		const topic = { key: 'k', names: {}, total: 0, positive: 0, negative: 0, neutral: 0 };
		expect(write('en', { topics: [topic], topicSummaries: {} })).toBe('What reviews mentionk');
	});

	test('no more than the page wants', () => {
		expect(renderReviewTopics(reviewData(), { limit: 0 }, OPTIONS)).toBe('');
	});
});

describe('<ReviewMedia>', () => {
	test('images, then videos, of each review, up to the limit', () => {
		const media = Array.from({ length: 20 }, () => mediaItem());
		const count = (props: Record<string, unknown>) =>
			renderReviewMedia(reviewData({ media }), props, OPTIONS).match(/<summary/g)?.length;
		expect(count({})).toBe(24);
		expect(count({ limit: 3 })).toBe(3);
		expect(count({ limit: 99 })).toBe(40);
	});

	test('says whose it is', () => {
		expect(textOf(renderReviewMedia(reviewData(), {}, OPTIONS))).toBe(
			'Photos and videos Ada' + 'Good Ada' + 'Good',
		);
	});
});

describe('<ProductQuestions>', () => {
	const write = (questions: ReturnType<typeof question>[], props = {}) =>
		textOf(renderProductQuestions(reviewData({ questions }), props, OPTIONS));

	test('question, who and when, answer and when', () => {
		expect(write([question()])).toBe(
			'Questions and answersDoes it whistle?Bo October 1, 2026Answer October 2, 2026No.',
		);
	});

	test('a question that nobody answered says so, or is left out', () => {
		const open = question({ answer: undefined, author: undefined, askedOn: undefined });
		expect(write([open])).toBe('Questions and answersDoes it whistle?AnonymousNot answered yet');
		expect(write([open], { unanswered: false })).toBe('');
	});

	test('ten at first, fifty at the most', () => {
		const html = renderProductQuestions(
			reviewData({ questions: Array.from({ length: 60 }, () => question()) }),
			{},
			OPTIONS,
		);
		expect(html.match(/<article/g)).toHaveLength(50);
		expect(html.match(/>10 more questions</g)).toHaveLength(4);
	});
});

describe('<ReviewSection>', () => {
	test('headings are in order', () => {
		const { heading, summary, topics, media, reviews, questions } = sectionOf(reviewData(), {
			headingLevel: 3,
		});
		const html = [heading, summary, topics, media, reviews, questions].join('');
		const levels = [...html.matchAll(/<h(\d)/g)];
		expect(levels.map(([, level]) => level).join('')).toBe('344' + '455' + '45');
	});

	test('is a landmark with a name; what the page gives goes to it', () => {
		expect(sectionAttributes({ class: 'mine', id: 'a', lang: 'de' }, OPTIONS)).toEqual({
			class: 'review-section mine',
			id: 'a',
			lang: 'de',
			'aria-label': 'Kundenbewertungen',
		});
	});

	test('parts that the page does not want, or that there are none of, are empty', () => {
		const props = { summary: false, topics: false, questions: false } as const;
		expect(sectionOf(reviewData({ media: [] }), props)).toMatchObject({
			summary: '',
			topics: '',
			media: '',
			questions: '',
			reviews: expect.stringContaining('Boils fast.'),
		});
	});

	test('questions alone are worth a section', () => {
		const data = reviewData({ aggregate: undefined, reviews: [], topics: [], topicSummaries: {}, media: [] });
		expect(sectionOf(data, {})['questions']).toContain('Does it whistle?');
	});
});
