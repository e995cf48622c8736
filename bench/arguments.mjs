import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.mjs';

/** Benchmarks without pages, which run before the sites are built. */
export const ALONE = ['reading', 'in-flight', 'shared-storage', 'receiver', 'update'];

/** From this number of pages, a build takes minutes and each is run once. */
const LARGE = 50_000;
/** Scenarios of a large run, in order. */
const OF_LARGE = ['cold', 'warm-token', 'incremental'];

const HELP = `npm run bench -- [options]
  --n <number>       product pages of a site (5000)
  --runs <number>    number of builds of each scenario and its reference (5, or 1 from ${LARGE} pages)
  --only <names>     some of these, separated by commas: ${[...ALONE, 'baked', ...SCENARIOS.map(({ name }) => name)].join(', ')}
  --full             build the alternatives to the integration with all pages, not only with up to 1000
  --heap <megabytes> maximum heap of every build (default: Node's own limit; a content collection of ${LARGE} pages needs more)
  --output <file>    file for the results (bench/results.json for 5000 pages, otherwise bench/results-<n>.json; none with --only)`;

/**
 * Parses the command line.
 * @throws Error for invalid options; the message shows the help.
 */
export function readArguments(args) {
	const { values } = parseArgs({
		args,
		options: {
			n: { type: 'string', default: '5000' },
			runs: { type: 'string' },
			only: { type: 'string' },
			full: { type: 'boolean', default: false },
			heap: { type: 'string' },
			output: { type: 'string' },
		},
	});
	const products = whole(values.n);
	const isLarge = products >= LARGE;
	const heap = values.heap && whole(values.heap);
	const file = products === 5_000 ? 'bench/results.json' : `bench/results-${products}.json`;
	const names = values.only?.split(',') ?? [...ALONE, ...(isLarge ? OF_LARGE : SCENARIOS.map(nameOf))];
	const unknown = names.filter((name) => ![...ALONE, 'baked', ...SCENARIOS.map(nameOf)].includes(name));
	if (unknown.length > 0) throw new Error(`Unknown benchmark: ${unknown.join(', ')}.\n${HELP}`);
	return {
		products,
		isLarge,
		runs: values.runs ? whole(values.runs) : isLarge ? 1 : 5,
		names,
		isFull: values.full,
		nodeFlags: heap ? [`--max-old-space-size=${heap}`] : [],
		output: values.output ?? (values.only ? undefined : file),
	};
}

function nameOf({ name }) {
	return name;
}

function whole(text) {
	const number = Number(text);
	if (Number.isSafeInteger(number) && number > 0) return number;
	throw new Error(`Expected a whole number above 0, received "${text}".\n${HELP}`);
}
