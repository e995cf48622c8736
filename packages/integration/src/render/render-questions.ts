import type { ProductQuestion } from '../records/record.js';
import type { Component } from './fragment.js';
import { type Html, html } from './html.js';
import { fillLabel } from './page-labels.js';
import {
	type PartContext,
	type PartProps,
	type PlacedProps,
	readCount,
	readPart,
	renderHeading,
	renderRoot,
} from './props.js';
import { renderAuthor, renderDate } from './render-review.js';
import { renderInGroups } from './render-review-list.js';

/** Props of `<ProductQuestions>`. */
export type ProductQuestionsProps = PlacedProps<QuestionsProps>;

export interface QuestionsProps extends PartProps {
	/** Maximum number of questions, in the service's order. @default 50 */
	limit?: number | undefined;
	/** Number of questions shown at first, and with each "more". @default 10 */
	perPage?: number | undefined;
	/** Shows questions without an answer, too. @default true */
	unanswered?: boolean | undefined;
}

export const productQuestions: Component<'review-data'> = {
	from: 'review-data',
	write(data, props: QuestionsProps, options) {
		const own = ['limit', 'perPage', 'unanswered'];
		const context = readPart(props, options, 'pr-product-questions', own, 'questions');
		const most = readCount('`limit`', props.limit ?? 50);
		const perPage = readCount('`perPage`', props.perPage ?? 10, 1);
		const shown = (data?.questions ?? [])
			.filter(({ answer }) => props.unanswered !== false || answer !== undefined)
			.slice(0, most);
		if (shown.length === 0) return { html: '', facts: [] };
		const { labels, language } = context;
		const items = shown.map((question) => renderQuestion(question, context));
		const list = renderInGroups(items, perPage, (count) =>
			fillLabel(labels.moreQuestions, { count }, language),
		);
		return { html: renderRoot(context, list).toString(), facts: [] };
	},
};

function renderQuestion(item: ProductQuestion, { labels, language, itemLevel }: PartContext): Html {
	const { question, answer, author, askedOn, answeredOn } = item;
	const heading = renderHeading(itemLevel, 'pr-question-text', question);
	const asked = html`${renderAuthor(author, labels)}${renderDate(askedOn, language)}`;
	const content =
		answer === undefined
			? html`${heading}<p class="pr-meta">${asked} <span class="pr-unanswered">${labels.unanswered}</span></p>`
			: html`<details class="pr-question-more"><summary class="pr-question-summary">${heading}</summary><p class="pr-meta">${asked}</p><div class="pr-answer"><p class="pr-body" dir="auto">${answer}</p><p class="pr-meta"><span class="pr-answer-label">${labels.answer}</span>${renderDate(answeredOn, language)}</p></div></details>`;
	return html`<li class="pr-item"><article class="pr-question">${content}</article></li>`;
}
