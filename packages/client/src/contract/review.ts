import { z } from 'zod';
import {
	flag,
	list,
	number,
	productId,
	requiredNumber,
	requiredText,
	text,
	textList,
	time,
} from './fields.js';

/** A topic that the service found in one review, with its sentiment. */
export const reviewTopic = z.looseObject({ key: text, sentiment: text });

/** One element of `data` in the response of operation 2 (product review data). Unknown fields are kept. */
export const review = z.looseObject({
	_id: requiredText,
	pid: productId,
	rtng: requiredNumber,
	wsid: text,
	un: text,
	ct: text,
	st: text,
	cn: text,
	i: text,
	pn: text,
	pu: text,
	piu: text,
	rttl: text,
	rtxt: text,
	rvwst: number,
	shp: text,
	arrimg: textList,
	arrvdo: textList,
	irplyprvt: flag,
	itstmnl: flag,
	ivrfd: flag,
	ipin: flag,
	cntupvt: number,
	cntdwnvt: number,
	ircmnd: flag,
	arrcustque: textList,
	ipblshfb: flag,
	arrtag: textList,
	pgid: text,
	cdt: time,
	createdAt: time,
	udt: time,
	isdmy: flag,
	aitopics: list(reviewTopic),
	icntv: flag,
	cst1: text,
	cst2: text,
	cst3: text,
	rvwrimg: text,
	extsrc: text,
});

export type ReviewItem = z.output<typeof review>;
