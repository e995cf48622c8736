// Runs every benchmark, one after the other, so that none is slowed by another. Ends with 1 where a bar is missed.
import { spawnSync } from 'node:child_process';

for (const benchmark of ['reading', 'in-flight']) {
	const { status } = spawnSync(process.execPath, [`bench/${benchmark}.mjs`], { stdio: 'inherit' });
	if (status !== 0) process.exitCode = 1;
}
