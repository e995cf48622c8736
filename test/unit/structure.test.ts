import { expect, test } from 'vitest';
import { countLines, createImports, LIMITS, measure, packageOf, readCode } from '../../scripts/sources.ts';

const code = readCode();
const importsOf = createImports(code);
const sources = [...code].filter(([path]) => packageOf(path));

/** Groups of files that import each other, by Tarjan's algorithm. */
function findCircles(files: readonly string[]): string[][] {
	const order = new Map<string, number>();
	const open: string[] = [];
	const circles: string[][] = [];

	const visit = (file: string): number => {
		const number = order.size;
		let low = number;
		order.set(file, number);
		open.push(file);
		for (const imported of importsOf(file)) {
			if (!order.has(imported)) low = Math.min(low, visit(imported));
			else if (open.includes(imported)) low = Math.min(low, order.get(imported) ?? number);
		}
		if (low === number) {
			const group = open.splice(open.indexOf(file));
			if (group.length > 1 || importsOf(file).includes(file)) circles.push(group.sort());
		}
		return low;
	};
	for (const file of files) if (!order.has(file)) visit(file);
	return circles;
}

test('no files import each other in a circle, not even for types', () => {
	const files = [...code.keys()];
	expect(files.length).toBeGreaterThan(200);
	expect(findCircles(files)).toEqual([]);
});

test('a file is a subject: none has more than 700 lines, and few have less than 25', () => {
	const lengths = sources.map(([path, text]) => [path, countLines(text)] as const);
	expect(lengths.filter(([, lines]) => lines > 700)).toEqual([]);
	expect(lengths.filter(([, lines]) => lines < 25).length).toBeLessThanOrEqual(30);
});

test(`all packages have at most ${LIMITS.lines} lines of source in ${LIMITS.files} files`, () => {
	const size = measure(code).get('all packages');
	expect(size?.lines).toBeLessThanOrEqual(LIMITS.lines);
	expect(size?.files).toBeLessThanOrEqual(LIMITS.files);
});
