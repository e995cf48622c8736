import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');

/** What a built file imports, directly and through others: its own files, and the names of everything else. */
function graphOf(start: string): { files: Set<string>; others: Set<string> } {
	const files = new Set<string>();
	const others = new Set<string>();
	const visit = (file: string) => {
		if (files.has(file)) return;
		files.add(file);
		const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
		for (const [, name = ''] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)) {
			if (name.startsWith('.')) visit(join(dirname(file), name));
			else others.add(name);
		}
	};
	visit(start);
	return { files, others };
}

test('the core runs anywhere: nothing that it imports is of Node, or of another package', () => {
	const { files, others } = graphOf(join(DIST, 'index.js'));
	expect([...others]).toEqual([]);
	expect(files.size).toBeGreaterThan(15);
	expect([...files].filter((file) => !existsSync(file))).toEqual([]);
	for (const file of files) {
		const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
		expect(code, file).not.toMatch(/\bprocess\.|\bBuffer\b|\brequire\(|\b__dirname\b|\bsetImmediate\b/);
	}
});

test('the part for Node imports nothing but the core and Node', () => {
	const { others } = graphOf(join(DIST, 'node/index.js'));
	expect([...others].filter((name) => !name.startsWith('node:'))).toEqual([]);
	expect(others).toContain('node:http');
});
