import type { Advise } from '../failures/create-advice.js';
import { describeFailure } from '../failures/describe-failure.js';
import { describeVanished } from '../failures/describe-failures.js';
import { codeOf, kindOf } from '../failures/failure-kind.js';
import { nameProduct } from '../text/words.js';
import type { LiveMemoryContext } from './live-memory.js';

/** Shortest interval between warnings about failures, in milliseconds. */
const FAILURE_INTERVAL = 60_000;
/** Shortest interval between warnings about products that lost their reviews, in milliseconds: an hour. */
const VANISHED_INTERVAL = 3_600_000;

/** Warns of failures, now and then: a service that is down would fill the log. */
export function createWarnings(
	advise: Advise,
	monotonicNow: () => number,
	warn: (message: string) => void,
): Pick<LiveMemoryContext<unknown, unknown>, 'onFailure' | 'onVanished'> {
	const everySoOften = (interval: number) => {
		let warnedAt = Number.NEGATIVE_INFINITY;
		return (describe: () => string): void => {
			if (monotonicNow() - warnedAt < interval) return;
			warnedAt = monotonicNow();
			warn(`[astro-product-reviews] ${describe()}`);
		};
	};
	const warnOfFailure = everySoOften(FAILURE_INTERVAL);
	const warnOfVanished = everySoOften(VANISHED_INTERVAL);
	return {
		onFailure(pid, error) {
			// Said for all of them together.
			if (kindOf(error) === 'vanished') return;
			warnOfFailure(() => {
				const why = [describeFailure(error), advise([{ pid, error }])].filter(Boolean).join(' ');
				return `The service failed for the product ${nameProduct(pid)}; what was shown last or nothing is shown. ${why} [${codeOf(error)}]`;
			});
		},
		onVanished: (lost, products) => warnOfVanished(() => describeVanished(lost, products)),
	};
}
