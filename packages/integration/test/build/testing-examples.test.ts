import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterAll, expect, test } from 'vitest';
import { createProject } from '../support/build/project.js';

const EXAMPLES = join(import.meta.dirname, '../../../../examples');
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** The starter with the files of the page `fresh/testing` of the documentation. */
const project = createProject('../../../../../examples/starter');
cpSync(join(EXAMPLES, 'testing'), project.root, { recursive: true });
afterAll(project.remove);

/** Runs a program in the store, without a review service in its environment. */
async function run(...args: string[]) {
	const env = { ...cleanEnvironment(), CI: '1' };
	const { ended, printed, errors } = runNode(args, { cwd: project.root, env, stdio: 'pipe' });
	const status = await ended;
	expect(status, printed() + errors()).toBe(0);
	return printed();
}

test('a store tests its reviews in Vitest', async () => {
	expect(await run(VITEST, 'run', '--root', project.root, 'test/')).toMatch(/Tests .*3 passed/);
});

test('a preview is built without the variables of a service', async () => {
	await run('build.mjs');
	for (const product of ['p-1', 'p-2', 'p-3'])
		expect(project.read(`products/${product}/index.html`)).toContain('Not a real review');
});
