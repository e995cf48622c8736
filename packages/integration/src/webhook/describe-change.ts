import type { Change } from 'product-reviews-webhook';
import { nameProducts } from '../text/name-products.js';

/** A line for the log. */
export function describeChange({ pids, all }: Pick<Change, 'pids' | 'all'>): string {
	return all ? 'Any reviews may have changed.' : `Reviews changed: ${nameProducts(pids, MOST_NAMED)}.`;
}

const MOST_NAMED = 10;
