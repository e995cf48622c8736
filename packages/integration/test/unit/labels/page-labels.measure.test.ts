import { expect, test } from 'vitest';
import { fillLabel } from '../../../src/labels/page-labels.js';
import { collectGarbage } from '../../support/unit/memory.js';

const MEGABYTE = 1_048_576;
const LONG = 'a long name '.repeat(10);

test.each<[string, times: number, label: (index: number) => [label: string, rating: number]]>([
	['that name the product of each page', 50_000, (index) => [`{rating} for ${index}, ${LONG}`, 4]],
	['of ratings of many digits', 100_000, (index) => ['{rating}', 1 + index / 1e6]],
])('labels %s are not kept for ever', (_what, times, labelOf) => {
	const held = [0, 1].map((round) => {
		// Others in each round.
		for (let index = round * times; index < (round + 1) * times; index++) {
			const [label, rating] = labelOf(index);
			fillLabel(label, { rating }, 'en');
		}
		collectGarbage();
		return process.memoryUsage().heapUsed;
	});
	expect(((held[1] ?? 0) - (held[0] ?? 0)) / MEGABYTE).toBeLessThan(5);
});
