export { type CondensedRecord, restoreRecord } from '../parse/condense-record.js';
export { createDropCounter, type DroppedParts } from '../parse/dropped-parts.js';
export type { AggregateRating, ProductReviews } from '../parse/record.js';
export type { ReviewData } from '../parse/review-data.js';
