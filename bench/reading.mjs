// Measures the cost of parsing and rendering reviews on one core: payloads with 13 KB html and 10 KB JSON-LD parsed per
// second, in the documented shape and through the html parser, and the time to render the two blocks of a page with 20
// reviews. Each figure is the best of many short batches, to minimize the effect of other load on the machine. Exits with 1
// if a target is missed.

import { parseOptions } from '../packages/integration/dist/options/parse-options.js';
import { readPayload } from '../packages/integration/dist/providers/hosted-reviews.js';
import { writeFragment } from '../packages/integration/dist/render/write-fragment.js';
import { startSandbox } from '../packages/sandbox/dist/index.js';

/** Products of the sandbox whose payloads have this size on average. */
const PIDS = ['p-1', 'p-43', 'p-57'];
const SECONDS = 2;

const payloads = await fetchPayloads();
const size = (field) =>
	payloads.reduce((sum, payload) => sum + payload[field].length, 0) / payloads.length / 1_000;
console.log(`Payloads of ${size('html').toFixed(1)} KB html and ${size('jsonld').toFixed(1)} KB JSON-LD:`);

// A comment at the end does not change the content, but differs from the documented shape.
const undocumented = payloads.map((payload) => ({ ...payload, html: `${payload.html}<!---->` }));
const products = payloads.map((payload) => {
	const { reviews, schema, ...product } = readPayload(payload);
	return {
		...product,
		reviews: reviews.slice(0, 20),
		schema: { ...schema, reviews: schema.reviews.slice(0, 20) },
	};
});
const settings = parseOptions({});

const bars = [
	[
		'parsed in the documented shape',
		1_000 / best(payloads, (payload) => readPayload(payload)),
		'per second',
		3_000,
	],
	[
		'parsed through the html parser',
		1_000 / best(undocumented, (payload) => readPayload(payload)),
		'per second',
		300,
	],
	[
		'two blocks of 20 reviews rendered',
		best(products, (product) => {
			for (const component of ['ProductReviews', 'ReviewSchema'])
				writeFragment('p-1', product, { component, props: {} }, settings);
		}),
		'ms',
		0.1,
	],
];
for (const [what, figure, unit, bar] of bars) {
	const isMet = unit === 'ms' ? figure < bar : figure >= bar;
	if (!isMet) process.exitCode = 1;
	const shown = unit === 'ms' ? figure.toFixed(3) : Math.round(figure).toLocaleString('en');
	const wanted = `${unit === 'ms' ? 'under' : 'at least'} ${bar.toLocaleString('en')}`;
	console.log(`  ${what}: ${shown} ${unit} (${wanted}: ${isMet ? 'met' : 'MISSED'})`);
}

/** The shortest time of an action for one of the values, in milliseconds. */
function best(values, action) {
	let shortest = Number.POSITIVE_INFINITY;
	const end = performance.now() + SECONDS * 1_000;
	while (performance.now() < end) {
		const started = performance.now();
		for (let round = 0; round < 10; round++) for (const value of values) action(value);
		shortest = Math.min(shortest, (performance.now() - started) / (10 * values.length));
	}
	return shortest;
}

async function fetchPayloads() {
	const sandbox = await startSandbox({ port: 0 });
	try {
		return await Promise.all(
			PIDS.map(async (pid) => {
				const answer = await fetch(
					`${sandbox.url}/api/llmRvwHTML?wsid=${sandbox.wsid}&pid=${pid}&ihtml=true&ijsonld=true`,
				);
				const { dataCount, html, jsonld } = await answer.json();
				return { pid, aggregate: { count: dataCount.prtng, average: dataCount.avgrtng }, html, jsonld };
			}),
		);
	} finally {
		await sandbox.close();
	}
}
