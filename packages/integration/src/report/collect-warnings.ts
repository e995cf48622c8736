import type { Advise } from '../failures/create-advice.js';
import { describeFailures } from '../failures/describe-failures.js';
import { judgeFailures } from '../failures/judge-failures.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { Tally } from '../outcomes/tally.js';
import { nameProducts } from '../text/name-products.js';
import { count } from '../text/words.js';
import { describeDropped } from './describe-dropped.js';

/**
 * What a build warns of when it ends.
 * @param unlisted products that pages asked for and the product list lacks.
 * @param duplicates products that the list holds more than once.
 * @param onError failures that end the build are named by its error, so that no warning has to.
 * @param advise says what to check where the service refuses products.
 */
export function collectWarnings(
	tally: Pick<Tally, 'failures' | 'ratingFailures' | 'dropped' | 'fetched' | 'outcomes'>,
	unlisted: readonly string[],
	duplicates: readonly string[],
	onError: ProductReviewsOptions['onError'] = 'omit',
	advise: Advise = () => undefined,
): string[] {
	const { ratingFailures, dropped } = tally;
	const { stale, leftOut } = judgeFailures(tally, onError);
	const warnings = [
		...describeFailures(stale, 'stored reviews are shown', advise),
		...describeFailures(leftOut, 'left out', advise),
	];
	if (ratingFailures.length > 0) {
		const isStale = ratingFailures.every((failure) => failure.stale);
		const pids = [...new Set(ratingFailures.map(({ pid }) => pid))];
		const reason = [`First reason: ${ratingFailures[0]?.reason}`, advise(ratingFailures)];
		warnings.push(
			`The service does not say how ${count(pids.length, 'product')} are rated; ${isStale ? 'stored stars are shown' : 'stars that are not stored are left out'}: ${nameProducts(pids)}. ${reason.filter(Boolean).join(' ')}`,
		);
	}
	if (dropped.length > 0) warnings.push(describeDropped(dropped));
	if (unlisted.length > 0) {
		warnings.push(
			`Pages asked for ${count(unlisted.length, 'product')} that the product list lacks: ${nameProducts(unlisted)}. They were fetched one by one. Add them to the option "products".`,
		);
	}
	if (duplicates.length > 0) {
		warnings.push(
			`The product list holds ${count(duplicates.length, 'product')} more than once: ${nameProducts(duplicates)}. Each was asked for once. Remove the duplicates from the option "products".`,
		);
	}
	return warnings;
}
