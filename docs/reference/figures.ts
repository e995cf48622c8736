import results from '../../bench/results.json' with { type: 'json' };
import large from '../../bench/results-100000.json' with { type: 'json' };

/** A limit that a benchmark has to stay within, and whether it did. */
interface Limit {
	readonly what: string;
	readonly figure: number;
	readonly atMost: number;
	readonly met: boolean;
}

/** A row of a file with results: the medians of a scenario of `bench/scenarios.mjs`. */
export interface Measured {
	readonly name: string;
	readonly title: string;
	readonly products: number;
	readonly seconds: number;
	readonly cpuSeconds: number;
	readonly peakMegabytes: number;
	readonly requests: number;
	readonly rendered: number;
	readonly ratio?: number;
	readonly cpuRatio?: number;
	readonly memoryAbove?: number;
	/** Size of the cache after the build. */
	readonly cacheMegabytes?: number;
	readonly bars: readonly Limit[];
}

/** An update of one product, in a site of so many. */
export interface MeasuredUpdate {
	readonly products: number;
	readonly seconds: number;
	readonly peakMegabytes: number;
	readonly rebuildSeconds: number;
}

/** The results of `npm run bench`. Benchmarks that have not run yet are missing. */
export interface Results {
	readonly date: string;
	readonly node: string;
	readonly astro: string;
	readonly cpus: number;
	readonly cpuModel: string;
	readonly memoryGigabytes: number;
	readonly n: number;
	readonly scenarios: readonly Measured[];
	readonly update?: { readonly sites: readonly MeasuredUpdate[] };
	readonly receiver?: { readonly receiver: { readonly perSecond: number } };
}

const RESULTS: readonly Results[] = [results, large];

const NOT_MEASURED = 'not measured yet';

/** How a figure is written, by the last part of its name. */
const FORMATS: Readonly<Record<string, (value: number) => string>> = {
	seconds,
	cpuSeconds: seconds,
	rebuildSeconds: seconds,
	peakMegabytes: megabytes,
	memoryAbove: megabytes,
	ratio: times,
	cpuRatio: times,
	requests: whole,
	rendered: whole,
	products: whole,
	perSecond: (value) => whole(Number(value.toPrecision(2))),
	cacheMegabytes: megabytes,
};

/**
 * A measured figure as text, from `bench/results.json` or `bench/results-100000.json`.
 *
 * - `cold.seconds`: a field of a scenario, at its largest number of pages up to 5,000. `cold@100000.seconds`: at 100,000 pages.
 * - `update@2000.seconds`: an update in a site of so many products.
 * - `receiver.perSecond`, and `machine`, `date`, `node` and `astro`: where and with what it was measured.
 *
 * @returns the figure with its unit, such as `13.4 s`, or `not measured yet`.
 * @throws Error for a field that no benchmark has.
 */
export function figure(name: string, from = RESULTS): string {
	const [main] = from;
	const facts: Record<string, string | undefined> = {
		machine:
			main && `${main.cpus} cores (${main.cpuModel}) and ${Math.round(main.memoryGigabytes)} GB of memory`,
		date: main?.date,
		node: main?.node.replace(/^v/, ''),
		astro: main?.astro,
	};
	if (name in facts) return facts[name] ?? NOT_MEASURED;
	const [, row = '', size, field = ''] = /^([\w-]+)(?:@(\d+))?\.(\w+)$/.exec(name) ?? [];
	const format = FORMATS[field];
	if (!format) throw new Error(`No benchmark has the figure "${name}".`);
	const found = rowOf(row, size === undefined ? undefined : Number(size), from);
	const value = (found as Readonly<Record<string, unknown>> | undefined)?.[field];
	return typeof value === 'number' ? format(value) : NOT_MEASURED;
}

function rowOf(name: string, products: number | undefined, from: readonly Results[]): object | undefined {
	if (name === 'receiver') return from[0]?.receiver?.receiver;
	if (name === 'update') return from[0]?.update?.sites.find((site) => site.products === products);
	return scenario(name, products, from);
}

/** The row of a scenario, at this number of pages or at the largest number of the main results. */
export function scenario(name: string, products?: number, from = RESULTS): Measured | undefined {
	const rows = (products === undefined ? from.slice(0, 1) : from).flatMap(({ scenarios }) => scenarios);
	return rows
		.filter((row) => row.name === name && (products ?? row.products) === row.products)
		.toSorted((a, b) => b.products - a.products)[0];
}

/** The updates of the main results. */
export function updates(from = RESULTS): readonly MeasuredUpdate[] {
	return from[0]?.update?.sites ?? [];
}

/**
 * A plugin for Astro's Markdown processor: writes the figure in place of `:figure[cold.seconds]`, in Markdown and MDX.
 * Starlight switches directives on.
 */
export function figures() {
	return {
		name: 'figures',
		textDirective(node: { readonly name: string }, context: { textContent(node: unknown): string }) {
			if (node.name !== 'figure') return undefined;
			return { type: 'text' as const, value: figure(context.textContent(node)) };
		},
	};
}

export function seconds(value: number): string {
	return `${value >= 100 ? Math.round(value) : value.toFixed(value < 1 ? 2 : 1)} s`;
}

export function megabytes(value: number): string {
	return `${whole(Math.round(value))} MB`;
}

function times(value: number): string {
	return `${value.toFixed(2)} times`;
}

export function whole(value: number): string {
	return value.toLocaleString('en');
}
