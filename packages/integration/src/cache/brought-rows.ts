import { isDeepStrictEqual } from 'node:util';
import { fieldsOf } from '../parse/field-reader.js';
import { condenseRecord } from '../parse/record.js';
import { checkValue } from '../shared-storage/stored-answer.js';
import type { MergeOptions } from '../store/merge-store.js';
import { SENT_KINDS } from '../store/review-store.js';
import { type KeyedRow, type Row, unpackRow } from '../store/rows.js';
import { isConfirmedBy, NO_VALUE } from '../store/values.js';
import type { KnownRating } from './known-rating.js';

/**
 * What is taken from a store that was brought from elsewhere, such as a snapshot or a shard: somebody else may have written
 * it, and its checksums too. A row counts only if it is exactly what this version writes for such an answer of the service.
 * @param account the account of this site.
 */
export function fromElsewhere(account: string): Required<Pick<MergeOptions, 'account' | 'accepts'>> {
	return {
		account,
		accepts(row) {
			if (!['fetched', 'stale'].includes(row.state) || !isCount(row.used_at) || !isCount(row.fetched_at))
				return false;
			if (!isShortText(row.validators)) return false;
			try {
				return (CHECKS[row.kind] ?? never)(row);
			} catch {
				return false;
			}
		},
	};
}

type Check = (row: KeyedRow & Row) => boolean;

const never: Check = () => false;

const CHECKS: Readonly<Record<string, Check | undefined>> = {
	reviews(row) {
		const checked = checkValue('reviews', row.pid, unpackRow(row));
		return checked !== undefined && isSame(row, condenseRecord(checked), checked.aggregate);
	},
	'review-data'(row) {
		const checked = checkValue('review-data', row.pid, unpackRow(row));
		if (checked === undefined) return false;
		const { aggregate, questionCount } = checked;
		return isSame(row, checked, { ...aggregate, questionCount });
	},
	// The rating is in what is known of the row.
	rating({ digest, summary }) {
		const { average, count, questionCount, ...others } = JSON.parse(summary ?? '{}') as KnownRating;
		const isRating = Number.isFinite(average) && isCount(count) && Object.keys(others).length === 0;
		return digest === NO_VALUE.digest && isRating && (questionCount === undefined || isCount(questionCount));
	},
	mark({ digest, summary, fetched_at }) {
		const isConfirmed = isConfirmedBy(
			{ summary: summary ?? undefined, fetchedAt: fetched_at },
			{ fetchedAt: -1 },
		);
		return digest === NO_VALUE.digest && (summary === null || isConfirmed);
	},
	page(row) {
		const { address, dependencies, file, next, findings = [] } = fieldsOf(unpackRow(row));
		const isPlaced = file === undefined || file === null || isPlacedFile(file);
		const isKnown = typeof address === 'string' && next === undefined && row.summary === null;
		return isKnown && isPlaced && isListOf(findings, isFinding) && isListOf(dependencies, isDependency);
	},
};

function isListOf(value: unknown, is: (item: Fields) => boolean): boolean {
	return Array.isArray(value) && value.every((item) => is(fieldsOf(item)));
}

type Fields = Readonly<Record<string, unknown>>;

function isDependency({ pid, from, version = '', digest = '', request }: Fields): boolean {
	const { component, props, language = '', address = '' } = fieldsOf(request);
	const isRequest = typeof component === 'string' && isObject(props) && isText(language) && isText(address);
	const isOfKind = SENT_KINDS.some((kind) => kind === from);
	return isText(pid) && isOfKind && isText(version) && isText(digest) && (request === undefined || isRequest);
}

function isPlacedFile(value: unknown): boolean {
	const { size, checksum, places } = fieldsOf(value);
	const isPlace = ({ dependency, offset, length, part = '' }: Fields) =>
		isCount(dependency) && isCount(offset) && isCount(length) && isText(part);
	return isCount(size) && isCount(checksum) && isListOf(places, isPlace);
}

function isFinding({ rule, pids }: Fields): boolean {
	return isText(rule) && Array.isArray(pids) && pids.every(isText);
}

function isObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
	return typeof value === 'string';
}

function isCount(value: unknown): boolean {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whether a row has exactly this value, and this is known of it. */
function isSame(row: KeyedRow & Row, value: unknown, summary: unknown): boolean {
	const known = row.summary === null ? undefined : JSON.parse(row.summary);
	return isDeepStrictEqual(unpackRow(row), written(value)) && isDeepStrictEqual(known, written(summary));
}

function written(value: unknown): unknown {
	return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Of what is sent to the service to ask whether a value is still current. */
const MOST_LETTERS = 4_000;

function isShortText(text: string | null): boolean {
	return text === null || (typeof text === 'string' && text.length <= MOST_LETTERS);
}
