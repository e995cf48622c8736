import { describe, expect, test } from 'vitest';
import { createBlockWriter } from '../../../src/ahead/block-writer.js';
import { keyOf, type Recipe } from '../../../src/ahead/recipe.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { condenseRecord } from '../../../src/parse/condense-record.js';
import type { ProductReviews } from '../../../src/parse/record.js';
import type { Placement } from '../../../src/render/placement.js';
import { createRuntime } from '../../../src/runtime/index.js';
import { reviewSources } from '../../../src/runtime/sources.js';
import { pack } from '../../../src/store/pack.js';
import { createFilledStore } from '../../support/unit/filled-store.js';
import { displayed, record, stated } from '../../support/unit/record.js';
import { createStoreFile } from '../../support/unit/store.js';

const { labels } = parseOptions({});
const ACCOUNT = 'account-of-blocks';

const product = record({
	reviews: [
		displayed(),
		displayed({
			author: '</script><b>',
			rating: 2,
			title: '"&\'',
			body: 'Line\nbreak \u2028 <!--',
			date: '2024-01-02',
		}),
		displayed({ author: undefined, rating: undefined, title: undefined, body: undefined, date: undefined }),
	],
	schema: {
		name: 'Kettle & Co',
		url: 'https://shop.example/p?a=1&b=2',
		reviews: [stated(), stated({ author: '</script>', publisher: 'Other', rating: 2, date: '2024-01-02' })],
	},
});

const RECIPES: Recipe[] = [
	{ component: 'ProductReviews', props: {}, locale: undefined },
	{
		component: 'ProductReviews',
		props: { display: 'details', limit: 2, class: 'a "b"', 'data-x': true },
		locale: 'de',
	},
	{ component: 'ProductReviews', props: { display: 'hidden', sort: 'lowest', heading: '<h>' }, locale: 'ar' },
	{ component: 'ReviewSchema' },
	{ component: 'ReviewSchema', sort: 'lowest', limit: 1 },
];

function storeOf(stored: ProductReviews): string {
	const storeFile = createStoreFile();
	const store = storeFile.open(ACCOUNT);
	store.table('reviews').put('p-1', pack(condenseRecord(stored)), 1_000);
	store.close();
	return storeFile.file;
}

describe.each(RECIPES)('%j', (recipe) => {
	test.each([[undefined], [['Shop']], [['Nobody']]])(
		'what is written ahead is what the page would write itself, with publishers %j',
		async (publishers) => {
			const writer = createBlockWriter();
			writer.begin({
				recipes: [recipe],
				settings: { display: 'visible', labels, publishers },
				storeFile: storeOf(product),
				account: ACCOUNT,
			});
			const block = writer.read(['p-1']).get('p-1')?.[keyOf(recipe) as string];
			expect(writer.write(product)?.[keyOf(recipe) as string]).toEqual(block);
			expect(block).toBeDefined();

			const render = async (ahead: typeof block) => {
				const placed: Placement[] = [];
				reviewSources().set(ACCOUNT, {
					getProductReviews: async () => product,
					getBlock: async () => ahead,
					getReviewData: async () => undefined,
					digestOf: async () => '',
					place(placement) {
						placed.push(placement);
					},
				});
				const runtime = createRuntime({
					version: '0',
					account: ACCOUNT,
					display: 'visible',
					labels,
					publishers,
				});
				const html =
					recipe.component === 'ProductReviews'
						? await runtime.productReviewsHtml(
								{ ...recipe.props, pid: 'p-1' },
								{ currentLocale: recipe.locale },
							)
						: await runtime.reviewSchemaHtml(
								{
									pid: 'p-1',
									sort: recipe.sort,
									limit: recipe.limit,
									product: { name: 'Own', review: [], offers: { price: 1 } },
								},
								{},
							);
				return { html, placed };
			};
			const own = await render(undefined);
			const ahead = await render(structuredClone(block));
			reviewSources().delete(ACCOUNT);
			expect(own.html).not.toBe('');
			expect(ahead).toEqual(own);
		},
	);
});

test('stored products are read from the file; one that is not there is left out', () => {
	const storeFile = createFilledStore(['p-1', 'p-2']);
	const writer = createBlockWriter();
	const task = {
		settings: { display: 'visible', labels } as const,
		storeFile: storeFile.file,
		account: 'account',
	};
	writer.begin({ ...task, recipes: RECIPES.slice(0, 1) });
	const blocks = writer.read(['p-2', 'p-3', 'p-1']);
	expect([...blocks.keys()]).toEqual(['p-2', 'p-1']);
	expect(blocks.get('p-2')?.[keyOf(RECIPES[0] as Recipe) as string]).toMatchObject({
		html: expect.stringContaining('Boils fast.'),
		placement: { pid: 'p-2' },
	});
	writer.begin({ ...task, recipes: RECIPES.slice(1, 2) });
	expect(Object.keys(writer.read(['p-1']).get('p-1') ?? {})).toEqual([keyOf(RECIPES[1] as Recipe)]);
});

test('a file that is not there is an error', () => {
	const writer = createBlockWriter();
	const storeFile = createFilledStore([]).file.replace('reviews', 'other');
	writer.begin({ recipes: RECIPES, settings: { display: 'visible', labels }, storeFile, account: 'account' });
	expect(() => writer.read(['p-1'])).toThrow('ENOENT');
});

test('props that cannot be used are left to the page, which says what is wrong with them', () => {
	const writer = createBlockWriter();
	const wrong = {
		component: 'ProductReviews',
		props: { limit: 'many' as never },
		locale: undefined,
	} as const;
	writer.begin({
		recipes: [wrong],
		settings: { display: 'visible', labels },
		storeFile: storeOf(product),
		account: ACCOUNT,
	});
	expect(writer.read(['p-1'])).toEqual(new Map([['p-1', {}]]));
	expect(writer.write(product)).toEqual({});
});

test.each<[string, Record<string, unknown>]>([
	['a function', { onclick: () => {} }],
	['an object', { style: { color: 'red' } }],
	['a number that JSON does not have', { limit: Number.POSITIVE_INFINITY }],
	['a long text', { heading: 'x'.repeat(2_000) }],
])('props with %s are nothing to share', (_what, props) => {
	expect(keyOf({ component: 'ProductReviews', props, locale: 'en' })).toBeUndefined();
});
