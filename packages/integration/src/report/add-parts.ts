import type { DroppedParts, DropReason } from '../parse/dropped-parts.js';

/** The sum of two counts of dropped parts, by reason. */
export function addParts(parts: DroppedParts = {}, more: DroppedParts): DroppedParts {
	const sum: Partial<Record<DropReason, number>> = { ...parts };
	for (const [reason, times] of Object.entries(more) as [DropReason, number][]) {
		sum[reason] = (sum[reason] ?? 0) + times;
	}
	return sum;
}

/** All parts of products that were dropped, by reason. */
export function sumOfParts(dropped: Iterable<{ readonly parts: DroppedParts }>): DroppedParts {
	let sum: DroppedParts = {};
	for (const { parts } of dropped) sum = addParts(sum, parts);
	return sum;
}
