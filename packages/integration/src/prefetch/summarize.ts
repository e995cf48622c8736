import { describeDropped } from './describe-dropped.js';
import { nameProducts } from './name-products.js';
import type { Failure, Tally } from './tally.js';

/** What a build says about its reviews when it ends. */
export interface Summary {
	readonly info: readonly string[];
	readonly warnings: readonly string[];
}

/**
 * @param milliseconds from the start of the build to the last product.
 * @param unlisted products that pages asked for and the product list lacks.
 * @param duplicates products that the list holds more than once.
 * @param missingIsError whether an error names the products without reviews, so that no warning has to.
 */
export function summarize(
	tally: Tally,
	milliseconds: number,
	unlisted: readonly string[],
	duplicates: readonly string[],
	missingIsError = false,
): Summary {
	const { fetched, requests, retries, bytes, failures } = tally;
	const stale = failures.filter((failure) => failure.stale);
	const missing = failures.filter((failure) => !failure.stale);
	const failed = new Set(failures.map(({ pid }) => pid)).size;
	const products = Math.max(tally.done + unlisted.length, fetched, failed);
	const stored = Math.max(0, products - fetched - failed);
	const info = [
		`${count(products, 'product')} in ${(milliseconds / 1_000).toFixed(1)} s: ${amount(fetched)} fetched, ${amount(stored)} stored`,
		`${count(requests, 'request')} (${amount(retries)} tried again), ${(bytes / 1e6).toFixed(1)} MB`,
	];
	const warnings: string[] = [];
	if (stale.length > 0) {
		const pids = pidsOf(stale);
		warnings.push(
			`The service failed for ${count(pids.length, 'product')}; stored reviews are shown: ${nameProducts(pids)}. First reason: ${stale[0]?.reason}`,
		);
	}
	if (missing.length > 0 && !missingIsError) {
		const pids = pidsOf(missing);
		warnings.push(
			`The service failed for ${count(pids.length, 'product')}, and nothing is stored: ${nameProducts(pids)}. First reason: ${missing[0]?.reason}`,
		);
	}
	if (tally.dropped.length > 0) warnings.push(describeDropped(tally.dropped));
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
	return { info, warnings };
}

/** A product whose reviews and review data both failed is one product. */
function pidsOf(failures: readonly Failure[]): string[] {
	return [...new Set(failures.map(({ pid }) => pid))];
}

function amount(value: number): string {
	return value.toLocaleString('en');
}

function count(value: number, noun: string): string {
	return `${amount(value)} ${noun}${value === 1 ? '' : 's'}`;
}
