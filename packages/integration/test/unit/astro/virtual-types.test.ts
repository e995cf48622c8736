/// <reference path="../../../virtual.d.ts" />
import type { ProductId, StarRatingProps } from 'astro-product-reviews/runtime';
import { expectTypeOf, test } from 'vitest';
import type { ProductReviewsUserOptions } from '../../../src/index.js';

type Virtual = typeof import('virtual:product-reviews');
type Products = NonNullable<ProductReviewsUserOptions['products']>;

// Checked by the compiler, with the types of the tests.
test('strings and numbers are product IDs in every type that people meet', () => {
	expectTypeOf<ProductId>().toEqualTypeOf<string | number | bigint>();
	for (const name of ['getProductReviews', 'getStarRating', 'getReviewData'] as const) {
		expectTypeOf<Parameters<Virtual[typeof name]>[0]>().toEqualTypeOf<ProductId>();
	}
	expectTypeOf<Parameters<Virtual['reviewsCacheKey']>[0]>().toEqualTypeOf<readonly ProductId[]>();
	expectTypeOf<Parameters<Virtual['reviewsCacheKey']>[2]>().toEqualTypeOf<
		Parameters<Virtual['getReviewData']>[1]
	>();
	expectTypeOf<Parameters<Virtual['forgetReviews']>[0]>().toEqualTypeOf<readonly ProductId[] | undefined>();
	expectTypeOf<StarRatingProps['pid']>().toEqualTypeOf<ProductId>();
	expectTypeOf<readonly number[]>().toExtend<Products>();
	expectTypeOf<() => Promise<(string | number)[]>>().toExtend<Products>();
	expectTypeOf<AsyncIterable<bigint>>().toExtend<Products>();
});
