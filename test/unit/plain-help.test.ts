import { fileURLToPath } from 'node:url';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, test } from 'vitest';

test.each(['integration/bin/product-reviews.js', 'webhook/dist/cli.js', 'sandbox/dist/cli.js'])(
	'the help of %s fits in 80 columns and has no colours',
	async (path) => {
		const file = fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));
		const help = runNodeInTest([file, '--help'], {
			env: { ...process.env, FORCE_COLOR: '3', NO_COLOR: undefined },
		});
		expect(await help.ended).toBe(0);
		expect(help.errors()).toBe('');
		for (const character of ['\u001b', '\r']) expect(help.printed()).not.toContain(character);
		for (const line of help.printed().split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
	},
);
