import { describe, expect, test } from 'vitest';
import { createMemoryLog } from '../../../src/index.js';
import { changeOf, collecting } from '../../support/collecting.js';

/** A collector that does not wait. */
const atOnce = () => collecting(createMemoryLog(), { quiet: 0 });

describe('without quiet time', () => {
	test('the first change starts a rebuild at once', async () => {
		const { add, clock, rebuilds } = atOnce();
		await add(['a']);
		await clock.advance(0);
		expect(rebuilds).toMatchObject([{ what: ['a'], at: 0 }]);
	});

	test('all that comes during a rebuild is one more, right after it', async () => {
		const collected = atOnce();
		const { add, clock, rebuilds } = collected;
		await add(['a']);
		await clock.advance(0);
		for (const pid of ['b', 'c', 'a', 'b']) {
			await add([pid]);
			await clock.advance(100);
		}
		expect(rebuilds).toHaveLength(1);
		await collected.last.succeed();
		await clock.advance(0);
		expect(rebuilds.slice(1)).toMatchObject([{ what: ['a', 'b', 'c'], at: 400 }]);
		await collected.last.succeed();
		await clock.advance(3_600_000);
		expect(rebuilds).toHaveLength(2);
	});

	test('the next change starts one at once again', async () => {
		const collected = atOnce();
		const { add, clock, rebuilds } = collected;
		await add(['a']);
		await clock.advance(0);
		await collected.last.succeed();
		await clock.advance(5_000);
		await add(['b']);
		await clock.advance(0);
		expect(rebuilds).toMatchObject([{ what: ['a'] }, { what: ['b'], at: 5_000 }]);
	});

	test('a failure is retried with growing pauses, and what is new does not wait for them', async () => {
		const collected = atOnce();
		const { add, clock, rebuilds } = collected;
		await add(['a']);
		await clock.advance(0);
		await collected.last.fail(new Error('The command ended with 1.'));
		await clock.advance(9_999);
		expect(rebuilds).toHaveLength(1);
		await clock.advance(1);
		expect(rebuilds.slice(1)).toMatchObject([{ what: ['a'], at: 10_000 }]);
		await collected.last.fail(new Error('The command ended with 1.'));
		await clock.advance(5_000);
		await add(['b']);
		await clock.advance(0);
		expect(rebuilds.slice(2)).toMatchObject([{ what: ['a', 'b'], at: 15_000 }]);
		await collected.last.fail(new Error('The command ended with 1.'));
		await clock.advance(39_999);
		expect(rebuilds).toHaveLength(3);
		await clock.advance(1);
		expect(rebuilds.slice(3)).toMatchObject([{ what: ['a', 'b'], at: 55_000 }]);
	});

	test('what an earlier process left starts one at once', async () => {
		const log = createMemoryLog();
		const { clock, collector, rebuilds } = collecting(log, { quiet: 0 });
		await log.record(changeOf(['left'], clock.now() - 1_000));
		await collector.start();
		await clock.advance(0);
		expect(rebuilds).toMatchObject([{ what: ['left'], at: 0 }]);
	});

	test('receivers that share a log: one rebuilds for a change, and the other does not', async () => {
		const memory = createMemoryLog();
		let isHeld = false;
		const log = {
			...memory,
			async hold() {
				if (isHeld) return undefined;
				isHeld = true;
				return {
					started: () => {},
					release: () => {
						isHeld = false;
					},
				};
			},
		};
		const one = collecting(log, { quiet: 0 });
		const other = collecting(log, { quiet: 0 });
		await one.add(['a']);
		await one.clock.advance(0);
		await other.add(['b']);
		await other.clock.advance(0);
		expect([one.rebuilds.length, other.rebuilds.length]).toEqual([1, 0]);
		await one.last.succeed();
		await one.clock.advance(0);
		expect(one.last.what).toEqual(['b']);
		await one.last.succeed();
		await other.clock.advance(60_000);
		expect([one.rebuilds.length, other.rebuilds.length]).toEqual([2, 0]);
	});
});
