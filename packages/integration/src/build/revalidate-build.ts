import {
	type RevalidatedList,
	type RevalidationContext,
	startRevalidation,
} from '../cache/start-revalidation.js';
import type { Connection } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { ChangedProducts } from './read-changed-products.js';

/** What the revalidation of a build starts from. */
export interface BuildRevalidation extends Omit<RevalidationContext, 'mode' | 'maxAge'> {
	readonly options: Pick<ProductReviewsOptions, 'revalidate' | 'maxAge'>;
	readonly connection: Pick<Connection, 'token'>;
	/** What is known to have changed, from whatever started the build. */
	readonly changed: ChangedProducts;
}

/** Revalidates according to the options, and marks everything that is known to have changed. */
export function revalidateBuild(build: BuildRevalidation): RevalidatedList {
	const { options, connection, changed, ...context } = build;
	const revalidation = startRevalidation({
		...context,
		mode: changed.all ? 'always' : (options.revalidate ?? (connection.token ? 'ratings' : 'age')),
		maxAge: options.maxAge,
	});
	revalidation.mark(changed.pids);
	return revalidation;
}
