import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

/** Bundles a public entry with everything that it imports. */
async function bundle(entry: string): Promise<{ code: string; imports: string[] }> {
	const built = await build({
		configFile: false,
		logLevel: 'silent',
		ssr: { noExternal: true, target: 'webworker' },
		build: {
			ssr: fileURLToPath(import.meta.resolve(entry)),
			write: false,
			minify: false,
			rolldownOptions: { external: [/^node:/, /^virtual:/, /^astro:/] },
		},
	});
	const chunks = [built]
		.flat()
		.flatMap((result) => ('output' in result ? result.output : []))
		.filter((chunk) => chunk.type === 'chunk');
	return {
		code: (chunks[0]?.code ?? '').replaceAll(/\/\*[\s\S]*?\*\//g, ''),
		imports: chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]),
	};
}

test.each([
	'live',
	'live-middleware',
	'live-loader',
	'runtime',
	'shared-storage',
	'shards',
	'webhook-endpoint',
])('astro-product-reviews/%s and all that it imports use no Node API', async (entry) => {
	const { code, imports } = await bundle(`astro-product-reviews/${entry}`);
	expect(code.length).toBeGreaterThan(100);
	expect(imports.filter((name) => !/^(?:virtual|astro):/.test(name))).toEqual([]);
	expect(code).not.toMatch(/\b(?:process\.|Buffer\b|setImmediate|__dirname|require\()/);
});
