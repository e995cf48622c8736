import { z } from 'astro/zod';
import type { MergeOptions } from '../cache/merge-cache.js';
import { SENT_KINDS } from '../cache/review-cache.js';
import type { KeyedRow, Row } from '../cache/rows.js';
import { isConfirmedBy, NO_VALUE, type Packed, unpack } from '../cache/values.js';
import { packReviewData, packReviews } from '../service/packed.js';
import { checkValue, type SharedValues } from '../shared-storage/stored-answer.js';

const text = z.string();
const count = z.int().min(0);

const rowSchema = z.object({
	state: z.enum(['fetched', 'stale']),
	used_at: count,
	fetched_at: count,
	// Sent to the service to ask whether a value is still current.
	validators: text.max(4_000).nullable(),
});

const ratingSchema = z.strictObject({ average: z.number(), count, questionCount: count.optional() });

const pageSchema = z.strictObject({
	address: text,
	generation: text.optional(),
	changedAt: z.number().optional(),
	dependencies: z.array(
		z.strictObject({
			pid: text,
			from: z.enum(SENT_KINDS),
			version: text.optional(),
			digest: text.optional(),
			request: z
				.strictObject({
					component: text,
					props: z.record(text, z.unknown()),
					language: text.optional(),
					address: text.optional(),
				})
				.optional(),
		}),
	),
	facts: z.array(
		z
			.object({ pid: text, component: text })
			.catchall(z.union([text, z.number(), z.boolean(), z.array(text)])),
	),
});

type BroughtRow = KeyedRow & Row;

/**
 * Checks what is taken from a cache that was brought from elsewhere, such as a snapshot or a shard: somebody else may
 * have written it, and its checksums too. A row counts only if it is exactly what this version writes for such an
 * answer of the service.
 */
export function fromElsewhere(account: string): Required<Pick<MergeOptions, 'account' | 'accepts'>> {
	return {
		account,
		accepts(row) {
			try {
				return rowSchema.safeParse(row).success && CHECKS[row.kind]?.(row) === true;
			} catch {
				return false;
			}
		},
	};
}

const CHECKS: Readonly<Record<string, (row: BroughtRow) => boolean>> = {
	reviews: (row) => isWrittenSo(row, 'reviews', packReviews),
	'review-data': (row) => isWrittenSo(row, 'review-data', packReviewData),
	// The rating is in what is known of the row.
	rating: ({ digest, summary }) =>
		digest === NO_VALUE.digest && ratingSchema.safeParse(JSON.parse(summary ?? '{}')).success,
	mark({ digest, summary, fetched_at }) {
		const mark = { summary: summary ?? undefined, fetchedAt: fetched_at };
		return digest === NO_VALUE.digest && (summary === null || isConfirmedBy(mark, { fetchedAt: -1 }));
	},
	page: (row) => row.summary === null && pageSchema.safeParse(unpack(row)).success,
};

/** Whether a row has exactly what this version writes for its value, and knows exactly this of it. */
function isWrittenSo<Kind extends 'reviews' | 'review-data'>(
	row: BroughtRow,
	kind: Kind,
	packValue: (value: SharedValues[Kind]) => Packed,
): boolean {
	const checked = checkValue(kind, row.pid, unpack(row));
	if (checked === undefined) return false;
	const { digest, summary = null } = packValue(checked);
	return row.digest === digest && row.summary === summary;
}
