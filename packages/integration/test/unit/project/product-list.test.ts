import { expect, test } from 'vitest';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProductSource } from '../../../src/options/schema.js';
import { openProductList } from '../../../src/project/product-list.js';
import { messageOf } from '../../support/unit/error.js';

async function read(source: ProductSource) {
	const lengths: number[] = [];
	const pids: string[] = [];
	const list = openProductList(source, (length) => lengths.push(length));
	for await (const pid of list.products) pids.push(pid);
	expect(list.pids).toEqual(pids);
	expect([...list.seen]).toEqual(pids.map((pid, index) => [pid, index]));
	return { pids, lengths, duplicates: [...list.duplicates] };
}

const PIDS = ['p-1', 'p-2', 'p-3'];

function* generate() {
	yield* PIDS;
}
async function* generateSlowly() {
	yield* PIDS;
}

test.each<[string, ProductSource, number[]]>([
	['an array', PIDS, [3]],
	['a Set', new Set(PIDS), [3]],
	['the keys of a Map', new Map(PIDS.map((pid) => [pid, 1])).keys(), []],
	['a generator', generate(), []],
	['an async generator', generateSlowly(), []],
	['a function that gives an array', () => PIDS, [3]],
	['a function that gives a generator', generate, []],
	['a function that gives an async generator', generateSlowly, []],
	['an async function', async () => PIDS, [3]],
	['an async function that gives an async generator', async () => generateSlowly(), []],
])('a list may be %s', async (_what, source, lengths) => {
	expect(await read(source)).toEqual({ pids: PIDS, lengths, duplicates: [] });
});

test('each product comes once, by the id that it has; a number is read as its decimal string', async () => {
	const odd = ['a/b', ' a ', '%00', '"', '😀', 'x'.repeat(500), '__proto__', 'A'];
	expect(await read([...odd, 'a', 'A', '"'])).toMatchObject({ pids: [...odd, 'a'], duplicates: ['A', '"'] });
	const numbers = [7, 0, -1, 8_123_456_789_012, 2n ** 64n, '7', 7n];
	const pids = ['7', '0', '-1', '8123456789012', '18446744073709551616'];
	for (const source of [numbers, () => numbers, async () => numbers])
		expect(await read(source)).toMatchObject({ pids, duplicates: ['7'] });
	expect(parseOptions({ products: numbers }).products).toBe(numbers);
});

const HINT = 'The list is the option "products" of productReviews() in the Astro configuration.';
const LEAVE = 'leave it out.';
const WHOLE = 'use a whole number.';
const AS_STRING = 'JavaScript cannot represent a number of this size exactly. Read the id as a string.';
const MAP = 'give the id of each product, such as products.map(({ id }) => id).';

test.each<[unknown[], string, string]>([
	...[1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e21, -1e300].map(
		(number): [unknown[], string, string] => [
			['p-1', number],
			`${number} at position 2`,
			Number.isInteger(number) ? AS_STRING : WHOLE,
		],
	),
	[[''], 'an empty string at position 1', LEAVE],
	[['a', '  '], 'an empty string at position 2', LEAVE],
	[[undefined], 'undefined at position 1', LEAVE],
	[[null], 'null at position 1', LEAVE],
	[[{ id: 'p-1' }], 'a value of type object at position 1', MAP],
	[[['p-1', {}]], 'an array at position 1', MAP],
	[[Symbol('p')], 'a value of type symbol at position 1', LEAVE],
])('a list is refused when it is given or read: %o', async (ids, what, advice) => {
	const expected = `ProductReviewsConfigurationError: The product list contains ${what}, which is not a product ID.\n${HINT} A product ID is a non-empty string or a whole number, as the review service knows it: ${advice}`;
	expect(await messageOf(() => parseOptions({ products: ids }))).toBe(expected);
	expect(await messageOf(() => read(() => ids as string[]))).toBe(expected);
});

test('an empty list is refused, when it is given or read', async () => {
	const empty = `ProductReviewsConfigurationError: The product list is empty.\n${HINT} Check that the catalog behind it responded. Leave the option out to fetch only what pages show.`;
	expect(await messageOf(() => parseOptions({ products: [] }))).toBe(empty);
	for (const source of [async () => [], new Set<string>()])
		expect(await messageOf(() => read(source))).toBe(empty);
});

test.each<[string, () => ProductSource]>([
	['a generator', () => generate()],
	['an async generator', () => generateSlowly()],
	['the keys of a Map', () => new Map(PIDS.map((pid) => [pid, 1])).keys()],
	['a function that gives the same generator', () => always(generate())],
])('%s is read once: the second time says so', async (_what, sourceOf) => {
	const source = sourceOf();
	// Whoever reads may stop at the first product.
	const first = openProductList(source);
	await first.products.next();
	first.stop();
	expect(await messageOf(() => read(source))).toBe(
		`ProductReviewsConfigurationError: The product list can be read only once, and something has read it before.\n${HINT} Give a function that makes it anew: "products: () => ..." or the generator function itself.`,
	);
});

const always = (list: Iterable<string>) => () => list;

test.each(['a Set', 'a generator function'])('%s is read as often as somebody asks', async (what) => {
	const source = what === 'a Set' ? new Set(PIDS) : generate;
	for (let count = 0; count < 2; count++) expect((await read(source)).pids).toEqual(PIDS);
});

test.each<[unknown, string]>([
	[undefined, 'nothing'],
	[null, 'nothing'],
	['p-1', 'a value of type string'],
	[5, 'a value of type number'],
	[{ data: [] }, 'a value of type object'],
	[() => [], 'a value of type function'],
])('a function that gives no list is refused: %o', async (given, said) => {
	expect(await messageOf(() => read((() => given) as never))).toBe(
		`ProductReviewsConfigurationError: The function of the product list returned ${said}.\n${HINT} It must return an array, an iterable or an async iterable of product IDs, or a promise of one.`,
	);
});

const fails = (error: unknown = new Error('the catalog answered 500')) => {
	throw error;
};
function* midway() {
	yield 'p-1';
	fails();
}
async function* slowlyMidway() {
	yield 'p-1';
	fails();
}
const because = (cause: unknown) => () => fails(new TypeError('fetch failed', { cause }));
const refused = new Error('connect ECONNREFUSED 127.0.0.1:9');
const said = `fetch failed: ${refused.message}`;
const circle = new Error('in a circle');
circle.cause = circle;
const secret =
	'https://user:canary@shop.example:8443/products?token=canary#canary is gone, see <http://b.example/?key=canary>.';
const CLEAN = 'https://shop.example:8443/products is gone, see <http://b.example/>.';

test.each<[string, () => unknown, string]>([
	['a function', () => fails(), 'the catalog answered 500'],
	['an async function', async () => fails(), 'the catalog answered 500'],
	['a generator, midway', midway, 'the catalog answered 500'],
	['an async generator, midway', slowlyMidway, 'the catalog answered 500'],
	['what is no error', () => fails('text'), 'text'],
	['the network', because(refused), said],
	['a cause of a cause', because(new Error('socket', { cause: refused })), said],
	['a name of several addresses', because(new AggregateError([refused, refused])), said],
	['a cause in a circle', because(circle), 'fetch failed: in a circle'],
	['a cause that is text', because('no answer'), 'fetch failed: no answer'],
	['an address with secrets', because(secret), `fetch failed: ${CLEAN}`],
])('a list that throws says so, with the deepest cause and no secret: %s', async (_what, source, reason) => {
	expect(await messageOf(() => read(source as never))).toBe(
		`ProductReviewsConfigurationError: The product list could not be read: ${reason}\n${HINT} The error came from there.`,
	);
});

test('a list that hangs when the deadline is reached ends there, and cleans up when it can', async () => {
	const { promise: page, resolve } = Promise.withResolvers<void>();
	const cleaned = Promise.withResolvers<string>();
	async function* list() {
		try {
			yield 'a';
			await page;
			yield 'b';
		} finally {
			cleaned.resolve('cleaned up');
		}
	}
	const { products, stop } = openProductList(list);
	const pids: string[] = [];
	for await (const pid of products) {
		pids.push(pid);
		// The next one is asked for by then.
		setImmediate(stop);
	}
	expect(pids).toEqual(['a']);
	resolve();
	expect(await cleaned.promise).toBe('cleaned up');
});
