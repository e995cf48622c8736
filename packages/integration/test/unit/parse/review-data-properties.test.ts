import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReviewPayloadError } from '../../../src/errors.js';
import { readReviewData } from '../../../src/parse/read-review-data.js';
import { dataOf, wireData, wireReview } from '../../support/service/wire-data.js';
import { strangersText, times } from '../../support/unit/fuzz.js';

const anything = fc.oneof(
	fc.anything({
		maxDepth: 3,
		withNullPrototype: true,
		withSparseArray: true,
		withBigInt: true,
		withDate: true,
	}),
	strangersText,
	fc.constantFrom(null, undefined, [], {}, '', 0, -1, Number.NaN, '__proto__', ['__proto__'], [null]),
);

/** A record some of whose fields are anything at all. */
const spoiled = (names: readonly string[]) =>
	fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] });

const REVIEW =
	'id pid rating author title body date city state country productName productUrl productImageUrl images videos tags customQuestions topics verified pinned testimonial recommends helpfulCount unhelpfulCount externalSource source';
const SUMMARY = 'average count distribution recommendCount topics topicSummaries source';
const QUESTION = 'id question answer askedOn answeredOn author products';
const fields = (names: string) => spoiled(names.split(' '));

const records = fc.record({
	pid: fc.oneof({ arbitrary: fc.constant('p-1'), weight: 9 }, { arbitrary: anything, weight: 1 }),
	reviews: fc.oneof(
		anything,
		fc.array(
			fc.oneof(
				anything,
				fields(REVIEW).map((review) => ({ ...review, pid: 'p-1' })),
			),
		),
	),
	summary: fc.oneof(anything, fields(SUMMARY)),
	media: fc.oneof(anything, fc.array(fc.oneof(anything, fields(REVIEW)))),
	questions: fc.oneof(anything, fc.array(fc.oneof(anything, fields(QUESTION)))),
	questionCount: anything,
});

test('a record that is anything at all is read, or refused with the one error that is for it', () => {
	let read = 0;
	const property = fc.property(records, (record) => {
		try {
			const data = readReviewData(record as never);
			read += 1;
			// What is read is what the store gives back.
			const stored = JSON.parse(JSON.stringify(data));
			expect(JSON.stringify(stored)).toBe(JSON.stringify(data));
			for (const { rating, key } of data.reviews) {
				expect(rating ?? 1).toBeGreaterThanOrEqual(1);
				expect(rating ?? 1).toBeLessThanOrEqual(5);
				expect(key).toMatch(/^[\da-f]{12}/);
			}
		} catch (error) {
			expect(error).toBeInstanceOf(ReviewPayloadError);
		}
	});
	fc.assert(property, times(2_000));
	expect(read).toBeGreaterThan(500);
});

const CANARIES = ['canary@private.example', '+49 170 5550123', 'customer-id-4711'];
/** What no page is to show: the details of a person. */
const FORBIDDEN = /canary|private\.example|5550123|4711/;

/** Fields of which nothing is taken over, documented ones and others. */
const UNREAD =
	'i wsid shp pgid csvid mde fa cst1 cst2 cst3 cnid rvwrimg email phone customerId e_mail tel src'.split(' ');
const KNOWN = 'un ct st cn extsrc cstnm'.split(' ');

test('no e-mail address, phone number or id of a person comes through, wherever the service sends it', async () => {
	const canary = fc.constantFrom(...CANARIES);
	const contact = fc.constantFrom(...CANARIES.slice(0, 2));
	const spread = (names: readonly string[], value: fc.Arbitrary<string>) =>
		fc.record(Object.fromEntries(names.map((name) => [name, value])));
	const around = fc.tuple(
		fc.constantFrom('', 'Ada ', 'Ada, ', 'Ada ('),
		contact,
		fc.constantFrom('', ' ', ') ', ', UK'),
	);
	const personal = spread(
		KNOWN,
		around.map((parts) => parts.join('')),
	);
	const item = fc
		.tuple(spread(UNREAD, canary), personal, canary)
		.map(([unread, known, _id]) => ({ ...unread, ...known, _id }));
	await fc.assert(
		fc.asyncProperty(item, fc.constantFrom(...CANARIES.slice(0, 2)), async (private_, answer) => {
			const wire = wireData({
				...private_,
				data: [wireReview({ ...private_, arrcustque: [`Reach me: ${answer}`] })],
				dataMedia: [{ ...private_, arrimg: ['https://cdn.example/1.jpg'] }],
				dataQueAns: [{ ...private_, que: 'Does it whistle?' }],
			});
			const text = JSON.stringify(readReviewData(await dataOf(wire)));
			expect(text).toContain('Boils fast.');
			expect(text).toContain('Does it whistle?');
			expect(text).not.toMatch(FORBIDDEN);
		}),
		times(300),
	);
});
