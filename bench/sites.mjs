import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scenarioBuilder } from './build-scenario.mjs';
import { planBuilds } from './plan.mjs';
import { writeResults } from './results.mjs';
import { BAKED, CONCURRENCY, LATENCY } from './scenarios.mjs';
import { startService } from './start-service.mjs';
import { summarize } from './summarize.mjs';
import { printTable } from './table.mjs';

const SITES = fileURLToPath(new URL('./site', import.meta.url));
// Next to the sites, so that a copy resolves Astro and the workspace's packages in the same way. Astro writes into a project
// while it builds it, so concurrent benchmarks each need a copy.
const WORK = fileURLToPath(new URL('./.work-', import.meta.url));

/**
 * Builds sites with the integration, and compares each with the same pages built from ready-made html.
 * @returns whether all targets are met.
 */
export async function measureSites(settings) {
	const folder = mkdtempSync(WORK);
	// Clean up even after an interruption.
	process.once('exit', () => {
		console.log('\nRemoving the pages of all builds ...');
		rmSync(folder, { recursive: true, force: true });
	});
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
	cpSync(SITES, folder, { recursive: true });
	console.log(
		`\nRecording the sandbox's responses for ${settings.products.toLocaleString('en')} products ...`,
	);
	const service = await startService(folder, settings.products);
	process.once('exit', service.close);
	try {
		const summaries = summarize(await buildAll(settings, folder, service));
		printTable(summaries);
		if (settings.output) writeResults(settings.output, settings, summaries);
		return summaries.every(({ bars }) => bars.every(({ met }) => met));
	} finally {
		service.close();
	}
}

async function buildAll(settings, folder, service) {
	const build = scenarioBuilder({ folder, service, nodeFlags: settings.nodeFlags });
	const steps = planBuilds(settings);
	const builds = [];
	const failed = new Set();
	for (const [index, step] of steps.entries()) {
		const { scenario, products, run } = step;
		if (failed.has(scenario.after)) continue;
		process.stdout.write(`[${index + 1}/${steps.length}] run ${run}, ${scenario.title} ... `);
		try {
			const measured = await build(scenario, products);
			builds.push({ ...step, measured });
			const left = describeLeft(steps.slice(index + 1), builds);
			console.log(`${measured.seconds.toFixed(1)} s, ${Math.round(measured.peakMegabytes)} MB${left}`);
		} catch (error) {
			// Alternatives may run out of memory; they are then left out of the table.
			if (!scenario.isToday) throw error;
			failed.add(scenario.name);
			console.log(error.message);
		}
		if (scenario.name === 'cold' && steps[index - 1]?.scenario === BAKED) assertSamePages(folder, products);
	}
	return builds;
}

/** Estimates the remaining time from earlier builds of the same scenario, or else from the baked site. */
function describeLeft(steps, builds) {
	const { measured, products } = builds.findLast(({ scenario }) => scenario === BAKED) ?? builds[0];
	const guess = ({ scenario, products: pages }) => {
		// An alternative that is limited in pages fetches one after the other.
		const { floor, latency = LATENCY, concurrency = scenario.most ? 1 : CONCURRENCY } = scenario;
		const network = floor ? (pages * latency) / concurrency / 1_000 : 0;
		return Math.max((measured.seconds / products) * pages, network);
	};
	const known = (step) =>
		builds.find(({ scenario, products }) => scenario === step.scenario && products === step.products)
			?.measured.seconds;
	const seconds = steps.reduce((sum, step) => sum + (known(step) ?? guess(step)), 0);
	return steps.length > 0 ? ` (about ${Math.ceil(seconds / 60)} min left)` : '';
}

/**
 * Checks that the first pages and the last one of two sites are identical: otherwise their ratio would mean nothing.
 * @throws Error that names a page that differs.
 */
function assertSamePages(folder, products) {
	const page = (site, pid) =>
		readFileSync(join(folder, 'built', site, 'dist/products', pid, 'index.html'), 'utf8');
	for (const number of [1, 2, 3, 4, 5, products]) {
		const pid = `p-${Math.min(number, products)}`;
		if (page('baked', pid) !== page('integration', pid))
			throw new Error(`The page of ${pid} differs between the baked site and the integration.`);
	}
}
