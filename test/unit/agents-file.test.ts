import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PACKAGE = fileURLToPath(new URL('../../packages/integration', import.meta.url));
const read = (path: string) => readFileSync(`${PACKAGE}/${path}`, 'utf8');
const text = read('AGENTS.md');

test('AGENTS.md is published, and has at most 60 lines', () => {
	expect(JSON.parse(read('package.json')).files).toContain('AGENTS.md');
	expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});

test('what AGENTS.md names is there', () => {
	const components = new Set([...text.matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name));
	const variables = new Set([...text.matchAll(/\bREVIEWS_\w+/g)].map(([name]) => name));
	expect(components.size).toBeGreaterThan(3);
	expect(variables.size).toBeGreaterThan(2);
	const exported = read('components/index.js');
	for (const name of components) expect(exported).toContain(`default as ${name} `);
	const constants = read('src/constants.ts');
	for (const name of variables) expect(constants).toContain(`'${name}'`);
	for (const property of text.match(/--product-reviews-\w+|`-\w+`/g) ?? []) {
		const name = property.replace(/^`-(\w+)`$/, '--product-reviews-$1');
		expect(read('components/styles/colors.css')).toContain(name);
	}
});
