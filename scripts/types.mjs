// Checks the types of the tests, of the examples and of everything that is written in .astro files.
import { run } from './run.mjs';

const results = [
	run('Types of the tests', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'),
	run(
		'Types of the examples for hosts',
		'node_modules/typescript/bin/tsc',
		'-p',
		'packages/webhook/examples',
	),
	run(
		'Types of the example for Cloudflare',
		'node_modules/typescript/bin/tsc',
		'-p',
		'packages/webhook/examples/cloudflare',
	),
	run(
		'Types of the playground (astro check)',
		'node_modules/astro/bin/astro.mjs',
		'check',
		'--root',
		'playground',
		'--minimumFailingSeverity',
		'warning',
	),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
