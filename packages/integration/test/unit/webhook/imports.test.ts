import { join } from 'node:path';
import { importGraphOf, NODE_GLOBALS } from 'product-reviews-test-support/import-graph';
import { expect, test } from 'vitest';

test('the endpoint runs anywhere: nothing that it imports is of Node', () => {
	const { files, others } = importGraphOf(join(import.meta.dirname, '../../../dist/webhook/endpoint.js'));
	expect([...others].toSorted()).toEqual([
		'astro:env/server',
		'product-reviews-webhook',
		'virtual:product-reviews',
		'virtual:product-reviews/webhook',
	]);
	for (const [file, code] of files) expect(code, file).not.toMatch(NODE_GLOBALS);
});
