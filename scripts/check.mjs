// Runs all static checks: format, lint, types, unused code, and the packages as published. Prints how large the sources are.
import { runAll } from './run.mjs';

const CHECKS = [
	['Format and lint (biome)', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
	['Unused files, exports and dependencies (knip)', 'node_modules/knip/bin/knip.js'],
	['Published packages (publint, attw)', 'scripts/check-packages.mjs'],
	['Words of the documentation (textlint)', 'scripts/check-prose.mjs'],
	['Sizes', 'scripts/sources.ts'],
];
const TYPES = ['Types', 'scripts/types.mjs'];

// `npm test` checks the types as well. CI runs both and needs this only once.
const isClean = await runAll(process.argv.includes('--without-types') ? CHECKS : [...CHECKS, TYPES]);
process.exitCode = isClean ? 0 : 1;
