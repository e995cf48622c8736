import { BAKED, FULL_INCREMENTAL, SCENARIOS } from './scenarios.mjs';

/**
 * Plans the order of all builds. In each run, every scenario is built right after its reference, so that other load on the
 * machine affects both. A large run builds the reference only once.
 * @returns steps with scenario, number of pages and run; `isMeasured` is false for builds that only prepare the next one.
 */
export function planBuilds({ products, names, runs, isLarge, isFull }) {
	const chosen = SCENARIOS.filter(({ name }) => names.includes(name));
	const steps = [];
	for (let run = 1; run <= runs; run++) {
		const built = new Set();
		for (const scenario of chosen.filter(({ isToday }) => !isToday || run === 1)) {
			const pages = isFull ? products : Math.min(products, scenario.most ?? products);
			const step = (what, isMeasured) => ({ scenario: what, products: pages, run, isMeasured });
			// The caches of an incremental site are kept from one run to the next.
			if (scenario.after !== FULL_INCREMENTAL.name || run === 1)
				for (const missing of basesOf(scenario, built)) steps.push(step(missing, false));
			const { reference = BAKED } = scenario;
			if (!isLarge || steps.every((one) => one.scenario !== reference)) steps.push(step(reference, true));
			steps.push(step(scenario, true));
			built.add(scenario.name);
		}
		if (chosen.length === 0) steps.push({ scenario: BAKED, products, run, isMeasured: true });
	}
	return steps;
}

/** The builds that must come first, unless this run already has them. */
function basesOf({ after }, built) {
	if (after === undefined || built.has(after)) return [];
	const base = [FULL_INCREMENTAL, ...SCENARIOS].find(({ name }) => name === after);
	built.add(after);
	return [...basesOf(base, built), base];
}
