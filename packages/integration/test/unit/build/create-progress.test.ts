import { createClock } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { createProgress } from '../../../src/build/create-progress.js';
import { createRequestCounts } from '../../../src/outcomes/create-request-counts.js';
import { createProductOutcomes } from '../../../src/outcomes/product-outcomes.js';

function createSetup(isTerminal: boolean, total?: number) {
	const clock = createClock();
	const outcomes = createProductOutcomes();
	const requests = createRequestCounts(clock.now);
	const lines: string[] = [];
	const progress = createProgress({ isTerminal, now: clock.now, log: (line) => lines.push(line) });
	if (total !== undefined) progress.setTotal(total);
	/** A second in which products were fetched. */
	const second = (products: number) => {
		clock.pass(1_000);
		for (let product = 0; product < products; product++) {
			requests.add({ operation: 'crawlerReviews', attempt: 1, bytes: 100 });
			outcomes.reviews.addAnswer('p-1', {});
			progress.addDone();
		}
		progress.tick({ outcomes, requests });
	};
	return { clock, outcomes, lines, progress, second };
}

describe('on a terminal', () => {
	test('one line a tick in which something happened', () => {
		const { lines, second, outcomes, progress } = createSetup(true, 3_000);
		second(0);
		second(1_000);
		second(0);
		outcomes.reviews.addFailure({ pid: 'a', reason: '503', stale: false, error: undefined });
		progress.setDone(progress.done() + 500);
		second(1_500);
		second(0);
		second(0);
		expect(lines).toMatchInlineSnapshot(`
			[
			  "1,000/3,000 products, 0 stored, 0 failed, 500 req/s",
			  "3,000/3,000 products, 499 stored, 1 failed, 625 req/s",
			]
		`);
	});
});

describe('without a terminal', () => {
	test.each([1, 7, 10, 99, 100, 5_000, 100_000])(
		'%i products: ten lines at the most, the last one at the end',
		(total) => {
			const { lines, second } = createSetup(false, total);
			for (let done = 0; done < total; done += Math.ceil(total / 1_000))
				second(Math.min(Math.ceil(total / 1_000), total - done));
			expect(lines.length).toBeLessThanOrEqual(10);
			expect(lines.length).toBeGreaterThanOrEqual(Math.min(total, 9));
			expect(lines.at(-1)).toContain(`${total.toLocaleString('en')}/${total.toLocaleString('en')} products`);
		},
	);

	test('a length that is not known: lines come further and further apart', () => {
		const { lines, second } = createSetup(false);
		for (let at = 0; at < 3_600; at++) second(1);
		expect(lines.map((line) => line.split(' ')[0])).toEqual([
			'10',
			'20',
			'40',
			'80',
			'160',
			'320',
			'640',
			'1,280',
			'2,560',
		]);
		expect(lines[0]).toMatch(/^10 products, 0 stored, 0 failed, 1 req\/s$/);
	});

	test('a whole list from the store needs no line', () => {
		const { lines, second, progress } = createSetup(false, 100);
		progress.setDone(100);
		second(0);
		expect(lines).toEqual([]);
	});
});
