// Checks the types of the tests, the examples and all .astro files.
import './write-snippets.mjs';
import { runAll } from './run.mjs';

const TSC = 'node_modules/typescript/bin/tsc';

const isClean = await runAll([
	['Types of the tests', TSC, '-p', 'tsconfig.test.json'],
	['Types of the examples for hosts', TSC, '-p', 'packages/webhook/examples'],
	['Types of the example for Cloudflare', TSC, '-p', 'packages/webhook/examples/cloudflare'],
	[
		'Types of the playground (astro check)',
		'node_modules/astro/bin/astro.mjs',
		'check',
		'--root',
		'playground',
		'--minimumFailingSeverity',
		'warning',
	],
	[
		'Types of the documentation and its code (astro check)',
		'node_modules/astro/bin/astro.mjs',
		'check',
		'--root',
		'docs',
		'--minimumFailingSeverity',
		'error',
	],
]);
process.exitCode = isClean ? 0 : 1;
