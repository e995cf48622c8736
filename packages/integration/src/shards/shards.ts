import { ProductReviewsConfigurationError } from '../errors.js';
import type { ProductId } from '../text/product-id.js';

/** A part of a site that is built by itself. */
export interface Shard {
	/** From 1 to `count`. */
	readonly index: number;
	/** Number of shards of the site. */
	readonly count: number;
}

/** Which shard of how many a build is, such as `3/16`. Read from the environment of the process. Unset: the whole site. */
const SHARD = 'REVIEWS_SHARD';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Which shard this build is, from the variable `REVIEWS_SHARD`, such as `3/16`.
 * @param environment the environment of the process, where there is one.
 * @returns `{ index: 1, count: 1 }`, the whole site, if the variable is not set or empty.
 * @throws ProductReviewsConfigurationError if the variable is anything else.
 * @example
 * const { index, count } = readShard();
 * const products = await catalog.query('... WHERE shard % $1 = $2', [count, index - 1]);
 */
export function readShard(environment: Environment = globalThis.process?.env ?? {}): Shard {
	const shard = findShard(environment);
	if (shard) return shard;
	const given = environment[SHARD]?.trim();
	if (!given) return { index: 1, count: 1 };
	throw new ProductReviewsConfigurationError(
		'PR_INVALID_SHARD',
		`The variable ${SHARD} is ${JSON.stringify(given.slice(0, 60))}, which is not a shard.`,
		`Set it to the number of the shard, from 1, and how many there are, such as ${SHARD}=3/16. Leave it out to build the whole site.`,
	);
}

/** The shard that the environment names; `undefined` if it names none: the variable may be another tool's. */
export function findShard(environment: Environment): Shard | undefined {
	const [, index = '', count = ''] = /^(\d{1,9})\/(\d{1,9})$/.exec(environment[SHARD]?.trim() ?? '') ?? [];
	const shard = { index: Number(index), count: Number(count) };
	return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

/**
 * The shard that builds a product: a hash of its id, modulo `n`, plus 1. The hash is FNV-1a with 32 bits of the id in UTF-8,
 * mixed by the last step of MurmurHash3. It never changes, on any machine and in any version. Products spread evenly.
 * @param pid a product ID, or any other text, such as the slug of a page that has no product.
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

/**
 * Whether this build makes the page of a product, if the site is built in shards. Give `products` and `getStaticPaths` the
 * same condition. Without the variable `REVIEWS_SHARD`, every product is built.
 * @param pid a product ID, or any other text, such as the slug of a page that has no product.
 * @param shard which shard asks. By default, the one that the variable `REVIEWS_SHARD` names.
 * @throws ProductReviewsConfigurationError if `REVIEWS_SHARD` is set to something that is not a shard.
 * @example
 * export const getStaticPaths = () =>
 *   products.filter(({ id }) => inShard(id)).map((product) => ({ params: { id: product.id }, props: { product } }));
 */
export function inShard(pid: ProductId, shard: Shard = readShard()): boolean {
	return shard.count === 1 || shardOf(pid, shard.count) === shard.index;
}
