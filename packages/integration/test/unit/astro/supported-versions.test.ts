import { expect, test } from 'vitest';
import { assertAstro, assertNode, describeLacks } from '../../../src/astro/supported-versions.js';

test.each([
	[assertAstro, ['6.0.0', '6.4.8', '7.0.0-beta.1', '7.3.5', '8.0.0', '10.1.0']],
	[assertNode, ['22.13.0', '22.21.1', '24.0.0', '26.1.0']],
])('%o supports %j', (assert, versions) => {
	for (const version of versions) expect(() => assert(version)).not.toThrow();
});

test.each(['5.18.2', '4.16.19', '3.0.0', '1.9.2'])(
	'Astro %s is too old, and the error says what to do',
	(version) => {
		expect(() => assertAstro(version)).toThrow(
			`astro-product-reviews needs Astro 6 or 7, but this project has Astro ${version}.\nUpgrade with \`npx @astrojs/upgrade\``,
		);
	},
);

test.each(['22.12.0', '20.20.2', '18.0.0'])(
	'Node %s is too old, and the error says what to do',
	(version) => {
		expect(() => assertNode(version)).toThrow(
			`astro-product-reviews needs Node 22.13 or later, but this is Node ${version}.\nInstall the current LTS version`,
		);
	},
);

test('a line says what Astro 6 lacks', () => {
	expect(describeLacks('6.4.8')).toBe(
		'Astro 6.4.8 has no incremental builds and no route cache; reviews work without them.',
	);
	expect(describeLacks('7.0.0')).toBeUndefined();
});
