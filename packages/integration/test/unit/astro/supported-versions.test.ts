import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { assertAstro, assertNode, describeLacks } from '../../../src/astro/supported-versions.js';

test.each([
	[
		assertAstro,
		['6.0.0', '6.4.8', '7.0.0-beta.1', '7.3.5', '8.0.0', '10.1.0'],
		['5.18.2', '4.16.19', '3.0.0', '1.9.2'],
		'Astro 6 or 7, but this project has Astro %.\nUpgrade with `npx @astrojs/upgrade`',
	],
	[
		assertNode,
		['22.13.0', '22.21.1', '24.0.0', '26.1.0'],
		['22.12.0', '20.20.2', '18.0.0'],
		'Node 22.13 or later, but this is Node %.\nInstall the current LTS version',
	],
])('%o supports %j; %j are too old, and the error says what to do', (assert, versions, old, problem) => {
	for (const version of versions) expect(() => assert(version)).not.toThrow();
	for (const version of old)
		expect(() => assert(version)).toThrow(`astro-product-reviews needs ${problem.replace('%', version)}`);
});

test('a Node without SQLite is named as too old, by its version', async () => {
	const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'22.12.0'})`;
	const node = promisify(execFile)(process.execPath, [
		...['--no-experimental-sqlite', '--import', old, '--input-type=module'],
		...['-e', `import ${JSON.stringify(import.meta.resolve('astro-product-reviews'))}`],
	]);
	await expect(node).rejects.toThrow('needs Node 22.13 or later, but this is Node 22.12.0.');
});

test('a line says what Astro 6 lacks', () => {
	const lacks = 'Astro 6.4.8 has no incremental builds and no route cache; reviews work without them.';
	expect(describeLacks('6.4.8')).toBe(lacks);
	expect(describeLacks('7.0.0')).toBeUndefined();
});
