import { type CondensedRecord, condenseRecord, restoreRecord } from '../parse/condense-record.js';
import type { ReviewData } from '../parse/review-data.js';
import { readKnown, writeKnown } from '../service/known-answer.js';
import type { SharedEntry, SharedKind, SharedValues } from '../shared-storage/shared-values.js';
import { type Packed, pack } from '../store/pack.js';
import type { StoredEntry } from '../store/review-store.js';
import { type KnownRating, NO_RATING, packRating, ratingOf } from './known-rating.js';

/** How values of one kind are kept in the store and in the shared storage. */
export interface SharedForm<Kind extends SharedKind> {
	toPacked(value: SharedValues[Kind]): Packed;
	/** @param value from the store. */
	toShared(value: unknown, entry: Pick<StoredEntry, 'summary'>): SharedValues[Kind];
}

/** The form of each kind. Packed values are exactly those of an answer of the service. */
export const SHARED_FORMS: { readonly [Kind in SharedKind]: SharedForm<Kind> } = {
	reviews: {
		toPacked: (record) => pack(condenseRecord(record), record.aggregate),
		toShared: (value) => restoreRecord(value as CondensedRecord),
	},
	'review-data': {
		toPacked: (data) => pack(data, { ...data.aggregate, questionCount: data.questionCount }),
		toShared: (value) => value as ReviewData,
	},
	rating: {
		toPacked: ({ aggregate, questionCount }) => packRating({ ...NO_RATING, ...aggregate, questionCount }),
		toShared(_value, { summary }) {
			const { questionCount } = JSON.parse(summary ?? '{}') as Partial<KnownRating>;
			return { aggregate: ratingOf(summary), questionCount };
		},
	},
};

/** The validators of a shared answer, as the store keeps them. */
export function validatorsOf({ known }: Pick<SharedEntry<unknown>, 'known'>): string | undefined {
	return writeKnown(known);
}

/** The validators of a stored value, as they are shared. */
export function knownOf({ validators }: Pick<StoredEntry, 'validators'>) {
	return readKnown(validators);
}
