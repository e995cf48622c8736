import type { Validators } from 'product-reviews-client';
import { checkAggregate, checkRecord, checkReviewData } from '../parse/check-record.js';
import { createFieldReader, type FieldReader, fieldsOf } from '../parse/field-reader.js';
import { type CondensedRecord, condenseRecord, type ProductReviews, restoreRecord } from '../parse/record.js';
import { VERSION } from '../version.js';
import {
	type SharedAnswer,
	type SharedKind,
	type SharedValues,
	type SharedWrite,
	type Stamp,
	seal,
	unseal,
} from './shared-storage.js';

/** An answer as read from the storage, with its stamp. */
export type StoredAnswer<Value> = SharedAnswer<Value> & { readonly stamp: Stamp };

/** Writes an answer as text; `undefined` if it is too long to be shared. */
export function writeAnswer(account: string, write: SharedWrite): string | undefined {
	const { kind, pid, known, fetchedAt, changedAt, stamp } = write;
	const value = kind === 'reviews' ? condenseRecord(write.value) : write.value;
	return seal({ account, kind, pid, version: VERSION, known, fetchedAt, changedAt, stamp, value });
}

/**
 * Reads an answer. Anybody who can write to the storage may have written it, so it is checked like an answer of the service.
 * @param latest the latest time that is believed, in milliseconds since 1970.
 * @returns `undefined` if anything about it does not check.
 */
export function readAnswer<Kind extends SharedKind>(
	text: unknown,
	is: { readonly account: string; readonly kind: Kind; readonly pid: string },
	latest: number,
): StoredAnswer<SharedValues[Kind]> | undefined {
	const { account, kind, pid, version, known, fetchedAt, changedAt, stamp, value } = fieldsOf(unseal(text));
	if (account !== is.account || kind !== is.kind || pid !== is.pid) return undefined;
	if (!isTime(fetchedAt, latest) || !isTime(changedAt, latest)) return undefined;
	const checked = checkValue(is.kind, is.pid, value);
	if (checked === undefined) return undefined;
	const { product, all } = fieldsOf(stamp);
	return {
		value: checked,
		// Another version may read more from the same answer, and needs the whole answer for that.
		known: version === VERSION ? checkKnown(known) : undefined,
		fetchedAt,
		changedAt,
		stamp: { product: checkId(product), all: checkId(all) },
	};
}

/** The id of an event; `undefined` if it is none. */
export function checkId(id: unknown): string | undefined {
	return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined;
}

function isTime(value: unknown, latest: number): value is number {
	return typeof value === 'number' && value >= 0 && value <= latest;
}

/** The client checks what it sends. */
function checkKnown(known: unknown): Validators | undefined {
	const { etag, lastModified } = fieldsOf(known);
	const text = (value: unknown) => (typeof value === 'string' && value.length <= 1_000 ? value : undefined);
	const checked = { etag: text(etag), lastModified: text(lastModified) };
	return checked.etag === undefined && checked.lastModified === undefined ? undefined : checked;
}

/**
 * Checks a value that somebody else may have written, as an answer of the service is checked.
 * @returns `undefined` if anything about it does not check.
 */
export function checkValue<Kind extends SharedKind>(
	kind: Kind,
	pid: string,
	value: unknown,
): SharedValues[Kind] | undefined {
	let isWhole = true;
	const read = createFieldReader(() => {
		isWhole = false;
	});
	try {
		const checked: SharedValues[Kind] = CHECKS[kind](pid, value, read);
		return isWhole ? checked : undefined;
	} catch {
		return undefined;
	}
}

type Checks = {
	[Kind in SharedKind]: (pid: string, value: unknown, read: FieldReader) => SharedValues[Kind];
};

const CHECKS: Checks = {
	reviews(pid, value, read) {
		const restored: ProductReviews = restoreRecord(fieldsOf(value) as unknown as CondensedRecord);
		return checkRecord(pid, restored, read);
	},
	'review-data': checkReviewData,
	rating(_pid, value, read) {
		const { aggregate, questionCount } = fieldsOf(value);
		return { aggregate: checkAggregate(aggregate, read), questionCount: read.count(questionCount) };
	},
};
