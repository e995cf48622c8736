// Runs all benchmarks one after the other, so that they do not affect each other. Exits with 1 if a target is missed.
//   npm run bench -- --n 500 --only cold,warm        (an invalid option shows the help)
import { spawnSync } from 'node:child_process';
import { ALONE, readArguments } from './arguments.mjs';
import { measureSites } from './sites.mjs';

/** Benchmarks whose results are kept. */
const KEPT = ['receiver', 'update'];

try {
	const settings = readArguments(process.argv.slice(2));
	for (const benchmark of ALONE.filter((name) => settings.names.includes(name))) {
		const output = settings.output && KEPT.includes(benchmark) ? ['--output', settings.output] : [];
		const { status } = spawnSync(process.execPath, [`bench/${benchmark}.mjs`, ...output], {
			stdio: 'inherit',
		});
		if (status !== 0) process.exitCode = 1;
	}
	const hasSites = settings.names.some((name) => !ALONE.includes(name));
	if (hasSites && !(await measureSites(settings))) process.exitCode = 1;
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
