import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAstroBuilder } from 'product-reviews-test-support/astro-builder';
import { afterAll, expect, test } from 'vitest';
import { ASTRO, createProject } from '../support/build/project.js';

const project = createProject('store');

afterAll(() => project.remove());

test('a build that does not end is killed, and its test is told what it printed', async () => {
	const build = createAstroBuilder(ASTRO, 15_000);
	const config =
		"console.log('So far.');\nawait new Promise((end) => setTimeout(end, 1e9));\nexport default {};";
	writeFileSync(join(project.root, 'astro.config.mjs'), config);
	await expect(build({ root: project.root })).rejects.toThrow(
		/did not end within 15000 ms\. It printed:\nSo far\.\n/,
	);
});
