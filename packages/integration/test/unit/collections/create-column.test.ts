import { expect, test } from 'vitest';
import { createColumn } from '../../../src/collections/create-column.js';

test('a row has what was written to it last, and 0 before', () => {
	const column = createColumn(Uint32Array);
	const rows = [0, 7, 1_023, 1_024, 100_000];
	for (const row of rows) {
		expect(column.get(row)).toBe(0);
		column.set(row, row + 1);
		column.set(row, row + 2);
	}
	expect(rows.map(column.get)).toEqual(rows.map((row) => row + 2));
	expect(column.get(100_001)).toBe(0);
	expect(column.get(-1)).toBe(0);
});
