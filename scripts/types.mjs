// Checks the types of the tests, the examples and all .astro files. With --code it leaves out examples and documentation, and
// with --documents it checks these alone.
import './write-snippets.mjs';
import { runAll } from './run.mjs';

const TSC = 'node_modules/typescript/bin/tsc';

const CODE = [
	['Types of the tests', TSC, '-p', 'tsconfig.test.json'],
	[
		'Types of the playground (astro check)',
		'node_modules/astro/bin/astro.mjs',
		'check',
		'--root',
		'playground',
		'--minimumFailingSeverity',
		'warning',
	],
];
const DOCUMENTS = [
	['Types of the examples for hosts', TSC, '-p', 'packages/webhook/examples'],
	['Types of the example for Cloudflare', TSC, '-p', 'packages/webhook/examples/cloudflare'],
	[
		'Types of the documentation and its code (astro check)',
		'node_modules/astro/bin/astro.mjs',
		'check',
		'--root',
		'docs',
		'--minimumFailingSeverity',
		'error',
	],
];

const isClean = await runAll([
	...(process.argv.includes('--documents') ? [] : CODE),
	...(process.argv.includes('--code') ? [] : DOCUMENTS),
]);
process.exitCode = isClean ? 0 : 1;
