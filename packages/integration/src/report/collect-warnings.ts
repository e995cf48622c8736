import type { Advise } from '../prefetch/create-advice.js';
import { describeDropped } from '../prefetch/describe-dropped.js';
import { nameProducts } from '../prefetch/name-products.js';
import type { Failure, Tally } from '../prefetch/tally.js';
import { count } from './words.js';

/**
 * What a build warns of when it ends.
 * @param unlisted products that pages asked for and the product list lacks.
 * @param duplicates products that the list holds more than once.
 * @param advise says what to check where the service refuses products.
 * @param missingIsError whether an error names the products without reviews, so that no warning has to.
 */
export function collectWarnings(
	{ failures, starFailures, dropped }: Pick<Tally, 'failures' | 'starFailures' | 'dropped'>,
	unlisted: readonly string[],
	duplicates: readonly string[],
	missingIsError = false,
	advise: Advise = () => undefined,
): string[] {
	const stale = failures.filter((failure) => failure.stale);
	const missing = failures.filter((failure) => !failure.stale);
	const reasonOf = (of: readonly Failure[]) =>
		[`First reason: ${of[0]?.reason}`, advise(of)].filter(Boolean).join(' ');
	const warnings: string[] = [];
	if (stale.length > 0) {
		const pids = pidsOf(stale);
		warnings.push(
			`The service failed for ${count(pids.length, 'product')}; stored reviews are shown: ${nameProducts(pids)}. ${reasonOf(stale)}`,
		);
	}
	if (missing.length > 0 && !missingIsError) {
		const pids = pidsOf(missing);
		warnings.push(
			`The service failed for ${count(pids.length, 'product')}, and nothing is stored: ${nameProducts(pids)}. ${reasonOf(missing)}`,
		);
	}
	if (starFailures.length > 0) {
		const isStale = starFailures.every((failure) => failure.stale);
		const pids = pidsOf(starFailures);
		warnings.push(
			`The service does not say how ${count(pids.length, 'product')} are rated; ${isStale ? 'stored stars are shown' : 'stars that are not stored are left out'}: ${nameProducts(pids)}. ${reasonOf(starFailures)}`,
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

/** A product whose reviews and review data both failed is one product. */
function pidsOf(failures: readonly Failure[]): string[] {
	return [...new Set(failures.map(({ pid }) => pid))];
}
