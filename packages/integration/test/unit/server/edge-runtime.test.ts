import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';

const ENTRIES = ['live', 'live-middleware', 'live-loader', 'runtime', 'shared-storage'];

test.each([...ENTRIES, 'webhook-endpoint'])('%s and all that it imports use no Node API', (entry) => {
	// The target of browsers and workers: an import of Node would end this.
	const { outputFiles } = buildSync({
		entryPoints: [fileURLToPath(import.meta.resolve(`astro-product-reviews/${entry}`))],
		absWorkingDir: import.meta.dirname,
		external: ['virtual:*', 'astro:*'],
		bundle: true,
		write: false,
		platform: 'browser',
		format: 'esm',
	});
	const code = outputFiles[0]?.text.replaceAll(/\/\*[\s\S]*?\*\//g, '') ?? '';
	expect(code.length).toBeGreaterThan(100);
	expect(code).not.toMatch(/\b(?:process\.|Buffer\b|setImmediate|__dirname|require\()/);
});
