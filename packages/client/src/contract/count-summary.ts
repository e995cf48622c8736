import { z } from 'zod';
import { byLanguage, flag, list, number, optionalProductId, text } from './fields.js';

/** A topic over all reviews of a product (`dataCount.aitopics`). */
export const topic = z.looseObject({
	_id: text,
	wsid: text,
	pid: optionalProductId,
	key: text,
	/** The topic's name by language; `pt` and `en` are documented, but there may be others. */
	translations: byLanguage(text),
	total_count: number,
	positive_count: number,
	negative_count: number,
	neutral_count: number,
});

/** A sentence about one topic (`dataCount.topicsmry`). */
export const topicSummary = z.looseObject({ topic: text, text });

/** `dataCount` in the response of operation 2. Unknown fields are kept. */
export const countSummary = z.looseObject({
	pid: optionalProductId,
	wsid: text,
	avgrtng: number,
	prtng: number,
	/** Number of reviews with one star; `str2` to `str5` likewise. */
	str1: number,
	str2: number,
	str3: number,
	str4: number,
	str5: number,
	rcmnd: number,
	aitopics: list(topic),
	/** Summaries by language; `en` and `pt` are documented, but there may be others. */
	topicsmry: byLanguage(list(topicSummary)),
	isReqSyncWoo: flag,
});

export type CountSummary = z.output<typeof countSummary>;
