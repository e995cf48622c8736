import { join } from 'node:path';
import { sourceFilesIn, tooLongIn } from 'product-reviews-test-support/code-size';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');

test.each(sourceFilesIn(SOURCE))('%s is short enough to read at once', (file) => {
	expect(tooLongIn(SOURCE, file)).toEqual([]);
});
