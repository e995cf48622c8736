import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type CondensedRecord, condenseRecord, restoreRecord } from '../records/condensed-record.js';
import { FieldReader, fieldsOf } from '../records/field-reader.js';
import type { AggregateRating } from '../records/rating.js';
import {
	checkAggregate,
	checkRecord,
	checkReviewData,
	type ProductReviews,
	type ReviewData,
} from '../records/record.js';

export interface SharedValues {
	readonly reviews: ProductReviews;
	readonly 'review-data': ReviewData;
	readonly rating: {
		readonly aggregate: AggregateRating | undefined;
		/** `undefined` if whoever stored it does not use it. */
		readonly questionCount?: number | undefined;
	};
}

export type SharedKind = keyof SharedValues;

/** An answer of the service. Times are in milliseconds since 1970. */
export interface SharedAnswer<Value> {
	readonly value: Value;
	readonly fetchedAt: number;
	readonly changedAt: number;
	readonly lastChange: string;
}

interface AnswerKey<Kind extends SharedKind> {
	readonly account: string;
	readonly kind: Kind;
	readonly pid: string;
}

/** Largest tolerated difference between the clocks of machines, in milliseconds. */
const CLOCK_TOLERANCE = 5_000;

export function writeAnswer<Kind extends SharedKind>(
	key: AnswerKey<Kind>,
	answer: SharedAnswer<SharedValues[Kind]>,
): string | undefined {
	const value = key.kind === 'reviews' ? condenseRecord(answer.value as ProductReviews) : answer.value;
	return seal({ ...key, ...answer, value });
}

/**
 * Reads an answer. Anybody who can write to the storage may have written it, so it is checked like an answer of the
 * service.
 */
export function readAnswer<Kind extends SharedKind>(
	text: unknown,
	is: AnswerKey<Kind>,
	now: number,
): SharedAnswer<SharedValues[Kind]> | undefined {
	const { account, kind, pid, fetchedAt, changedAt, lastChange, value } = fieldsOf(unseal(text));
	if (account !== is.account || kind !== is.kind || pid !== is.pid) return undefined;
	const isTime = (time: unknown): time is number =>
		typeof time === 'number' && time >= 0 && time <= now + CLOCK_TOLERANCE;
	if (!isTime(fetchedAt) || !isTime(changedAt) || typeof lastChange !== 'string') return undefined;
	const checked = checkValue(is.kind, is.pid, value);
	return checked && { value: checked, fetchedAt, changedAt, lastChange };
}

function checkValue<Kind extends SharedKind>(
	kind: Kind,
	pid: string,
	value: unknown,
): SharedValues[Kind] | undefined {
	let isWhole = true;
	const read = new FieldReader(() => {
		isWhole = false;
	});
	try {
		const checked: SharedValues[Kind] = CHECKS[kind](pid, value, read);
		return isWhole ? checked : undefined;
	} catch {
		return undefined;
	}
}

const CHECKS: {
	[Kind in SharedKind]: (pid: string, value: unknown, read: FieldReader) => SharedValues[Kind];
} = {
	reviews: (pid, value, read) =>
		checkRecord(pid, restoreRecord(fieldsOf(value) as unknown as CondensedRecord), read),
	'review-data': checkReviewData,
	rating(_pid, value, read) {
		const { aggregate, questionCount } = fieldsOf(value);
		return { aggregate: checkAggregate(aggregate, read), questionCount: read.count(questionCount) };
	},
};

/** Longest text that is stored or read, in UTF-16 code units. */
const MAX_STORED_LENGTH = 4_194_304;

// It starts with a letter, so that no driver takes it for JSON and parses it.
const PREFIX = 'reviews1';

/** In hexadecimal digits. */
const CHECKSUM_LENGTH = 16;

/**
 * Writes a value as text with a checksum, which finds texts that were cut or damaged. The checksum does not prove who
 * wrote it: what is read must still be checked.
 */
export function seal(value: unknown): string | undefined {
	const json = JSON.stringify(value);
	const text = `${PREFIX} ${checksumOf(json)} ${json}`;
	return text.length > MAX_STORED_LENGTH ? undefined : text;
}

export function unseal(text: unknown): unknown {
	if (typeof text !== 'string' || text.length > MAX_STORED_LENGTH) return undefined;
	const [prefix, checksum] = text.slice(0, PREFIX.length + CHECKSUM_LENGTH + 1).split(' ');
	const json = text.slice(PREFIX.length + CHECKSUM_LENGTH + 2);
	if (prefix !== PREFIX || checksum !== checksumOf(json)) return undefined;
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

function checksumOf(text: string): string {
	return bytesToHex(sha256(utf8ToBytes(text))).slice(0, CHECKSUM_LENGTH);
}
