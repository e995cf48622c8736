import { expect, test } from 'vitest';
import { createSlots } from '../../../src/cache/create-slots.js';

/** Takes a slot for each product. @returns those that have one */
async function takeAll(slots: ReturnType<typeof createSlots>, pids: readonly string[]) {
	const taken: string[] = [];
	for (const pid of pids) void slots.take(pid).then(() => taken.push(pid));
	await Promise.resolve();
	return taken;
}

test('a product that a page waits for gets a slot at once each time, until the page no longer waits', async () => {
	const slots = createSlots(1);
	expect(await takeAll(slots, ['p-1'])).toEqual(['p-1']);
	slots.hurry('p-2');
	for (let times = 0; times < 3; times++) {
		expect(await takeAll(slots, ['p-2'])).toEqual(['p-2']);
		slots.free();
	}
	slots.calm('p-2');
	expect(await takeAll(slots, ['p-2'])).toEqual([]);
});

test('a product that is hurried before it asks for a slot gets one at once', async () => {
	const slots = createSlots(1);
	slots.hurry('p-3');
	expect(await takeAll(slots, ['p-1', 'p-2', 'p-3'])).toEqual(['p-1', 'p-3']);
});
