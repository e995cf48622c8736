import type { FailureKind } from '../errors.js';
import { kindOf } from '../failures/failure-kind.js';

/** Kinds that say that the service is down, and not that one product is wrong. */
const OUTAGES: ReadonlySet<FailureKind> = new Set([
	'network',
	'timeout',
	'server-error',
	'rate-limited',
	'foreign-answer',
]);

/** Whether an error says that the service is down, and not that one product is wrong. */
export function isOutage(error: unknown): boolean {
	return OUTAGES.has(kindOf(error));
}
