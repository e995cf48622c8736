import { createClock } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { createProgress } from '../../../src/build/create-progress.js';
import { countRequests, createTally } from '../../../src/outcomes/tally.js';

function createSetup(isTerminal: boolean, total?: number) {
	const clock = createClock();
	const tally = createTally();
	const lines: string[] = [];
	const progress = createProgress({ isTerminal, now: clock.now, log: (line) => lines.push(line) });
	if (total !== undefined) progress.setTotal(total);
	/** A second in which products were fetched. */
	const second = (products: number) => {
		clock.pass(1_000);
		for (let product = 0; product < products; product++) {
			countRequests(
				tally,
				{
					operation: 'crawlerReviews',
					pids: ['p-1'],
					attempt: 1,
					bytes: 100,
					durationMs: 5,
				},
				clock.now(),
			);
			tally.fetched += 1;
			tally.done += 1;
		}
		progress.tick(tally);
	};
	return { clock, tally, lines, progress, second };
}

describe('on a terminal', () => {
	test('one line a tick in which something happened', () => {
		const { lines, second, tally } = createSetup(true, 3_000);
		second(0);
		second(1_000);
		second(0);
		tally.failures.push({ pid: 'a', reason: '503', stale: false, error: undefined });
		tally.done += 500;
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
		const { lines, second, tally } = createSetup(false, 100);
		tally.done = 100;
		second(0);
		expect(lines).toEqual([]);
	});
});
