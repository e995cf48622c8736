import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLine } from '../../../src/pacing/create-line.js';

test('it does what an array does', () => {
	const step = fc.tuple(fc.constantFrom('add', 'addFirst', 'takeFirst', 'take'), fc.nat(20));
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			const line = createLine<number>();
			const model: number[] = [];
			let last = 0;
			for (const [name, number] of steps) {
				if (name === 'add') line.add(model[model.push(++last) - 1] as number);
				else if (name === 'addFirst') {
					model.unshift(++last);
					line.addFirst(last);
				} else if (name === 'takeFirst') expect(line.takeFirst()).toBe(model.shift());
				else {
					const index = model.indexOf(number);
					const expected = index < 0 ? undefined : model.splice(index, 1)[0];
					expect(line.take((item) => item === number)).toBe(expected);
				}
			}
			while (model.length > 0) expect(line.takeFirst()).toBe(model.shift());
			expect(line.takeFirst()).toBeUndefined();
		}),
	);
});

test('100,000 items leave it in well under a second', () => {
	const line = createLine<number>();
	for (let index = 0; index < 100_000; index++) line.add(index);
	const before = process.cpuUsage().user;
	for (let index = 0; index < 100_000; index++) line.takeFirst();
	expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(500);
});
