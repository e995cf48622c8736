import { join } from 'node:path';
import { buildSite } from './build-site.mjs';
import { CONCURRENCY, LATENCY } from './scenarios.mjs';

const TOKEN = 'sandbox-token';

/**
 * Returns a function that builds the site of a scenario, or the baked one.
 * @param folder contains a copy of `bench/site`; also used for pages and caches.
 */
export function scenarioBuilder({ folder, service, nodeFlags }) {
	return async function build(scenario, products) {
		if (scenario.changes) await service.change();
		await service.setLatency(scenario.latency ?? LATENCY);
		await service.takeCounts();
		const project = {
			root: folder,
			site: scenario.site,
			folder: join(folder, 'built', scenario.copy ?? scenario.site),
			keepsCache: scenario.after !== undefined,
			keepsPages: scenario.isIncremental,
		};
		const built = await buildSite(project, {
			products,
			nodeFlags,
			environment: {
				REVIEWS_BASE_URL: service.url,
				REVIEWS_WSID: 'W-1001',
				BENCH_TEXTS: join(folder, 'texts'),
				...environmentOf(scenario),
			},
		});
		const { requests, most, cpuSeconds: serviceSeconds } = await service.takeCounts();
		return { ...built, requests, mostInFlight: most, serviceSeconds };
	};
}

function environmentOf(scenario) {
	const { site, hasToken, isIncremental, isChunked, buildConcurrency = 1 } = scenario;
	const { pageMs = 0, concurrency = CONCURRENCY } = scenario;
	return {
		BENCH_BUILD_CONCURRENCY: String(buildConcurrency),
		...(site === 'integration' && {
			BENCH_OPTIONS: JSON.stringify({ concurrency }),
		}),
		BENCH_PAGE_MS: String(pageMs),
		...(hasToken && { REVIEWS_TOKEN: TOKEN }),
		...(isIncremental && { BENCH_INCREMENTAL: '1' }),
		...(isChunked && { BENCH_CHUNKED: '1' }),
	};
}
