import type { ProductId } from '../text/product-id.js';
import { readShard, type Shard } from './read-shard.js';
import { shardOf } from './shard-of.js';

/**
 * Whether this build makes the page of a product, if the site is built in shards. Give `products` and `getStaticPaths` the
 * same condition. Without the variable `SHARD`, every product is built.
 * @param pid a product id, or any other text, such as the slug of a page that has no product.
 * @param shard which shard asks. By default, the one that the variable `SHARD` names.
 * @throws ProductReviewsConfigurationError if `SHARD` is set to something that is not a shard.
 * @example
 * export const getStaticPaths = () =>
 *   products.filter(({ id }) => inShard(id)).map((product) => ({ params: { id: product.id }, props: { product } }));
 */
export function inShard(pid: ProductId, shard: Shard = readShard()): boolean {
	return shard.count === 1 || shardOf(pid, shard.count) === shard.index;
}
