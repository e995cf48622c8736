import { createClock } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { createWriteBack } from '../../../src/cache/write-back.js';
import type { SharedWrite } from '../../../src/shared-storage/shared-values.js';

function start(accepts: (pids: readonly string[]) => boolean) {
	const clock = createClock();
	const stored = new Set<string>();
	const done: string[] = [];
	const writeBack = createWriteBack({
		storage: {
			async write(entries) {
				const pids = entries.map(({ pid }) => pid);
				if (!accepts(pids)) return false;
				for (const pid of pids) stored.add(pid);
				return true;
			},
		},
		monotonicNow: clock.now,
		pause: (milliseconds) => new Promise((resolve) => void clock.after(milliseconds, resolve)),
	});
	return {
		clock,
		stored,
		done,
		writeBack,
		add(count: number, name = 'p') {
			for (let index = 0; index < count; index++) {
				const pid = `${name}-${index}`;
				writeBack.add(
					() => ({ pid }) as SharedWrite,
					() => done.push(pid),
				);
			}
		},
	};
}

test('one answer that the storage never takes does not keep the others from it', async () => {
	const { clock, stored, writeBack, add } = start((pids) => !pids.includes('p-0'));
	add(1_000);
	await clock.advance(20_000);
	expect(stored.size).toBeGreaterThanOrEqual(900);
	expect(writeBack.written).toBe(stored.size);
});

test('what waits for a storage that fails is limited, and whoever waits for it is told', async () => {
	const { clock, done, writeBack, add } = start(() => false);
	add(12_000);
	expect(writeBack.unwritten).toBe(2_000);
	expect(done).toHaveLength(2_000);
	const flushed = writeBack.flush(5_000);
	await clock.advance(6_000);
	await flushed;
	expect(writeBack).toMatchObject({ written: 0, unwritten: 12_000 });
	expect(done).toHaveLength(12_000);
});

test('it goes on after a flush', async () => {
	let works = false;
	const { clock, stored, writeBack, add } = start(() => works);
	add(3, 'lost');
	const flushed = writeBack.flush(5_000);
	await clock.advance(6_000);
	await flushed;
	works = true;
	add(3);
	await clock.advance(2_000);
	await writeBack.flush(5_000);
	expect([...stored]).toEqual(['p-0', 'p-1', 'p-2']);
	expect(writeBack).toMatchObject({ written: 3, unwritten: 3 });
});
