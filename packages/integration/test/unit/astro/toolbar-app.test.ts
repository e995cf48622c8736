import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../../dist');

test('the app, whose modules a browser loads one by one, needs few of them, and no package besides Astro', () => {
	const { metafile } = buildSync({
		entryPoints: [join(DIST, 'astro/toolbar/app.js')],
		absWorkingDir: DIST,
		external: ['astro/toolbar'],
		bundle: true,
		write: false,
		metafile: true,
		platform: 'browser',
		format: 'esm',
	});
	expect(Object.keys(metafile.inputs).sort()).toEqual([
		'astro/toolbar/app.js',
		'astro/toolbar/messages.js',
		'astro/toolbar/view.js',
		'render/html.js',
	]);
});
