import { join } from 'node:path';
import { importGraphOf, NODE_GLOBALS } from 'product-reviews-test-support/import-graph';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');

test('the core runs anywhere: nothing that it imports is of Node, or of another package', () => {
	const { files, others } = importGraphOf(join(DIST, 'index.js'));
	expect([...others]).toEqual([]);
	expect(files.size).toBeGreaterThan(15);
	for (const [file, code] of files) expect(code, file).not.toMatch(NODE_GLOBALS);
});

test('the part for Node imports nothing but the core and Node', () => {
	const { others } = importGraphOf(join(DIST, 'node/index.js'));
	expect([...others].filter((name) => !name.startsWith('node:'))).toEqual([]);
	expect(others).toContain('node:http');
});
