import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
	name.endsWith('.ts'),
);

test('there is source to look at', () => {
	expect(FILES.length).toBeGreaterThan(40);
});

describe.each(FILES)('%s', (name) => {
	const text = readFileSync(join(SOURCE, name), 'utf8');
	const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

	test('imports nothing but zod, p-limit and its own files', () => {
		const imported = [...code.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map(([, from]) => from);
		expect(
			imported.filter(
				(from) => !['zod', 'p-limit'].includes(from ?? '') && !/^\.{1,2}\/.*\.js$/.test(from ?? ''),
			),
		).toEqual([]);
	});

	test('uses no global of Node', () => {
		expect(code).not.toMatch(/\b(?:node:|process\.|Buffer\b|require\(|__dirname|setImmediate)/);
	});

	test('is short enough to be read at once', () => {
		expect(text.split('\n').length).toBeLessThanOrEqual(125);
	});
});
