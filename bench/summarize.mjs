import { median } from './results.mjs';
import { BAKED, CONCURRENCY, LATENCY, SCENARIOS } from './scenarios.mjs';

/** Computes the medians of each scenario and compares them with its limits. @param builds steps of the plan, with measurements. */
export function summarize(builds) {
	const measured = builds.filter(({ isMeasured }) => isMeasured);
	return [BAKED, ...SCENARIOS].flatMap((scenario) => {
		const own = measured.filter((build) => build.scenario === scenario);
		const counts = [...new Set(own.map(({ products }) => products))];
		return counts.map((products) =>
			summarizeOne(
				scenario,
				products,
				measured,
				(build) => own.includes(build) && build.products === products,
			),
		);
	});
}

function summarizeOne(scenario, products, measured, isOwn) {
	const runs = measured.flatMap((build, index) => {
		if (!isOwn(build)) return [];
		const baked = measured
			.slice(0, index)
			.findLast((other) => other.scenario === (scenario.reference ?? BAKED));
		return [scenario === BAKED ? build.measured : { ...build.measured, ...compare(scenario, build, baked) }];
	});
	const middle = (field) => median(runs.map((run) => run[field]));
	const most = (field) => Math.max(...runs.map((run) => run[field]));
	const figures = {
		seconds: middle('seconds'),
		cpuSeconds: middle('cpuSeconds'),
		peakMegabytes: middle('peakMegabytes'),
		cacheMegabytes: middle('cacheMegabytes'),
		requests: most('requests'),
		mostInFlight: most('mostInFlight'),
		rendered: most('rendered'),
		...(scenario !== BAKED && {
			ratio: middle('ratio'),
			cpuRatio: middle('cpuRatio'),
			cpuAbove: middle('cpuAbove'),
			memoryAbove: middle('memoryAbove'),
		}),
	};
	const { name, title } = scenario;
	return { name, title, products, ...figures, bars: barsOf(scenario, figures, products), runs };
}

/** Compares a build with the baked one before it, or with the minimum time for requests if that is longer. */
function compare({ floor, latency = LATENCY, concurrency = CONCURRENCY }, { measured, products }, baked) {
	const network = floor ? (products * latency) / concurrency / 1_000 : 0;
	const reference = Math.max(network, baked.measured.seconds);
	return {
		reference,
		ratio: measured.seconds / reference,
		// By processor time, which other load on the machine affects less.
		cpuRatio: measured.cpuSeconds / baked.measured.cpuSeconds,
		cpuAbove: ((measured.cpuSeconds - baked.measured.cpuSeconds) * 1_000) / products,
		memoryAbove: measured.peakMegabytes - baked.measured.peakMegabytes,
	};
}

function barsOf({ bars = {} }, figures, products) {
	const { ratio, cpu, cpuAbove, memory, requests, rendered } = bars;
	return [
		ratio !== undefined && bar('ratio', figures.ratio, ratio),
		cpu !== undefined && bar('cpu ratio', figures.cpuRatio, cpu),
		cpuAbove !== undefined && bar('cpu ms per product above baked', figures.cpuAbove, cpuAbove),
		memory !== undefined && bar('MB above baked', figures.memoryAbove, memory),
		requests !== undefined && bar('requests', figures.requests, Math.ceil(requests * products)),
		rendered !== undefined && {
			...bar('pages rendered', figures.rendered, rendered),
			met: figures.rendered === rendered,
		},
	].filter(Boolean);
}

function bar(what, figure, atMost) {
	return { what, figure, atMost, met: figure <= atMost };
}
