// Runs every benchmark, one after the other, so that none is slowed by another. Ends with 1 where a bar is missed.
//   npm run bench -- --n 500 --only cold,warm        (an option that is wrong shows all of them)
import { spawnSync } from 'node:child_process';
import { ALONE, readArguments } from './arguments.mjs';
import { measureSites } from './sites.mjs';

try {
	const settings = readArguments(process.argv.slice(2));
	for (const benchmark of ALONE.filter((name) => settings.names.includes(name))) {
		const output = settings.output && benchmark === 'receiver' ? ['--output', settings.output] : [];
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
