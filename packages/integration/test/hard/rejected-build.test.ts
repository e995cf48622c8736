import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import type { BuildProject } from '../support/build/project.js';
import { productIds } from '../support/build/service.js';
import { startShop } from '../support/build/shop.js';

const PIDS = productIds(20);
/** Calls Astro's build() as a program of one's own does, and says what came of it. */
const PROGRAM = `
import { build } from 'astro';
console.log(await build({ logLevel: 'error' }).then(() => 'built', () => 'rejected'));
`;

/** @param latency of the service, in milliseconds. */
async function run(latency: number, change: (project: BuildProject) => void = () => {}) {
	const { project, service } = await startShop('store', PIDS, onTestFinished);
	service.faults.add({ kind: 'latency', ms: latency });
	writeFileSync(join(project.root, 'program.mjs'), PROGRAM);
	change(project);
	const { environment } = project.buildCommand({
		service: service.url,
		options: { products: PIDS, timeout: '5m' },
	});
	const program = runNode(['program.mjs'], { cwd: project.root, env: environment });
	const timer = setTimeout(() => program.end('SIGKILL'), 60_000);
	const status = await program.ended;
	clearTimeout(timer);
	return [status, program.printed()];
}

test('a build that a page ends lets the process end, though the service still owes reviews', async () => {
	const ended = await run(200_000, ({ root }) =>
		writeFileSync(join(root, 'src/pages/broken.astro'), "---\nthrow new Error('broken');\n---\n"),
	);
	expect(ended).toEqual([0, 'rejected\n']);
});

test('a build that has nothing else to do waits for the service', async () => {
	expect(await run(1_500)).toEqual([0, 'built\n']);
});
