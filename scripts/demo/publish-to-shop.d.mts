import type { NewNote } from 'product-reviews-sandbox';
import type { Rebuild } from 'product-reviews-webhook';

/** Brings reviews into the files of the shop, and builds the shop if that is not enough. */
export function publishToShop(options: {
	readonly cacheDir: string;
	readonly shop: string;
	readonly build: Rebuild;
	readonly onNote: (note: NewNote) => void;
}): Rebuild;
