import type { Advise } from '../failures/create-advice.js';
import { describeFailures } from '../failures/describe-failures.js';
import { codeOf } from '../failures/failure-kind.js';
import { judgeFailures } from '../failures/judge-failures.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { droppedIn, type ProductOutcomes } from '../outcomes/product-outcomes.js';
import { count, nameProducts } from '../text/words.js';
import { describeDropped } from './describe-dropped.js';

/** What warnings are about, besides the outcomes of products. */
export interface WarningsContext {
	/** Products that pages asked for, but that are not in the product list. @default none */
	readonly unlisted?: readonly string[];
	/** Products that are in the list more than once. @default none */
	readonly duplicates?: ReadonlySet<string> | undefined;
	/** Failures that fail the build are in its error, and get no warning. @default 'omit' */
	readonly onError?: ProductReviewsOptions['onError'];
	/** Says what to check if the service refuses products. @default nothing */
	readonly advise?: Advise;
	/** Whether failed products are tried again later, and get no warning yet. @default false */
	readonly isTriedAgain?: boolean;
}

/** The warnings at the end of a build. */
export function collectWarnings(
	outcomes: ProductOutcomes,
	{
		unlisted = [],
		duplicates = new Set(),
		onError = 'omit',
		advise = () => undefined,
		isTriedAgain = false,
	}: WarningsContext = {},
): string[] {
	const { failures: ratingFailures } = outcomes.rating;
	const dropped = droppedIn(outcomes);
	const warnings = isTriedAgain ? [] : describeFailed(outcomes, onError, advise);
	if (ratingFailures.length > 0) {
		const isStale = ratingFailures.every((failure) => failure.stale);
		const pids = [...new Set(ratingFailures.map(({ pid }) => pid))];
		const reason = [`First reason: ${ratingFailures[0]?.reason}`, advise(ratingFailures)];
		warnings.push(
			`Ratings of ${count(pids.length, 'product')} could not be fetched; ${isStale ? 'stored stars are shown' : 'stars that are not stored are left out'}: ${nameProducts(pids)}. ${reason.filter(Boolean).join(' ')} [${codeOf(ratingFailures[0]?.error)}]`,
		);
	}
	if (dropped.length > 0) warnings.push(describeDropped(dropped));
	if (unlisted.length > 0) {
		warnings.push(
			`Pages asked for ${count(unlisted.length, 'product')} missing from the product list: ${nameProducts(unlisted)}. They were fetched one by one. Add them to the option "products".`,
		);
	}
	if (duplicates.size > 0) {
		warnings.push(
			`The product list contains ${count(duplicates.size, 'product')} more than once: ${nameProducts([...duplicates])}. Each was fetched once. Remove the duplicates from the option "products".`,
		);
	}
	return warnings;
}

/** Failures that do not fail the build, by what pages show instead. */
function describeFailed(
	outcomes: ProductOutcomes,
	onError: ProductReviewsOptions['onError'],
	advise: Advise,
): string[] {
	const { stale, leftOut } = judgeFailures(outcomes, onError);
	return [
		...describeFailures(stale, 'stored reviews are shown', advise),
		...describeFailures(leftOut, 'left out', advise),
	];
}
