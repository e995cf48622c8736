import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

/** Bundles a file of ours with everything that it imports. */
async function bundle(file: string): Promise<{ code: string; imports: string[] }> {
	const built = await build({
		configFile: false,
		logLevel: 'silent',
		ssr: { noExternal: true, target: 'webworker' },
		build: {
			ssr: fileURLToPath(new URL(`../../../src/${file}`, import.meta.url)),
			write: false,
			minify: false,
			rolldownOptions: { external: [/^node:/, /^virtual:/] },
		},
	});
	const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
	const [chunk] = chunks.filter((chunk) => chunk.type === 'chunk');
	return {
		code: (chunk?.code ?? '').replaceAll(/\/\*[\s\S]*?\*\//g, ''),
		imports: chunks.flatMap((chunk) =>
			chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : [],
		),
	};
}

test.each([
	['on-demand/index.ts', []],
	['astro/middleware.ts', []],
	['astro/live-loader.ts', ['virtual:product-reviews/internal']],
	['runtime/index.ts', []],
	['shared-storage/index.ts', []],
])('%s and all that it imports use no Node API', async (file, imported) => {
	const { code, imports } = await bundle(file);
	expect(code.length).toBeGreaterThan(100);
	expect(imports).toEqual(imported);
	expect(code).not.toMatch(/\b(?:process\.|Buffer\b|setImmediate|__dirname|require\()/);
});
