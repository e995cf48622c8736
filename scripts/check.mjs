// Everything that is checked without running: format, lint, types, what is unused, and the packages as they are published.
import { runAll } from './run.mjs';

const CHECKS = [
	['Format and lint (biome)', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
	['Unused files, exports and dependencies (knip)', 'node_modules/knip/bin/knip.js'],
	['Published packages (publint, attw)', 'scripts/check-packages.mjs'],
];
const TYPES = ['Types', 'scripts/types.mjs'];

// `npm test` looks at the types as well: CI runs both, and needs them once.
const isClean = await runAll(process.argv.includes('--without-types') ? CHECKS : [...CHECKS, TYPES]);
process.exitCode = isClean ? 0 : 1;
