import { fileURLToPath } from 'node:url';
import { AstroError } from 'astro/errors';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, test } from 'vitest';
import { ProductReviewsConfigurationError } from '../../../../integration/src/errors.js';
import { CLI } from '../../support/command.js';

/** Every module that a command loads, by its path. */
async function loadedBy(args: readonly string[]): Promise<string[]> {
	const hooks = fileURLToPath(
		new URL('../../../../integration/test/support/unit/name-modules.mjs', import.meta.url),
	);
	const { ended, errors } = runNodeInTest(['--import', hooks, CLI, ...args], { cwd: createFolder() });
	await ended;
	return [...errors().matchAll(/^LOADED (.*)$/gm)].map(([, url = '']) => url);
}

test('publish loads nothing of Astro or Vite', async () => {
	const loaded = await loadedBy(['publish', 'p-1']);
	expect(loaded.length).toBeGreaterThan(50);
	expect(loaded.filter((url) => url.includes('/dist/publish/')).length).toBeGreaterThan(5);
	expect(
		loaded.filter((url) => /\/node_modules\/(?:astro|@astrojs|vite|rolldown|esbuild)\//.test(url)),
	).toEqual([]);
});

test("errors are what Astro's own class makes", () => {
	const own = new ProductReviewsConfigurationError('PR_NOT_CONFIGURED', 'What happened', 'What to do');
	const astros = new AstroError('What happened', own.hint);
	for (const key of ['type', 'message', 'hint'] as const) expect(own[key]).toBe(astros[key]);
	expect(AstroError.is(own)).toBe(true);
});
