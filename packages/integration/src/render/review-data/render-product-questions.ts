import type { ProductQuestion, ReviewData } from '../../parse/record.js';
import type { ProductId } from '../../text/product-id.js';
import type { Component } from '../component.js';
import { fillLabel, formatDate } from '../fill-label.js';
import { type Html, html } from '../html.js';
import { renderHeading } from '../parts.js';
import type { RenderOptions } from '../render-options.js';
import {
	dataComponent,
	type PartContext,
	type PartProps,
	partContext,
	type RootAttributes,
	readCount,
	renderInGroups,
} from './parts.js';

/** Props of `<ProductQuestions>`. Others, such as `class`, go to its root element. */
export type ProductQuestionsProps = {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
} & QuestionsProps &
	Record<string, unknown>;

export interface QuestionsProps extends PartProps {
	/** Maximum number of questions, in the service's order. @default 50 */
	limit?: number | undefined;
	/** Number of questions shown at first, and with each "more". @default 10 */
	perPage?: number | undefined;
	/** Whether questions without an answer are shown. @default true */
	unanswered?: boolean | undefined;
}

/** The html of `<ProductQuestions>` on one line; empty for a product without questions. */
export function renderProductQuestions(
	data: ReviewData | undefined,
	{ limit, perPage, unanswered, ...props }: QuestionsProps & RootAttributes,
	options: RenderOptions,
): string {
	const context = partContext(props, options, 'product-questions', 'questions');
	const most = readCount('limit', limit ?? 50);
	const perGroup = readCount('perPage', perPage ?? 10, 1);
	const shown = (data?.questions ?? [])
		.filter(({ answer }) => unanswered !== false || answer !== undefined)
		.slice(0, most);
	if (shown.length === 0) return '';
	const items = shown.map((question) => renderQuestion(question, context));
	const more = (count: number) => fillLabel(context.labels.moreQuestions, { count }, context.language);
	return context.wrap(renderInGroups(items, perGroup, 'product-questions-items', more)).toString();
}

function renderQuestion(item: ProductQuestion, { labels, language, itemLevel }: PartContext): Html {
	const { question, answer, author, askedOn, answeredOn } = item;
	const answered =
		answer === undefined
			? html`<p class="product-question-meta">${labels.unanswered}</p>`
			: html`<div class="product-answer"><p class="product-question-meta"><span class="product-answer-label">${labels.answer}</span>${time(answeredOn, language)}</p><p class="product-answer-text" dir="auto">${answer}</p></div>`;
	return html`<li class="product-questions-item"><article class="product-question">${renderHeading(itemLevel, 'product-question-text', question)}<p class="product-question-meta"><span class="review-author" dir="auto">${author ?? labels.anonymous}</span>${time(askedOn, language)}</p>${answered}</article></li>`;
}

function time(date: string | undefined, language: string): Html | undefined {
	if (date === undefined) return undefined;
	return html` <time class="review-date" datetime="${date}">${formatDate(date, language)}</time>`;
}

/** `<ProductQuestions>` */
export const productQuestions: Component<'review-data'> = dataComponent((data, props, options) => ({
	html: renderProductQuestions(data, props, options),
	facts: [],
}));
