import { describe, expect, test } from 'vitest';
import { readProductList } from '../../../src/build/read-product-list.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProductSource } from '../../../src/options/schema.js';
import { messageOf } from '../../support/unit/error.js';

/** Reads a list to its end. */
async function read(source: ProductSource) {
	const seen = new Set<string>();
	const lengths: number[] = [];
	const duplicates: string[] = [];
	const pids: string[] = [];
	const list = readProductList(source, {
		seen,
		onLength: (length) => lengths.push(length),
		onDuplicate: (pid) => duplicates.push(pid),
	});
	for await (const pid of list) pids.push(pid);
	expect([...seen]).toEqual(pids);
	return { pids, lengths, duplicates };
}

const PIDS = ['p-1', 'p-2', 'p-3'];

function* generate() {
	yield* PIDS;
}
async function* generateSlowly() {
	yield* PIDS;
}

describe('every form of a list', () => {
	test.each<[string, ProductSource, number[]]>([
		['an array', PIDS, [3]],
		['a Set', new Set(PIDS), [3]],
		['the keys of a Map', new Map(PIDS.map((pid) => [pid, 1])).keys(), []],
		['a generator', generate(), []],
		['an async generator', generateSlowly(), []],
		['a function that gives an array', () => PIDS, [3]],
		['a function that gives a Set', () => new Set(PIDS), [3]],
		['a function that gives a generator', generate, []],
		['a function that gives an async generator', generateSlowly, []],
		['an async function', async () => PIDS, [3]],
		['an async function that gives an async generator', async () => generateSlowly(), []],
	])('%s', async (_what, source, lengths) => {
		expect(await read(source)).toEqual({ pids: PIDS, lengths, duplicates: [] });
	});
});

test('each product comes once', async () => {
	const { pids, duplicates } = await read(['a', 'b', 'a', 'A', 'a']);
	expect(pids).toEqual(['a', 'b', 'A']);
	expect(duplicates).toEqual(['a', 'a']);
});

test('a number is read as its decimal string, whatever the form of the list', async () => {
	const numbers = [7, 0, -1, 8_123_456_789_012, 2n ** 64n];
	const pids = ['7', '0', '-1', '8123456789012', '18446744073709551616'];
	async function* slowly() {
		yield* numbers;
	}
	for (const source of [numbers, new Set(numbers), () => numbers, async () => numbers, slowly()]) {
		expect((await read(source)).pids).toEqual(pids);
	}
	expect(parseOptions({ products: numbers }).products).toBe(numbers);
	expect(await read([7, '7', 7n])).toMatchObject({ pids: ['7'], duplicates: ['7', '7'] });
});

test('ids are kept as they are', async () => {
	const odd = ['a/b', ' a ', '%00', '"', '😀', 'x'.repeat(500), '__proto__'];
	expect((await read(odd)).pids).toEqual(odd);
});

const HINT = 'The list is the option "products" of productReviews() in the Astro configuration.';
const WHAT_IT_IS = `${HINT} A product id is a non-empty string or a whole number, as the review service knows it:`;

describe('what is wrong is said with what to do', () => {
	test.each<[string, unknown[], string]>([
		...[1.5, Number.NaN, Number.POSITIVE_INFINITY].map((number): [string, unknown[], string] => [
			`the number ${number}`,
			['p-1', number],
			`contains ${number} at position 2, which is not a product id.\n${WHAT_IT_IS} use a whole number.`,
		]),
		...[2 ** 53, 1e21, -1e300].map((number): [string, unknown[], string] => [
			`the number ${number}`,
			['p-1', number],
			`contains ${number} at position 2, which is not a product id.\n${WHAT_IT_IS} JavaScript cannot represent a number of this size exactly. Read the id as a string.`,
		]),
		[
			'an empty string',
			[''],
			`contains an empty string at position 1, which is not a product id.\n${WHAT_IT_IS} leave it out.`,
		],
		[
			'white space',
			['a', '  '],
			`contains an empty string at position 2, which is not a product id.\n${WHAT_IT_IS} leave it out.`,
		],
		[
			'undefined',
			[undefined],
			`contains undefined at position 1, which is not a product id.\n${WHAT_IT_IS} leave it out.`,
		],
		['null', [null], `contains null at position 1, which is not a product id.\n${WHAT_IT_IS} leave it out.`],
		[
			'products',
			[{ id: 'p-1' }],
			`contains a value of type object at position 1, which is not a product id.\n${WHAT_IT_IS} give the id of each product, such as products.map(({ id }) => id).`,
		],
		[
			'entries',
			[['p-1', {}]],
			`contains an array at position 1, which is not a product id.\n${WHAT_IT_IS} give the id of each product, such as products.map(({ id }) => id).`,
		],
		[
			'a symbol',
			[Symbol('p')],
			`contains a value of type symbol at position 1, which is not a product id.\n${WHAT_IT_IS} leave it out.`,
		],
	])('%s', async (_what, ids, message) => {
		const expected = `ProductListError: The product list ${message}`;
		expect(await messageOf(() => parseOptions({ products: ids }))).toBe(expected);
		expect(await messageOf(() => read(() => ids as string[]))).toBe(expected);
	});

	const EMPTY = `ProductListError: The product list is empty.\n${HINT} Check that the catalogue behind it answered. Leave the option out to fetch only what pages ask for.`;
	test('an empty list', async () => {
		expect(await messageOf(() => parseOptions({ products: [] }))).toBe(EMPTY);
		expect(await messageOf(() => read(async () => []))).toBe(EMPTY);
		expect(await messageOf(() => read(new Set<string>()))).toBe(EMPTY);
	});

	test.each<[string, unknown, string]>([
		['nothing', undefined, 'nothing'],
		['null', null, 'nothing'],
		['text', 'p-1', 'a value of type string'],
		['a number', 5, 'a value of type number'],
		['an object', { data: [] }, 'a value of type object'],
		['a function', () => [], 'a value of type function'],
	])('a function that gives %s', async (_what, given, said) => {
		expect(await messageOf(() => read((() => given) as never))).toBe(
			`ProductListError: The function of the product list returned ${said}.\n${HINT} It must return an array, an iterable or an async iterable of product ids, or a promise of one.`,
		);
	});

	const fails = () => {
		throw new Error('the catalogue answered 500');
	};
	test.each<[string, ProductSource]>([
		['a function', fails],
		['an async function', async () => fails()],
		[
			'a generator, midway',
			function* () {
				yield 'p-1';
				fails();
			},
		],
		[
			'an async generator, midway',
			async function* () {
				yield 'p-1';
				fails();
			},
		],
	])('%s that throws', async (_what, source) => {
		expect(await messageOf(() => read(source))).toBe(
			`ProductListError: The product list could not be read: the catalogue answered 500\n${HINT} The error came from there.`,
		);
	});

	const failed = (cause: unknown) => () => {
		throw new TypeError('fetch failed', { cause });
	};
	const refused = new Error('connect ECONNREFUSED 127.0.0.1:9');
	const circle = new Error('in a circle');
	circle.cause = circle;
	test.each<[string, unknown, string]>([
		['the network', refused, 'fetch failed: connect ECONNREFUSED 127.0.0.1:9'],
		[
			'a cause of a cause',
			new Error('socket', { cause: refused }),
			'fetch failed: connect ECONNREFUSED 127.0.0.1:9',
		],
		[
			'a name of several addresses',
			new AggregateError([refused, refused]),
			'fetch failed: connect ECONNREFUSED 127.0.0.1:9',
		],
		['a circle', circle, 'fetch failed: in a circle'],
		['text', 'no answer', 'fetch failed: no answer'],
		[
			'an address with secrets',
			new Error(
				'https://user:canary@shop.example:8443/products?token=canary#canary is gone, see <http://b.example/?key=canary>.',
			),
			'fetch failed: https://shop.example:8443/products is gone, see <http://b.example/>.',
		],
	])('the deepest cause: %s', async (_what, cause, said) => {
		expect(await messageOf(() => read(failed(cause)))).toBe(
			`ProductListError: The product list could not be read: ${said}\n${HINT} The error came from there.`,
		);
	});

	test('an address that nobody listens at', async () => {
		const said = await messageOf(() =>
			read(async () => (await fetch('http://127.0.0.1:1/?key=canary')).json()),
		);
		expect(said).toMatch(/could not be read: fetch failed: (connect ECONNREFUSED 127\.0\.0\.1:1|bad port)\n/);
	});

	test('something other than an error that is thrown', async () => {
		const throwing = () => {
			throw 'text';
		};
		expect(await messageOf(() => read(throwing))).toContain('could not be read: text');
	});
});
