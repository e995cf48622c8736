// Measures how long a published review takes to its pages: from the signed event to the last file on disk, through the
// receiver and `astro-product-reviews update`, in sites of two sizes with a page for each product and listings of 50 with stars.
// Beside it, Astro's own incremental build of the same site. Exits with 1 if a target is missed.
//   node bench/publish.mjs [--sizes 5000,100000] [--runs 10] [--output bench/results.json]
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPublished, rebuildPublished } from './publish/build-published.mjs';
import { measureEvents } from './publish/measure-events.mjs';
import { printPublished, summarizePublished } from './publish/summarize-published.mjs';
import { mergeResults } from './results.mjs';
import { startService } from './start-service.mjs';

const { values } = parseArgs({
	options: {
		sizes: { type: 'string', default: '5000,100000' },
		runs: { type: 'string', default: '10' },
		output: { type: 'string' },
	},
});
const folder = mkdtempSync(fileURLToPath(new URL('./.work-', import.meta.url)));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
cpSync(fileURLToPath(new URL('./site', import.meta.url)), folder, { recursive: true });

const sites = [];
for (const products of values.sizes.split(',').map(Number)) {
	console.log(`\n${products.toLocaleString('en')} products: recording and building ...`);
	const service = await startService(folder, products);
	try {
		const site = await buildPublished({ folder, service, products });
		const events = await measureEvents({ ...site, service, runs: Number(values.runs) });
		const rebuild = await rebuildPublished({ folder, service, products });
		sites.push({ products, events, rebuildSeconds: rebuild.seconds, rendered: rebuild.rendered });
	} finally {
		service.close();
	}
}
const summary = summarizePublished(sites);
printPublished(summary);
if (values.output) mergeResults(values.output, { publish: summary });
if (!summary.isMet) process.exitCode = 1;
