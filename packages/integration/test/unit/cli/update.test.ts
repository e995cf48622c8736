import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { run } from '../../support/cli/command.js';

test.each([
	['are named', 500, (pids: readonly string[]) => JSON.stringify(pids)],
	// Linux allows 131,072 bytes; these are 120,000 in 45,000 letters.
	['are all, if they are too many bytes', 1_500, () => 'all'],
])('products that a build has to bring %s in the environment of --else', async (_, count, expected) => {
	const cwd = createFolder('update');
	const pids = Array.from({ length: count }, (_, index) => `${'漢'.repeat(25)}${index}`);
	const line = `printf %s "$REVIEWS_CHANGED" > changed.txt`;
	const { status, errors } = await run(['update', '-', '--else', `cd '${cwd}' && ${line}`], {
		cwd,
		input: pids.join('\n'),
	});
	expect(status, errors).toBe(0);
	expect(readFileSync(join(cwd, 'changed.txt'), 'utf8')).toBe(expected(pids));
});
