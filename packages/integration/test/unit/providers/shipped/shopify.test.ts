import { errorOf } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { kindOf } from '../../../../src/base/failures.js';
import shopify from '../../../../src/providers/shipped/shopify.js';
import { callProvider, startStandIn } from '../../../support/unit/stand-in.js';

const TOKEN = { SHOPIFY_STOREFRONT_TOKEN: 'canary-token' };
const GID = 'gid://shopify/Product/';
const scale = (value: unknown, min = '1.0', max = '5.0') =>
	JSON.stringify({ scale_min: min, scale_max: max, value });

/** What the API has of products, by number. */
const METAFIELDS: Readonly<Record<string, readonly [rating: string | null, count: string | null]>> = {
	1: [scale('4.67'), '3'],
	2: [null, '0'],
	3: [scale('8.2', '0.0', '10.0'), '12'],
	4: [scale('4.5', '0.0'), '2'],
	5: [scale('4.5'), null],
};

async function start(answer?: object) {
	const service = await startStandIn(({ headers, body }) => {
		if (headers['shopify-storefront-private-token'] !== 'canary-token') return { status: 403, json: {} };
		const { ids } = (body as { variables: { ids: string[] } }).variables;
		const nodes = ids.map((id) => {
			const [rating, count] = METAFIELDS[id.replace(GID, '')] ?? [];
			const value = (text: string | null | undefined) => (text ? { value: text } : null);
			return rating === undefined ? null : { id, rating: value(rating), count: value(count) };
		});
		return { json: answer ?? { data: { nodes } } };
	});
	return { ...service, ...callProvider(shopify({ domain: 'shop.myshopify.com' }, service.url), TOKEN) };
}

test('stars of 100 products are one request, on whatever scale; products without them are left out', async () => {
	const { ratings, requests } = await start();
	expect(await ratings('1', '2', `${GID}3`, '4', '5', 'unknown')).toEqual({
		1: { average: 4.67, count: 3 },
		[`${GID}3`]: { average: expect.closeTo(4.28), count: 12 },
		4: { average: 4.5, count: 2 },
	});
	expect(requests.map(({ path }) => path)).toEqual(['/api/2026-10/graphql.json']);
});

test('a product has its stars without texts', async () => {
	const { reviews } = await start();
	expect(await reviews('1')).toMatchObject({ aggregate: { average: 4.67, count: 3 }, reviews: [] });
	expect((await reviews('2'))?.aggregate).toBeUndefined();
});

test.each([
	['THROTTLED', 'rate-limited'],
	['ACCESS_DENIED', 'refused'],
])('%s in an answer with status 200 is %s', async (code, kind) => {
	const { reviews } = await start({ errors: [{ message: 'No', extensions: { code } }] });
	const error = await errorOf(reviews('1'));
	expect(kindOf(error)).toBe(kind);
	expect(error.message).toContain(`Shopify responded with ${code}: No`);
});
