import { ProductReviewsConfigurationError } from '../errors.js';
import type { ProductId } from '../text/product-id.js';

/**
 * The shard that builds a product: a hash of its id, modulo `n`, plus 1. The hash is FNV-1a with 32 bits of the id in UTF-8,
 * mixed by the last step of MurmurHash3. It never changes, on any machine and in any version. Products spread evenly.
 * @param pid a product id, or any other text, such as the slug of a page that has no product.
 * @param n number of shards: a whole number from 1.
 * @returns a whole number from 1 to `n`.
 * @throws ProductReviewsConfigurationError if `n` is not a number of shards.
 * @example shardOf('p-1', 16) // 15
 */
export function shardOf(pid: ProductId, n: number): number {
	if (!Number.isSafeInteger(n) || n < 1) {
		throw new ProductReviewsConfigurationError(
			'PR_INVALID_SHARD',
			`The number of shards is ${String(n)}.`,
			'Give shardOf() a whole number from 1.',
		);
	}
	return (mix(fnv1a(ENCODER.encode(String(pid)))) % n) + 1;
}

const ENCODER = new TextEncoder();

function fnv1a(bytes: Uint8Array): number {
	let hash = 0x811c9dc5;
	for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
	return hash;
}

/** The lowest bits of FNV-1a depend on those of the letters alone, and decide if `n` is a power of two. */
function mix(hash: number): number {
	let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}
