import type { QuestionAnswer } from '../contract/index.js';
import { orEmpty, orUndefined, toDate } from './read.js';

/** A question about a product and its answer (operation 2). All text is untrusted. */
export interface Question {
	readonly id: string | undefined;
	readonly question: string | undefined;
	readonly answer: string | undefined;
	/** `YYYY-MM-DD` in UTC. */
	readonly askedOn: string | undefined;
	/** `YYYY-MM-DD` in UTC. */
	readonly answeredOn: string | undefined;
	/** Name of the customer who asked. */
	readonly author: string | undefined;
	readonly products: readonly { readonly pid: string; readonly name: string | undefined }[];
	/** The item as the service sent it, including unknown fields. */
	readonly source: QuestionAnswer;
}

/** Converts a question of operation 2 to the names used by the rest of the code. */
export function toQuestion(item: QuestionAnswer): Question {
	return {
		id: orUndefined(item._id),
		question: orUndefined(item.que),
		answer: orUndefined(item.ans),
		askedOn: toDate(item.quedt),
		answeredOn: toDate(item.ansdt),
		author: orUndefined(item.cstnm),
		products: orEmpty(item.arrpid).flatMap(({ pid, pn }) => (pid ? [{ pid, name: orUndefined(pn) }] : [])),
		source: item,
	};
}
