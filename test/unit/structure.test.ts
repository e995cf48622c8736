import { expect, test } from 'vitest';
import { countLines, createImports, LIMITS, measure, packageOf, readCode } from '../../scripts/sources.ts';

const code = readCode();
const importsOf = createImports(code);
const sources = [...code].filter(([path]) => packageOf(path));

/** Ways from a file by its imports back to itself: at least one for each group of files that import each other. */
function findCircles(files: readonly string[]): string[][] {
	const done = new Set<string>();
	const visit = (file: string, way: readonly string[]): string[][] => {
		if (way.includes(file)) return [[...way.slice(way.indexOf(file)), file]];
		if (done.has(file)) return [];
		const found = importsOf(file).flatMap((imported) => visit(imported, [...way, file]));
		done.add(file);
		return found;
	};
	return files.flatMap((file) => visit(file, []));
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
