// Checks the types of the tests and of everything that is written in .astro files.
import { run } from './run.mjs';

const results = [
	run('Types of the tests', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'),
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
