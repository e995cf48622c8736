import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

test('the benchmark compares pages that are the same', async () => {
	const output = await new Promise<string>((resolve) => {
		// Ends with 1 where a bar is missed, and so small a site says nothing about those.
		const flags = ['bench/run.mjs', '--n', '12', '--runs', '1', '--only', 'cold'];
		execFile(process.execPath, flags, { cwd: ROOT }, (_error, out, problems) => resolve(out + problems));
	});
	expect(output).toMatch(/cold: empty store: ratio \d/);
	expect(output).toMatch(/cold: empty store: MB above baked -?\d/);
	expect(output).toMatch(/^cold: empty store +12 .* 12 +12$/m);
});
