import { describe, expect, test } from 'vitest';
import { createFinishedPieces } from '../../../src/build/finished-pieces.js';
import { readReviewData } from '../../../src/parse/read-review-data.js';
import { COMPONENTS } from '../../../src/render/components.js';
import type { FragmentRequest, FragmentSettings } from '../../../src/render/fragment.js';
import { componentOf, writeFragment } from '../../../src/render/write-fragment.js';
import { type PieceTask, setOf, writePieces } from '../../../src/service/pieces.js';
import { pack } from '../../../src/store/pack.js';
import type { Resource } from '../../../src/store/review-store.js';
import { dataOf, wireData } from '../../support/service/wire-data.js';
import { record, renderOptions } from '../../support/unit/record.js';
import { createStoreFile } from '../../support/unit/store.js';

const SETTINGS: FragmentSettings = { ...renderOptions(), author: 'first', publishers: ['Fjell & Form'] };

/** Requests of all components that are kept, two of each. */
const REQUESTS: readonly FragmentRequest[] = Object.keys(COMPONENTS)
	.filter((component) => component !== 'StarRating')
	.flatMap((component) => [
		{ component, props: {} },
		{
			component,
			props: { class: 'mine', limit: 1, product: { name: 'Kettle', offers: { price: 1 } } },
			language: 'de',
			address: 'https://shop.example/kettle/',
		},
	]);

async function createSetup(settings = SETTINGS) {
	const stored = { reviews: record(), 'review-data': readReviewData(await dataOf(wireData())) };
	const file = createStoreFile();
	const learned: PieceTask[] = [];
	const start = (more = settings) => {
		const store = file.open();
		return { store, pieces: createFinishedPieces(store, more, (task) => learned.push(task)) };
	};
	return { stored, learned, start };
}

/** As JSON has it. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

const fromOf = (request: FragmentRequest) => componentOf(request).from as Resource;

describe.each(REQUESTS.map((request) => [request.component, request] as const))('<%s>', (_name, request) => {
	const from = fromOf(request);

	test('a page finds what it would write, wherever that was written', async () => {
		const { stored, start } = await createSetup();
		const expected = plain(writeFragment(stored[from], request, SETTINGS));
		const first = start();
		first.store.table(from).put('p-1', pack(stored[from]), Date.now());
		expect(first.pieces.find(from, 'p-1', request)).toBeUndefined();
		expect(plain(first.pieces.write(from, 'p-1', stored[from], request))).toEqual(expected);
		const attachments = writePieces(
			{ set: setOf(SETTINGS), requests: [request], settings: SETTINGS },
			from,
			stored[from],
		);
		first.store.table(from).put('p-2', pack(stored[from], undefined, attachments), Date.now());
		first.store.close();
		const next = start();
		for (const pid of ['p-1', 'p-2']) {
			expect(plain(next.pieces.find(from, pid, request))).toEqual(expected);
		}
	});

	test('other settings find nothing', async () => {
		const { stored, start } = await createSetup();
		const first = start();
		first.store.table(from).put('p-1', pack(stored[from]), Date.now());
		first.pieces.write(from, 'p-1', stored[from], request);
		first.store.close();
		for (const settings of [
			{ ...SETTINGS, author: 'full' },
			{ ...SETTINGS, labels: { anonymous: 'X' } },
		] as const)
			expect(start(settings).pieces.find(from, 'p-1', request)).toBeUndefined();
	});
});

test('what a page states itself is no part of what is kept', async () => {
	const { stored, start } = await createSetup();
	const { store, pieces } = start();
	store.table('reviews').put('p-1', pack(stored.reviews), Date.now());
	const of = (name: string): FragmentRequest => ({ component: 'ReviewSchema', props: { product: { name } } });
	pieces.write('reviews', 'p-1', stored.reviews, of('Kettle'));
	expect(pieces.find('reviews', 'p-1', of('Teapot'))?.html).toContain('"name":"Teapot"');
});

test('requests that pages make again and again are learned, those of one page are not', async () => {
	const { stored, learned, start } = await createSetup();
	const { pieces } = start();
	for (let page = 0; page < 5; page++) {
		pieces.write('reviews', `p-${page}`, stored.reviews, { component: 'ProductReviews', props: {} });
		const props = { heading: `Reviews of ${page}` };
		pieces.write('reviews', `p-${page}`, stored.reviews, { component: 'ProductReviews', props });
	}
	expect(learned.map(({ requests }) => requests)).toEqual([[{ component: 'ProductReviews', props: {} }]]);
});
