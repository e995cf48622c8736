import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterEach, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(300);
let project: BuildProject;
let service: Sandbox;

afterEach(async () => {
	project.remove();
	await service.close();
});

/** Calls Astro's build() as a program of one's own does, and says what came of it and when. */
const PROGRAM = `
import { build } from 'astro';
const outcome = await build({ logLevel: 'error' }).then(() => 'built', () => 'rejected');
console.log(outcome);
const start = performance.now();
process.once('exit', (code) => console.log('ended with', code, 'after', Math.round(performance.now() - start)));
`;

async function run(pids: readonly string[]) {
	writeFileSync(join(project.root, 'program.mjs'), PROGRAM);
	const { environment } = project.buildCommand({
		service: service.url,
		options: { products: pids, timeout: '60s' },
		pages: [],
	});
	const program = runNode(['program.mjs'], { cwd: project.root, env: environment });
	const timer = setTimeout(() => program.end('SIGKILL'), 40_000);
	const status = await program.ended;
	clearTimeout(timer);
	return { status, output: program.printed() };
}

test('a build that a page ends lets the process end, though the service still owes reviews', async () => {
	project = createProject('store');
	service = await startService(PIDS, { latency: 50_000 });
	writeFileSync(join(project.root, 'src/pages/broken.astro'), "---\nthrow new Error('broken');\n---\n");
	const { status, output } = await run(PIDS);
	expect(output).toMatch(/^rejected\nended with 0 after \d+\n$/);
	expect(status).toBe(0);
	expect(Number(/after (\d+)/.exec(output)?.[1])).toBeLessThan(5_000);
});

test('a build that has nothing else to do waits for the service', async () => {
	project = createProject('store');
	service = await startService(PIDS, { latency: 1_500 });
	const { status, output } = await run(PIDS.slice(0, 20));
	expect(output).toMatch(/^built\nended with 0 after/);
	expect(status).toBe(0);
});
