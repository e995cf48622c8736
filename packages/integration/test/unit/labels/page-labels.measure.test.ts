import { expect, test } from 'vitest';
import { fillLabel } from '../../../src/labels/page-labels.js';
import { collectGarbage } from '../../support/unit/memory.js';

const MEGABYTE = 1_048_576;
const LONG = 'a long name '.repeat(10);

test.each<[string, times: number, task: (index: number) => void]>([
	[
		'labels that name the product of each page',
		50_000,
		(index) => fillLabel(`{rating} of 5 for the product ${index}, ${LONG}`, { rating: 4 }, 'en'),
	],
	['ratings of many digits', 100_000, (index) => fillLabel('{rating}', { rating: 1 + index / 1e6 }, 'en')],
])('%s are not kept for ever', (_what, times, task) => {
	const held = [0, 1].map((round) => {
		// Others in each round.
		for (let index = 0; index < times; index++) task(round * times + index);
		collectGarbage();
		return process.memoryUsage().heapUsed;
	});
	expect(((held[1] ?? 0) - (held[0] ?? 0)) / MEGABYTE).toBeLessThan(5);
});
