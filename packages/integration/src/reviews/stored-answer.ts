import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type CondensedRecord, condenseRecord, restoreRecord } from '../records/condensed-record.js';
import { FieldReader, fieldsOf } from '../records/field-reader.js';
import type { Part, Records } from '../records/parts.js';
import { NO_RATING } from '../records/rating.js';
import { checkAggregate, checkRecord, checkReviewData, type ProductReviews } from '../records/record.js';

/** An answer of the service. Times are in milliseconds since 1970. */
export interface SharedAnswer<Of extends Part> {
	readonly record: Records[Of];
	readonly fetchedAt: number;
	readonly changedAt: number;
	/** The product's tokens when this was requested. */
	readonly seen: string;
}

interface AnswerKey<Of extends Part> {
	readonly account: string;
	readonly part: Of;
	readonly pid: string;
}

/** Largest tolerated difference between the clocks of machines, in milliseconds. */
const CLOCK_TOLERANCE = 5_000;

export function writeAnswer<Of extends Part>(
	key: AnswerKey<Of>,
	answer: SharedAnswer<Of>,
): string | undefined {
	const record = key.part === 'reviews' ? condenseRecord(answer.record as ProductReviews) : answer.record;
	return seal({ ...key, ...answer, record });
}

/**
 * Reads an answer. Anybody who can write to the storage may have written it, so it is checked like an answer of the
 * service.
 */
export function readAnswer<Of extends Part>(
	text: unknown,
	is: AnswerKey<Of>,
	now: number,
): SharedAnswer<Of> | undefined {
	const { account, part, pid, fetchedAt, changedAt, seen, record } = fieldsOf(unseal(text));
	if (account !== is.account || part !== is.part || pid !== is.pid) return undefined;
	const isTime = (time: unknown): time is number =>
		typeof time === 'number' && time >= 0 && time <= now + CLOCK_TOLERANCE;
	if (!isTime(fetchedAt) || !isTime(changedAt) || typeof seen !== 'string') return undefined;
	const checked = check(is.part, is.pid, record);
	return checked && { record: checked, fetchedAt, changedAt, seen };
}

function check<Of extends Part>(part: Of, pid: string, record: unknown): Records[Of] | undefined {
	let isWhole = true;
	const read = new FieldReader(() => {
		isWhole = false;
	});
	try {
		const checked: Records[Of] = CHECKS[part](pid, record, read);
		return isWhole ? checked : undefined;
	} catch {
		return undefined;
	}
}

const CHECKS: { [Of in Part]: (pid: string, record: unknown, read: FieldReader) => Records[Of] } = {
	reviews: (pid, record, read) =>
		checkRecord(pid, restoreRecord(fieldsOf(record) as unknown as CondensedRecord), read),
	'review-data': checkReviewData,
	rating(_pid, record, read) {
		const { average, count, questionCount } = fieldsOf(record);
		const aggregate = count === 0 ? undefined : checkAggregate({ average, count }, read);
		return { ...NO_RATING, ...aggregate, questionCount: read.count(questionCount) };
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

function unseal(text: unknown): unknown {
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
