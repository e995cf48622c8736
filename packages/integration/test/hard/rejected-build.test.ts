import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import { productIds, startShop } from '../support/build/service.js';

/** Calls Astro's build() as a program of one's own does, and says what came of it. */
const PROGRAM = `
import { build } from 'astro';
console.log(await build({ logLevel: 'error' }).then(() => 'built', () => 'rejected'));
`;

/** @param latency of the service, in milliseconds. @param pages of the site's own, by their names */
async function run(latency: number, pages: Readonly<Record<string, string>> = {}) {
	const setup = { latency, pages: [], options: { timeout: '5m' }, atEnd: onTestFinished };
	const { project } = await startShop('store', productIds(20), setup);
	writeFileSync(join(project.root, 'program.mjs'), PROGRAM);
	for (const [name, text] of Object.entries(pages))
		writeFileSync(join(project.root, 'src/pages', name), text);
	const { environment } = project.buildCommand();
	const program = runNode(['program.mjs'], { cwd: project.root, env: environment });
	const timer = setTimeout(() => program.end('SIGKILL'), 60_000);
	const status = await program.ended;
	clearTimeout(timer);
	return [status, program.printed()];
}

test('a build that a page ends lets the process end, though the service still owes reviews', async () => {
	const broken = "---\nthrow new Error('broken');\n---\n";
	expect(await run(200_000, { 'broken.astro': broken })).toEqual([0, 'rejected\n']);
});

test('a build that has nothing else to do waits for the service', async () => {
	expect(await run(1_500)).toEqual([0, 'built\n']);
});
