import { ReviewsPausedError } from 'product-reviews-client';
import { expect, test } from 'vitest';
import { kindOf } from '../../../src/failures/failure-kind.js';

test.each([
	['retry-after', 'rate-limited'],
	['failures', 'other'],
] as const)('a pause for the reason %s is of the kind %s', (reason, kind) => {
	expect(kindOf(new ReviewsPausedError('not asked', { until: 0, reason }))).toBe(kind);
});
