import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, onTestFinished, test } from 'vitest';
import { openReviews } from '../../../src/build/open-reviews.js';
import { DEFAULT_MAX_AGE } from '../../../src/cache/start-revalidation.js';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';

function open(command: 'build' | 'dev', products?: readonly string[]) {
	const options = parseOptions({ baseUrl: 'https://reviews.example', wsid: 'W-1', revalidate: 'always' });
	const reviews = openReviews({
		command,
		options,
		connection: resolveConnection(options, {}),
		storeFile: join(createFolder(), 'reviews.db'),
		products,
		warn: () => {},
		info: () => {},
	});
	onTestFinished(async () => {
		await reviews.service.close();
		reviews.store.close();
	});
	return reviews;
}

test("`revalidate: 'always'` is about builds and lists: a dev server goes by age", () => {
	expect(open('build').revalidation.maxAge()).toBe(0);
	expect(open('dev', ['p-1']).revalidation.maxAge()).toBe(0);
	expect(open('dev').revalidation.maxAge()).toBe(DEFAULT_MAX_AGE);
});
