import type { QuestionAnswer } from 'product-reviews-client/contract';
import type { Question } from '../records.js';
import type { Complete } from './complete.js';
import type { StoreFacts } from './store-facts.js';

/**
 * Creates one element of `dataQueAns` of operation 2.
 *
 * @param nameOf Returns the name of a product.
 */
export function wireQuestionAnswer(
	question: Question,
	nameOf: (pid: string) => string,
	facts: StoreFacts,
): Complete<QuestionAnswer> {
	return {
		_id: question.id,
		wsid: facts.wsid,
		que: question.question,
		ans: question.answer,
		ia: question.answeredAt !== null,
		arrpid: question.pids.map((pid) => ({ pid, pn: nameOf(pid) })),
		cstnm: question.author,
		quedt: question.askedAt,
		ansdt: question.answeredAt ?? '',
		src: 'sandbox',
		cdt: question.askedAt,
		udt: question.answeredAt ?? question.askedAt,
		icntv: false,
	};
}
