import { type RevalidatedList, type RevalidationContext, startRevalidation } from './start-revalidation.js';

/** Revalidates by age alone, for those who have no list of products to check. */
export function revalidateByAge(
	context: Pick<RevalidationContext, 'maxAge' | 'service' | 'store' | 'now'>,
): RevalidatedList {
	return startRevalidation({ ...context, mode: 'age', products: undefined, warn: () => {} });
}
