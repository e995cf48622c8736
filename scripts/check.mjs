// Everything that is checked without running: format, lint, types, what is unused, and the packages as they are published.
import { run } from './run.mjs';

const results = [
	run(
		'Format and lint (biome)',
		'node_modules/@biomejs/biome/bin/biome',
		'check',
		'--error-on-warnings',
		'.',
	),
	// `npm test` looks at them as well: CI runs both, and needs them once.
	process.argv.includes('--without-types') || run('Types', 'scripts/types.mjs'),
	run('Unused files, exports and dependencies (knip)', 'node_modules/knip/bin/knip.js'),
	run('Published packages (publint, attw)', 'scripts/check-packages.mjs'),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
