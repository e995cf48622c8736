import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.mjs';

/** Measured before the sites are built; they have no pages. */
export const ALONE = ['reading', 'in-flight', 'receiver'];

/** From here on a build takes minutes, and each is run once. */
const LARGE = 50_000;
/** Scenarios of a large run, in this order. */
const OF_LARGE = ['cold', 'warm-token', 'incremental'];

const HELP = `npm run bench -- [options]
  --n <number>       product pages of a site (5000)
  --runs <number>    how often each scenario and its reference are built (3, or 1 from ${LARGE} pages on)
  --only <names>     some of these, with commas between them: ${[...ALONE, 'baked', ...SCENARIOS.map(({ name }) => name)].join(', ')}
  --full             what people do today with all pages, too, not with 1000 at the most
  --heap <megabytes> heap that every build may have (Node's own limit; a content collection of ${LARGE} pages needs more)
  --output <file>    where the results go (bench/results.json for 5000 pages, or else bench/results-<n>.json; none with --only)`;

/**
 * Reads the command line.
 * @throws Error for what cannot be used; the message says what can.
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
	if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}.\n${HELP}`);
	return {
		products,
		isLarge,
		runs: values.runs ? whole(values.runs) : isLarge ? 1 : 3,
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
