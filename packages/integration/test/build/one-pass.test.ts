import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { SHOPS, startShop } from '../support/build/shops.js';

/** All of them take half a minute. Fewer have longer texts. */
const [PRODUCTS, SENTENCES] = process.env['TEST_FULL'] === '1' ? [10_000, 30] : [3_000, 100];
const PIDS = Array.from({ length: PRODUCTS }, (_, index) => `${10_000 + index}`);

/** Heap of a build, in MB: what it takes without reviews. Their texts alone would be 90 MB. */
const HEAP = 160;

/** Builds a store of these products with so many reviews each. */
async function build(each: number) {
	const reviews = Array.from({ length: PRODUCTS * each }, (_, index) => ({
		...{ id: index + 1, pid: PIDS[index % PRODUCTS] ?? '', rating: 5 },
		body: `Body ${index}. ${'It boils fast. '.repeat(SENTENCES)}`,
	}));
	const { judgeme } = SHOPS;
	if (!judgeme) throw new Error('There is no shop.');
	const { url, requests } = await startShop(judgeme, reviews);
	const project = createProject('updated-store', {
		pages: PIDS.slice(0, 3),
		environment: {
			...judgeme.environment,
			NODE_OPTIONS: `--max-old-space-size=${HEAP} --import=${new URL('../support/unit/say-memory.mjs', import.meta.url)}`,
		},
	});
	onTestFinished(project.remove);
	writeFileSync(join(project.root, 'reviews.mjs'), judgeme.module(url));
	const options = { provider: './reviews.mjs', products: PIDS };
	const run = async () => {
		requests.length = 0;
		const program = project.start(['build'], { options });
		expect(await program.ended, program.output()).toBe(0);
		const memory = /^MEMORY (\d+)$/m.exec(program.errors())?.[1];
		return { requests: requests.length, memory: Number(memory) / 1_000, output: program.output() };
	};
	return { first: await run(), second: await run(), read: project.read };
}

test(`${PRODUCTS} products of a service without lists of ratings take one pass, and its reviews no memory`, async () => {
	const { first, second, read } = await build(10);
	console.log(
		`${PRODUCTS * 10} reviews: ${first.requests} and ${second.requests} requests, ${first.memory.toFixed()} and ${second.memory.toFixed()} MB`,
	);
	// A page has a hundred. The first products are asked for one by one, each with its id.
	expect(first.requests).toBeLessThan((PRODUCTS * 10) / 100 + 50);
	expect(second.requests).toBe(0);
	expect(read(`products/${PIDS[2]}/index.html`)).toContain(`Body ${2 * PRODUCTS + 2}.`);
});
