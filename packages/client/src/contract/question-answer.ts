import { z } from 'zod';
import { flag, list, optionalProductId, text, time } from './fields.js';

/** One element of `dataQueAns` in the response of operation 2. Unknown fields are kept. */
export const questionAnswer = z.looseObject({
	_id: text,
	wsid: text,
	que: text,
	ans: text,
	ia: flag,
	arrpid: list(z.looseObject({ pid: optionalProductId, pn: text })),
	cstnm: text,
	quedt: time,
	ansdt: time,
	src: text,
	cdt: time,
	udt: time,
	icntv: flag,
});

export type QuestionAnswer = z.output<typeof questionAnswer>;
