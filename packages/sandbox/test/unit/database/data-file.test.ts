import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, it } from 'vitest';
import { startSandbox } from '../../../src/index.js';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

const temporaryFile = () => join(createFolder(), 'data.sqlite');

it('survives a restart, with generated tokens, and is not seeded again', async () => {
	const data = temporaryFile();
	const first = await startSandbox({ data });
	const reviewsBefore = first.store.listReviews().length;
	const [review] = first.store.listReviews({ pid: 'p-1' });
	first.store.deleteReview(review?.id ?? '');
	first.store.createReview('p-17', { rating: 5, title: 'Kept' });
	const { token } = await (await fetch(`${first.url}/__sandbox/tokens`, { method: 'POST' })).json();
	await first.close();

	const extra = { pid: 'p-1', name: 'Another name', reviews: 5 };
	const second = await testSandbox({ data, seed: 7, products: [extra, { ...extra, pid: 'extra' }] });
	expect(second.store.listReviews()).toHaveLength(reviewsBefore + 5);
	expect(second.store.listReviews({ pid: 'p-17' })).toMatchObject([{ title: 'Kept' }]);
	expect(second.store.listProducts()[0]?.name).toBe('Enamel Kettle 1.2 l');
	expect((await callsTo({ ...second, token }).starRating([])).status).toBe(200);
});

it('refuses a file that is no database', async () => {
	const data = temporaryFile();
	await writeFile(
		data,
		'This is a text, and it is longer than the header of a database file would be.'.repeat(20),
	);
	await expect(startSandbox({ data })).rejects.toThrow(/cannot use the data file .*: file is not a database/);
});
