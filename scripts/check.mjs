// Runs all static checks: format, lint, types, unused code, and the packages as published. Prints how large the sources are.
import { runAll } from './run.mjs';

const CHECKS = [
	['Format and lint (biome)', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
	['Unused files, exports and dependencies (knip)', 'node_modules/knip/bin/knip.js'],
	['Published packages (publint, attw)', 'scripts/check-packages.mjs'],
	['Words of the documentation (textlint)', 'scripts/check-prose.mjs'],
	['Sizes', 'scripts/sources.ts'],
];
// `npm test` checks the types of the code as well. CI runs both and needs that only once.
const rest = process.argv.includes('--after-test') ? ['--documents'] : [];
const isClean = await runAll([...CHECKS, ['Types', 'scripts/types.mjs', ...rest]]);
process.exitCode = isClean ? 0 : 1;
