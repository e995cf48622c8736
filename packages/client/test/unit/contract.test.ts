import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
	countSummary,
	crawlerReviewsResponse,
	mediaItem,
	productReviewDataResponse,
	questionAnswer,
	review,
	starRatingItem,
	starRatingResponse,
} from '../../src/contract/index.js';
import {
	countSummaryOf,
	crawlerPayload,
	mediaItemOf,
	questionOf,
	reviewDataPayload,
	reviewOf,
	starRatingItemOf,
} from '../support/payloads.js';

const RESOURCES: [string, z.ZodType, Record<string, unknown>, string[]][] = [
	['star-rating item', starRatingItem, starRatingItemOf('p-1'), ['pid', 'avgrtng', 'prtng']],
	['review', review, reviewOf('p-1'), ['_id', 'pid', 'rtng']],
	['count summary', countSummary, countSummaryOf('p-1'), []],
	['media item', mediaItem, mediaItemOf('p-1'), []],
	['question/answer item', questionAnswer, questionOf('p-1'), []],
	['product review data', productReviewDataResponse, reviewDataPayload('p-1'), ['data']],
	['crawler-readable payload', crawlerReviewsResponse, crawlerPayload('p-1'), ['pid', 'dataCount']],
];

/** Fields that are optional, and yet refused when they say something other than they should. */
const STRICT_IF_THERE: Record<string, string[]> = {
	'product review data': ['success'],
	'crawler-readable payload': ['status', 'html', 'jsonld'],
};

/** What the document lists for each resource, in its own order. */
const DOCUMENTED: Record<string, string> = {
	'star-rating item': 'pid avgrtng prtng html isReqSyncWoo queCount',
	review:
		'_id wsid un ct st cn i pid pn pu piu rtng rttl rtxt rvwst shp arrimg arrvdo irplyprvt itstmnl ivrfd ipin cntupvt cntdwnvt ircmnd arrcustque ipblshfb arrtag pgid cdt createdAt udt isdmy aitopics icntv cst1 cst2 cst3 rvwrimg extsrc',
	'count summary': 'pid wsid avgrtng prtng str1 str2 str3 str4 str5 rcmnd aitopics topicsmry isReqSyncWoo',
	'media item':
		'_id wsid un mde ct st cn i ti pid pn pu piu fa rtng rtxt orgnlrtxt cnid cst1 cst2 cst3 rvwst shp arrimg arrvdo arrvdoazr arrgrppid irplyprvt itstmnl ipin cntupvt cntdwnvt ircmnd istsupdeml csvid arrcustque ipblshfb arrtag pgid rvwrimg extsrc cdt isdmy __v createdAt udt ivrfd aitopics',
	'question/answer item': '_id wsid que ans ia arrpid cstnm quedt ansdt src cdt udt icntv',
	'product review data': 'success data dataCount dataMedia dataQueAns dataCountQueAns',
	'crawler-readable payload': 'status pid dataCount html jsonld',
};

describe.each(RESOURCES)('%s', (name, schema, payload, required) => {
	const fields = Object.keys(payload);
	const strict = [...required, ...(STRICT_IF_THERE[name] ?? [])];
	const lenient = fields.filter((field) => !strict.includes(field));

	test('the test payload holds exactly the documented fields', () => {
		expect(fields.toSorted()).toEqual(DOCUMENTED[name]?.split(' ').toSorted());
	});

	test('round-trips every documented field and keeps unknown ones', () => {
		const sent = { ...payload, newField: { deep: [1, null] } };
		expect(schema.parse(sent)).toEqual(sent);
	});

	test.each(required)('is refused without %s', (field) => {
		const { [field]: _left, ...rest } = payload;
		expect(schema.safeParse(rest).success).toBe(false);
		expect(schema.safeParse({ ...payload, [field]: null }).success).toBe(false);
	});

	test.each(strict)('is refused where %s is of another type', (field) => {
		expect(schema.safeParse({ ...payload, [field]: Symbol('spoiled') }).success).toBe(false);
	});

	test.each(lenient)('is read where %s is null, missing or of another type', (field) => {
		const { [field]: _left, ...rest } = payload;
		expect(schema.parse(rest)).toEqual(rest);
		expect(schema.parse({ ...payload, [field]: null })).toEqual({ ...payload, [field]: null });
		const spoiled = schema.parse({ ...payload, [field]: Symbol('spoiled') });
		expect(spoiled).toEqual({ ...payload, [field]: undefined });
	});
});

test.each([starRatingItem, review, mediaItem, countSummary])(
	'a number as product id becomes a text',
	(schema) => {
		const payload = { ...starRatingItemOf('x'), ...reviewOf('x'), pid: 42 };
		expect(schema.parse(payload)).toMatchObject({ pid: '42' });
	},
);

test.each([[''], [Number.NaN], [{}], [null]])('%j is no product id', (pid) => {
	expect(starRatingItem.safeParse({ ...starRatingItemOf('x'), pid }).success).toBe(false);
});

test('a list keeps what can be read in it', () => {
	const { arrimg } = review.parse({ ...reviewOf('x'), arrimg: ['a', null, 3, 'b'] });
	expect(arrimg).toEqual(['a', 'b']);
});

test.each([
	[starRatingResponse, { success: false, data: [] }],
	[productReviewDataResponse, { success: false, data: [] }],
	[crawlerReviewsResponse, { ...crawlerPayload('x'), status: 500 }],
])('an answer that reports a failure is refused', (schema, answer) => {
	expect(schema.safeParse(answer).success).toBe(false);
});

test('"__proto__" in an answer pollutes nothing', () => {
	const parsed = review.parse(JSON.parse('{"_id":"1","pid":"p","rtng":5,"__proto__":{"polluted":true}}'));
	expect((parsed as { polluted?: boolean }).polluted).toBeUndefined();
});
