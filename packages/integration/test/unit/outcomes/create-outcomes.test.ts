import { memoryInUse } from 'product-reviews-test-support/memory';
import { expect, test } from 'vitest';
import { createOutcomes } from '../../../src/outcomes/create-outcomes.js';

test('what a product came to is what was noted last, with all that its requests took and brought', () => {
	const outcomes = createOutcomes();
	expect(outcomes.get('p-1')).toBeUndefined();
	expect(outcomes.statusOf('p-1')).toBeUndefined();
	outcomes.addRequest('p-1', 20.25, 1_000);
	expect(outcomes.get('p-1')).toEqual({ status: undefined, reason: undefined, ms: 20.25, bytes: 1_000 });
	outcomes.addRequest('p-1', 5.5, 5_000_000_000);
	outcomes.settle('p-1', 'failed', '503');
	const failed = { status: 'failed', reason: '503', ms: 25.75, bytes: 5_000_001_000 };
	expect(outcomes.get('p-1')).toEqual(failed);
	outcomes.settle('p-1', 'unchanged');
	expect(outcomes.get('p-1')).toEqual(failed);
	outcomes.settle('p-1', 'fetched');
	expect(outcomes.statusOf('p-1')).toBe('fetched');
});

test('a hundred thousand products are a few megabytes, each as it was noted', async () => {
	const pids = Array.from({ length: 100_000 }, (_, index) => `p-${index}`);
	const statuses = ['fetched', 'unchanged', 'missing', 'stale', 'failed'] as const;
	const before = await memoryInUse();
	const outcomes = createOutcomes();
	for (const [index, pid] of pids.entries()) {
		outcomes.addRequest(pid, index / 4, index);
		outcomes.settle(pid, statuses[index % 5] ?? 'failed');
	}
	const { heap, buffers } = await memoryInUse();
	expect([...outcomes.keys()]).toEqual(pids);
	for (const [index, pid] of pids.entries()) {
		expect(outcomes.statusOf(pid)).toBe(statuses[index % 5]);
		if (index % 1_000 === 0) expect(outcomes.get(pid)).toMatchObject({ ms: index / 4, bytes: index });
	}
	// 24 bytes of the ids and 13 of the rest for each, which grow by doubling: objects would take 100.
	expect(heap - before.heap + buffers - before.buffers).toBeLessThan(6_000_000);
});
